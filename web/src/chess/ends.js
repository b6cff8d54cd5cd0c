// How games end: by the rules on the board, by the clock, by the players.

import { repetitionKey } from "./position.js";

/** @typedef {import("./tree.js").GameNode} GameNode */
/** @typedef {import("chessops/types").Color} Color */
/** @typedef {{ result: "1-0" | "0-1" | "1/2-1/2", reason: string, termination?: string }} End `termination` as PGN's tag has it */

/** @param {Color} color */
export const opposite = (color) => (color === "white" ? /** @type {const} */ ("black") : /** @type {const} */ ("white"));

/** @param {Color} color */
export const nameOf = (color) => (color === "white" ? "White" : "Black");

/** @param {Color | undefined} winner @param {string} reason @returns {End} */
export function endFor(winner, reason) {
  return { result: winner === "white" ? "1-0" : winner === "black" ? "0-1" : "1/2-1/2", reason };
}

/** The result as it is shown. @param {string} result as PGN has it */
export const resultText = (result) => result.replace("1/2-1/2", "½–½").replace("-", "–");

/** White's share of the points, in percent. @param {End["result"]} result */
export const percentOf = (result) => ({ "1-0": 100, "0-1": 0, "1/2-1/2": 50 })[result];

/** What a side got: 1, 0.5 or 0 points. @param {End["result"]} result @param {Color} color */
export const pointsOf = (result, color) => (color === "white" ? percentOf(result) : 100 - percentOf(result)) / 100;

/** How often the position of a node has been on the board, this time included. @param {GameNode} node */
export function occurrences(node) {
  const key = repetitionKey(node.fen);
  let count = 1;
  // A position cannot come back across a capture or a pawn's move.
  let left = Number(node.fen.split(" ")[4]);
  for (let other = node.parent; other && left > 0; other = other.parent, left--) {
    if (repetitionKey(other.fen) === key) count++;
  }
  return count;
}

/**
 * The end of the game that a position is by the rules; null if it goes on. Mate wins over the fifty-move rule.
 * @param {GameNode} node @returns {End | null}
 */
export function boardEnd(node) {
  const position = node.position;
  const context = position.ctx();
  if (position.isCheckmate(context)) return endFor(opposite(position.turn), `checkmate, ${nameOf(opposite(position.turn))} wins`);
  if (position.isStalemate(context)) return endFor(undefined, `stalemate, ${nameOf(position.turn)} has no move`);
  if (position.isInsufficientMaterial()) return endFor(undefined, "draw by insufficient material");
  if (position.halfmoves >= 100) return endFor(undefined, "draw by the fifty-move rule");
  if (occurrences(node) >= 3) return endFor(undefined, "draw by threefold repetition");
  return null;
}

/**
 * A side runs out of time: a loss, or a draw if the other one cannot give mate.
 * @param {GameNode} node @param {Color} loser @returns {End}
 */
export function timeEnd(node, loser) {
  const winner = opposite(loser);
  const end = node.position.hasInsufficientMaterial(winner)
    ? endFor(undefined, `draw, ${nameOf(loser)} ran out of time, but ${nameOf(winner)} has insufficient material`)
    : endFor(winner, `${nameOf(loser)} lost on time, ${nameOf(winner)} wins`);
  return { ...end, termination: "Time forfeit" };
}
