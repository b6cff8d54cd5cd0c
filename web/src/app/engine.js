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
export const levels = signal({ min: 800, max: 2600 });

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

/** The engine and its network, for those who want to compute the same again. */
export const engineName = () => `${queue.name}, network ${__NETWORK__}`;

/** Nodes for each position of a review, and of one that takes its time. */
export const REVIEW_NODES = { usual: 100_000, thorough: 1_000_000 };

/**
 * A search that finds the same on every machine: one thread, a number of nodes, and nothing kept of searches before.
 * @param {string} position as `uciPosition` gives it @param {number} nodes
 * @returns {import("../engine-queue/queue.js").Search}
 */
export function repeatable(position, nodes) {
  return { position, go: `nodes ${nodes}`, options: { ...FULL_STRENGTH, MultiPV: 1, Threads: 1, Hash: 16 }, newGame: true };
}
