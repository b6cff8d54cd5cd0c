// The tests of the page in Chromium, in one process, since they share a browser.

import "./browser/play.mjs";
import "./browser/keep.mjs";
import "./browser/review.mjs";
import "./browser/load.mjs";
import "./browser/layout.mjs";
import "./browser/axe.mjs";
import "./browser/hostile.mjs";
