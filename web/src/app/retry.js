// Retry: from each of one's errors, find a move that loses little; a wrong one is refuted on the board.

import { remove, uciPosition } from "../chess/tree.js";
import { boardEnd, percentOf } from "../chess/ends.js";
import { winPercent } from "../review/accuracy.js";
import { isGoodEnough } from "../review/judge.js";
import { announceMove, sanInWords } from "./announce.js";
import { queue, repeatable, REVIEW_NODES } from "./engine.js";
import { gameSignal, goTo, node, orientation, tree } from "./game.js";
import { announce } from "./notices.js";
import { current, mistakes } from "./review.js";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */
/**
 * @typedef {object} Retry
 * @property {"white" | "black"} color
 * @property {GameNode[]} errors
 * @property {number} at
 * @property {"ask" | "check" | "good" | "bad" | "shown"} stage
 * @property {number} solved
 * @property {string} [refutation] in the notation of UCI
 * @property {Card} [card] the position comes from the deck
 */
/**
 * @typedef {{ number: number, count: number, percent: number | null, best: string, why: string, title: string, next(): void, leave(): void,
 *   grade(grade: number): void }} Card `percent`: White's before the error, if it is known; `grade` is told how well the position was known, 0 to 5
 */

export const retry = gameSignal(/** @type {Retry | null} */ (null));

/** @param {"white" | "black"} color @param {GameNode} [first] the error to begin with */
export function startRetry(color, first) {
  const errors = mistakes(color);
  if (errors.length === 0) return;
  orientation.value = color;
  ask({ color, errors, at: first ? Math.max(0, errors.indexOf(first)) : 0, stage: "ask", solved: 0 });
}

/** The grades of SM-2: the engine's move, another good one, a bad one, none. */
const GRADES = { best: 5, good: 4, bad: 1, shown: 0 };

/** A position of the deck, whose game is on the page. @param {GameNode} error @param {Card} card */
export function askCard(error, card) {
  orientation.value = error.mover;
  ask({ color: error.mover, errors: [error], at: 0, stage: "ask", solved: 0, card });
}

/** @param {Retry} state */
function ask(state) {
  retry.value = { ...state, stage: "ask", refutation: undefined };
  const error = state.errors[state.at];
  goTo(/** @type {GameNode} */ (error.parent), false);
  announce(`Mistake ${state.at + 1} of ${state.errors.length}: ${error.moveNumber}, ${sanInWords(error.san)}. Find a better move.`);
}

export function endRetry() {
  const state = retry.value;
  retry.value = null;
  if (state?.card) state.card.leave();
  else if (state) goTo(state.errors[state.at]);
}

/** @param {1 | -1} step */
export function nextRetry(step = 1) {
  const state = retry.value;
  if (!state) return;
  if (state.card) return state.card.next();
  const at = state.at + step;
  if (at < 0 || at >= state.errors.length) endRetry();
  else ask({ ...state, at });
}

export const again = () => retry.value && ask(retry.value);

/** What the review knows of the position before an error. @param {GameNode} error @returns {{ percent: number | null, best: string } | null} */
function before(error) {
  if (retry.value?.card) return retry.value.card;
  const known = current.value;
  const index = known?.nodes.indexOf(error) ?? -1;
  return known && index > 0 ? { percent: known.percents[index - 1], best: known.best[index - 1] } : null;
}

/** The node after a move. A new one stays out of the tree. @param {GameNode} from @param {string} uci */
function nodeAfter(from, uci) {
  const known = from.children.length;
  const child = from.play(uci);
  if (child && from.children.length > known) remove(child);
  return child;
}

/** Shows the move that the engine would have played. */
export function showSolution() {
  const state = retry.value;
  const from = state?.errors[state.at].parent;
  const best = state && before(state.errors[state.at])?.best;
  if (!state || !from || !best) return;
  state.card?.grade(GRADES.shown);
  retry.value = { ...state, stage: "shown" };
  const child = nodeAfter(from, best);
  if (child) goTo(child);
}

/** A move of the user. It stays out of the tree. @param {string} uci */
export async function tryMove(uci) {
  const state = retry.value;
  const from = state?.errors[state.at].parent;
  if (!state || !from || state.stage !== "ask") return false;
  const child = nodeAfter(from, uci);
  if (!child) return false;
  const known = before(state.errors[state.at]);
  retry.value = { ...state, stage: "check" };
  goTo(child, false);
  const game = tree.value;
  const goesOn = () => retry.value?.stage === "check" && tree.value === game && node.value === child;
  const isBest = known?.best === uci;
  const percent = isBest ? null : known?.percent ?? (await percentOfNode(from))?.percent ?? null;
  const after = isBest || !goesOn() ? null : await percentOfNode(child);
  if (!goesOn()) return true;
  if (!isBest && (percent === null || !after)) {
    // Without the engine nobody knows how good the move is.
    ask(state);
    return true;
  }
  const good = isBest || (after !== null && percent !== null && isGoodEnough({ mover: state.color, before: percent, after: after.percent }));
  retry.value = { ...state, stage: good ? "good" : "bad", refutation: good ? undefined : after?.reply, solved: state.solved + (good ? 1 : 0) };
  state.card?.grade(GRADES[isBest ? "best" : good ? "good" : "bad"]);
  announceMove(child, good ? "Good move." : `Not good enough${after?.reply ? `: ${after.reply.slice(0, 2)} to ${after.reply.slice(2, 4)} answers it` : ""}.`);
  return true;
}

/** White's win percent in a position, and the best move there. @param {GameNode} at */
async function percentOfNode(at) {
  const end = boardEnd(at);
  if (end) return { percent: percentOf(end.result), reply: undefined };
  // As deep as the review went, so that both can be compared.
  const { lines, stopped } = await queue.search(repeatable(uciPosition(at), current.value?.by?.nodes ?? REVIEW_NODES.usual)).answer;
  return stopped || !lines[0] ? null : { percent: winPercent(lines[0].score, at.turn), reply: lines[0].pv[0] };
}
