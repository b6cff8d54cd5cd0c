// Analysis of the position on the board: when the engine searches, how long, and what it found so far.

import { computed, effect, signal, untracked } from "@preact/signals";
import { boardEnd, percentOf } from "../chess/ends.js";
import { uciPosition } from "../chess/tree.js";
import { winPercent } from "../review/accuracy.js";
import { change, settings } from "../store/settings.js";
import { engineAlive, FULL_STRENGTH, queue } from "./engine.js";
import { gameSignal, mode, node, tree, version } from "./game.js";
import { lastSearch } from "./play.js";
import { reviewing } from "./review.js";
import { retry } from "./retry.js";
import { isSeekingThreat } from "./threat.js";
import { evalIn } from "../chess/comments.js";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */
/** @typedef {import("../engine-queue/uci.js").Line} Line */

export const engineOn = computed(() => settings.value.engine);
export const switchEngine = () => change({ engine: !settings.value.engine });
/** The node whose search goes on beyond the usual limits. */
export const beyond = gameSignal(/** @type {GameNode | null} */ (null));
/** The node that is being searched, and what was found so far. */
export const live = gameSignal(/** @type {{ node: GameNode, lines: Line[] } | null} */ (null));
/** Counts the changes of `node.analysis`. */
export const analysed = signal(0);
const hidden = signal(document.hidden);

/** Milliseconds for which a position has to stay before it is searched: steps in a row do not start the engine. */
const SETTLE = 60;

/** The settings that a search depends on, as a text: only when it changes, the search has to begin anew. */
const searchSettings = computed(() => {
  const { lines: count, depth, seconds, threads, hash } = settings.value;
  return [count, depth, seconds, threads, hash].join(" ");
});

/** The lines for the node on the board, never those of another one; none where the engine is switched off. */
export const lines = computed(() => {
  analysed.value;
  if (!engineOn.value) return [];
  const found = live.value?.node === node.value ? live.value.lines : (node.value.analysis?.lines ?? []);
  return found.filter(Boolean);
});

/** Whether score, lines and arrows may be seen: not during a game, unless the user wants them. */
export const mayShow = computed(() => mode.value !== "play" || settings.value.spoilers);

/**
 * White's win percent and the score as text for the node on the board, and the engine's own chances of a win of White and of a
 * draw in percent, where they are known; null if nothing is known.
 */
export const evaluation = computed(() => {
  version.value;
  const at = node.value;
  const end = at.position.isEnd() ? boardEnd(at) : null;
  if (end) {
    const percent = percentOf(end.result);
    return { percent, text: percent === 50 ? "½" : "#", wdl: percent === 50 ? [0, 100] : [percent, 0] };
  }
  const thought = mode.value === "play" && lastSearch.value?.node === at.parent ? lastSearch.value : null;
  const [best, turn] = thought?.lines[0] ? [thought.lines[0], thought.node.turn] : [lines.value[0], at.turn];
  if (best) return { percent: winPercent(best.score, turn), text: scoreText(best.score, turn), wdl: best.wdl && [best.wdl[turn === "white" ? 0 : 2] / 10, best.wdl[1] / 10] };
  const read = evalIn(at.comments);
  return read && { percent: winPercent(read, "white"), text: scoreText(read, "white"), wdl: null };
});

/** A score from White's side. @param {import("../engine-queue/uci.js").Score} score @param {"white" | "black"} turn */
export function scoreText(score, turn) {
  const sign = turn === "white" ? 1 : -1;
  if ("mate" in score) {
    const white = score.mate === 0 ? turn !== "white" : score.mate > 0 === (turn === "white");
    return `${white ? "" : "−"}#${Math.abs(score.mate)}`;
  }
  const pawns = (sign * score.cp) / 100;
  return `${pawns > 0 ? "+" : pawns < 0 ? "−" : ""}${Math.abs(pawns).toFixed(2)}`;
}

/** The limits of a search: by depth and by time, so that a laptop does not heat up. @param {boolean} unlimited */
function goCommand(unlimited) {
  if (unlimited) return "infinite";
  const { depth, seconds } = settings.value;
  return `depth ${depth} movetime ${1000 * seconds}`;
}

/** True if the lines that are kept are those that a search would give. @param {GameNode} at */
function isKnown(at) {
  const kept = at.analysis;
  if (!kept || beyond.value === at) return false;
  const wanted = Math.min(settings.value.lines, [...at.position.allDests().values()].reduce((sum, dests) => sum + dests.size(), 0));
  return kept.lines.length >= wanted && (kept.depth >= settings.value.depth || (kept.seconds ?? 0) >= settings.value.seconds);
}

/** @param {GameNode} at @returns {() => void} ends the search */
function searchNode(at) {
  const { lines: count, depth, seconds: limit } = settings.value;
  let frame = 0;
  let ended = false;
  /** @type {Line[]} */
  const found = [];
  const show = () => {
    frame = 0;
    live.value = { node: at, lines: [...found] };
  };
  const search = queue.search({
    position: uciPosition(at),
    go: goCommand(beyond.value === at),
    options: { ...FULL_STRENGTH, MultiPV: count },
    onLine(line) {
      if (line.bound && found[line.index]) return;
      found[line.index] = line;
      frame ||= requestAnimationFrame(show);
    },
  });
  live.value = { node: at, lines: at.analysis?.lines ?? [] };
  /** Ends the search once, and keeps what it found. @param {boolean} complete it was not broken off */
  const end = (complete) => {
    if (ended) return;
    ended = true;
    cancelAnimationFrame(frame);
    const all = found.filter(Boolean);
    if (all.length > 0) {
      // By the engine's clock, for which loading is no search. One that ended before its depth has no more to give in its time.
      const time = all[0].time / 1000;
      keep(at, all, complete && all[0].depth < depth ? Math.max(time, limit) : time);
    }
    if (live.value?.node === at) live.value = null;
    if (complete && beyond.value === at) beyond.value = null;
  };
  search.answer.then(({ stopped }) => end(!stopped));
  return () => {
    end(false);
    search.stop();
  };
}

/** Keeps lines with a node, unless better ones are known. @param {GameNode} at @param {Line[]} found @param {number} seconds */
function keep(at, found, seconds) {
  const known = at.analysis;
  const [{ depth }] = found;
  const more = !known || found.length > known.lines.length;
  if (more) at.analysis = { lines: found, depth, seconds };
  else if (depth >= known.depth) at.analysis = { lines: found, depth, seconds: Math.max(seconds, known.seconds ?? 0) };
  analysed.value++;
}

export const wantsAnalysis = computed(
  () => mode.value !== "play" && engineOn.value && !hidden.value && !reviewing.value && !retry.value && !isSeekingThreat(),
);

/** Searches the position on the board whenever the page is in analysis. */
export function startAnalysis() {
  document.addEventListener("visibilitychange", () => (hidden.value = document.hidden));
  effect(() => {
    const at = node.value;
    void [tree.value, searchSettings.value, beyond.value];
    if (!wantsAnalysis.value || !engineAlive.value) return;
    let end = () => {};
    const timer = setTimeout(() => untracked(() => {
      // After a repetition or fifty moves the game may go on.
      if (!isKnown(at) && !at.position.isEnd()) end = searchNode(at);
    }), SETTLE);
    return () => {
      clearTimeout(timer);
      untracked(end);
    };
  });
}

/** The first move of the best line, null if there is none. */
export function playBest() {
  return lines.value[0]?.pv[0] ?? null;
}
