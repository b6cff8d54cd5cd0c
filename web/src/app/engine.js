// The page's engine: one queue, and what is known of it.

import { computed, signal } from "@preact/signals";
import { createEngine } from "../../engine/engine.js";
import { EngineQueue } from "../engine-queue/queue.js";
import { change, settings } from "../store/settings.js";

/** @typedef {import("../engine-queue/queue.js").State} State */

export const engineState = signal(/** @type {State} */ ({ phase: "loading", fraction: 0 }));
/** False while the engine has ended for good: who waits for it asks again when it is back. */
export const engineAlive = computed(() => engineState.value.phase !== "failed");
/** The most threads that the engine can have here, as it told when it was last ready. */
export const maxThreads = signal(1);
/** The levels that the engine announces, in Elo. */
export const levels = signal({ min: 1350, max: 2600 });

export const queue = new EngineQueue(
  /** @type {import("../engine-queue/queue.js").CreateEngine} */ (createEngine),
  { base: new URL(".", document.baseURI).href, hash: settings.value.hash, threads: settings.value.threads },
  (state) => {
    engineState.value = state;
    if (state.phase !== "ready") return;
    maxThreads.value = Math.max(1, state.maxThreads);
    const elo = queue.options.get("UCI_Elo");
    if (elo) levels.value = { min: elo.min, max: elo.max };
  },
);

/** Other memory or threads: the engine starts anew with them. @param {{ hash?: number, threads?: number }} choice */
export function reconfigure(choice) {
  change(choice);
  queue.restart(choice);
}

export const FULL_STRENGTH = { UCI_LimitStrength: false };
