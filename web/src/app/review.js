// The report of a whole game, computed here: every position from the last one backwards, so that the table of the engine
// already holds what follows.

import { computed, effect, signal, untracked } from "@preact/signals";
import { evalCommand, evalIn, withCommand } from "../chess/comments.js";
import { boardEnd } from "../chess/ends.js";
import { lineOf } from "../chess/position.js";
import { uciPosition } from "../chess/tree.js";
import { percentOfScore, winPercent } from "../review/accuracy.js";
import { report as judgeAll, withJudgement } from "../review/judge.js";
import { settings } from "../store/settings.js";
import { FULL_STRENGTH, queue } from "./engine.js";
import { changed, node, play, review, tree, version } from "./game.js";
import { announce } from "./notices.js";
import { isNamed, loadOpenings } from "./openings.js";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */
/** @typedef {import("../engine-queue/uci.js").Line} Line */
/** @typedef {import("../review/judge.js").Judgement} Judgement */
/** @typedef {{ nodes: GameNode[], percents: number[], best: string[], result: ReturnType<typeof judgeAll> }} Report `nodes` from the
 *   start on, White's win percent in each, and the engine's move there, "" if there is none */

/** Milliseconds for a position, unless the user wants a number of nodes. */
const POSITION_TIME = 300;
/** Half moves of the best line that become a variation. */
const LINE_LENGTH = 8;

export const progress = signal(/** @type {{ done: number, total: number } | null} */ (null));
export const reviewing = computed(() => progress.value !== null);
let run = 0;

/** The positions of the game itself: moves that analysis added after its end do not count. @returns {GameNode[]} */
export function gameNodes() {
  version.value;
  const moves = play.value?.moves;
  if (!moves) return tree.value.root.mainline();
  const end = tree.value.find(moves);
  return [tree.value.root, ...end.path()];
}

/** The report of the game on the page, made from what is kept of it. */
export const current = computed(() => {
  const kept = review.value;
  const nodes = gameNodes();
  return kept && kept.percents.length === nodes.length ? { ...kept, nodes, result: judgeAll(kept.moves) } : null;
});

/** White's win percent along the game, for the graph: from the report, from the engine, or as read from the PGN. */
export const curve = computed(() => {
  version.value;
  progress.value;
  const known = current.value;
  const nodes = gameNodes();
  return nodes.map((at, index) => {
    return known ? known.percents[index] : knownPercent(at, index === nodes.length - 1);
  });
});

/** @param {GameNode} at @param {boolean} isLast the game ends here @returns {number | null} */
function knownPercent(at, isLast) {
  // Where it went on after a repetition or fifty moves, it was no end. And asking every position of a long game takes long.
  const end = isLast ? boardEnd(at) : null;
  if (end) return { "1-0": 100, "0-1": 0, "1/2-1/2": 50 }[end.result];
  const line = at.analysis?.lines[0];
  if (line) return winPercent(line, at.turn);
  const read = evalIn(at.comments);
  return read && percentOfScore(read);
}

export function cancelReview() {
  run++;
  progress.value = null;
  queue.stop();
}

/** Reviews the game on the page. */
export async function startReview() {
  const mine = ++run;
  const game = tree.value;
  const nodes = gameNodes();
  if (nodes.length < 2) return;
  const { reviewNodes } = settings.value;
  const go = reviewNodes > 0 ? `nodes ${reviewNodes}` : `movetime ${POSITION_TIME}`;
  progress.value = { done: 0, total: nodes.length };
  const names = loadOpenings();
  for (let at = nodes.length - 1; at >= 0; at--) {
    const isLast = at === nodes.length - 1;
    if (!isLast || !boardEnd(nodes[at])) await reviewNode(nodes[at], go, isLast);
    if (mine !== run || tree.value !== game) {
      if (mine === run) progress.value = null;
      return;
    }
    progress.value = { done: nodes.length - at, total: nodes.length };
  }
  await names;
  if (mine !== run) return;
  progress.value = null;
  conclude(nodes);
}

