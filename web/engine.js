// The engine as the page sees it: UCI lines in and out.

import { createEngine } from "./engine/engine.js";

/** The engine in workers. `onError` gets messages. */
export function startEngine(onLine, onError) {
  return createEngine({ base: "./", onLine, onExit: onError });
}
