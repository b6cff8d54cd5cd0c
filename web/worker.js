// The engine's worker, under the name that the page's files have.

import "./engine/worker.js";