/** Another game on the page ends the review of the one before. */
export function watchGame() {
  effect(() => {
    tree.value;
    if (untracked(() => reviewing.value)) untracked(cancelReview);
  });
}

/** @param {GameNode} at @param {string} go @param {boolean} newGame */
async function reviewNode(at, go, newGame) {
  const search = queue.search({ position: uciPosition(at), go, options: { ...FULL_STRENGTH, MultiPV: 1 }, newGame });
  const { lines, stopped } = await search.answer;
  const [line] = lines;
  if (stopped || !line) return;
  if (!at.analysis || at.analysis.depth <= line.depth) at.analysis = { lines: [line], depth: line.depth };
}

/** Writes the report into the tree. @param {GameNode[]} nodes */
function conclude(nodes) {
  const percents = nodes.map((at, index) => knownPercent(at, index === nodes.length - 1) ?? 50);
  // On the way to a named position, moves are known too, though not every one of them has a name.
  const lastNamed = nodes.findLastIndex(isNamed);
  const moves = nodes.slice(1).map((at, index) => {
    const before = nodes[index];
    const legal = [...before.position.allDests().values()].reduce((sum, dests) => sum + dests.size(), 0);
    const best = before.analysis?.lines[0]?.pv[0] === at.uci;
    return { mover: at.mover, before: percents[index], after: percents[index + 1], book: index < lastNamed, only: legal === 1, best };
  });
  const { judgements } = judgeAll(moves);
  const before = review.value ? judgeAll(review.value.moves).judgements : [];
  nodes.forEach((at, index) => annotate(at, judgements[index - 1] ?? "", before[index - 1] ?? ""));
  review.value = { percents, moves, best: nodes.map((at) => at.analysis?.lines[0]?.pv[0] ?? "") };
  changed();
  announce(`Review ready. ${summary("white")} ${summary("black")}`);
}

/**
 * Writes the engine's score to a node, and the sign of its move in place of that of the review before.
 * @param {GameNode} at @param {Judgement | ""} judgement @param {Judgement | ""} before
 */
function annotate(at, judgement, before) {
  const line = at.analysis?.lines[0];
  if (line) {
    const sign = at.turn === "white" ? 1 : -1;
    const score = "cp" in line.score ? { cp: sign * line.score.cp } : { mate: sign * line.score.mate };
    if (at.parent) at.comments = withCommand(at.comments, evalCommand(score));
  }
  at.nags = withJudgement(at.nags, judgement, before);
  if (judgement && at.parent) addBestLine(at.parent);
}

/** The engine's line as a variation, unless its first move is in the tree. @param {GameNode} from */
function addBestLine(from) {
  const pv = from.analysis?.lines[0]?.pv ?? [];
  if (pv.length === 0 || from.children.some((child) => child.uci === pv[0])) return;
  let at = from;
  for (const { uci } of lineOf(from.position, pv, LINE_LENGTH)) at = at.play(uci) ?? at;
}

/** The report of a side in a sentence. @param {"white" | "black"} color */
export function summary(color) {
  const side = current.value?.result[color];
  if (!side) return "";
  const accuracy = side.accuracy === null ? "" : ` accuracy ${Math.round(side.accuracy)} %,`;
  return `${color === "white" ? "White" : "Black"}:${accuracy} ${side.inaccuracy} inaccuracies, ${side.mistake} mistakes, ${side.blunder} blunders.`;
}

/** The errors of a side, or of both. @param {"white" | "black"} [color] @returns {GameNode[]} */
export function mistakes(color) {
  const known = current.value;
  if (!known) return [];
  return known.nodes.filter((at, index) => index > 0 && known.result.judgements[index - 1] && (!color || at.mover === color));
}

/** The next move with a sign after the one on the board, from the start again at the end. */
export function nextMistake() {
  const all = mistakes();
  const ply = node.value.ply;
  return all.find((at) => at.ply > ply) ?? all[0] ?? null;
}
