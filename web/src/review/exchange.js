// What captures win, by the rules of chess: every capture is a legal one, so that pins and checks count.

import { makeSquare } from "chessops/util";

/** @typedef {import("chessops/chess").Chess} Chess */
/** @typedef {import("chessops/types").Color} Color */
/** @typedef {import("chessops/types").Role} Role */

/** In pawns. A king is not for sale. @type {Record<Role, number>} */
export const VALUES = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 100 };

/** A side's pieces in pawns, less those of the other side. @param {Chess} position @param {Color} color */
export function balance(position, color) {
  let sum = 0;
  for (const [, piece] of position.board) {
    if (piece.role !== "king") sum += (piece.color === color ? 1 : -1) * VALUES[piece.role];
  }
  return sum;
}

/** The position after a legal move. @param {Chess} position @param {import("chessops/types").Move} move */
export function after(position, move) {
  const next = position.clone();
  next.play(move);
  return next;
}

/**
 * What the side to move wins by capturing on a square, with the least piece first, both sides free to stop.
 * @param {Chess} position @param {number} square @returns {number} in pawns, not below 0
 */
export function exchange(position, square) {
  const victim = position.board.get(square);
  if (!victim || victim.color === position.turn) return 0;
  const capturers = [...position.allDests()].filter(([, dests]) => dests.has(square)).map(([from]) => from);
  if (capturers.length === 0) return 0;
  const value = (/** @type {number} */ from) => VALUES[/** @type {Role} */ (position.board.getRole(from))];
  const from = capturers.reduce((least, other) => (value(other) < value(least) ? other : least));
  const isPawn = position.board.getRole(from) === "pawn";
  const promotes = isPawn && /[18]$/.test(makeSquare(square));
  const next = after(position, promotes ? { from, to: square, promotion: "queen" } : { from, to: square });
  const gain = VALUES[victim.role] + (promotes ? VALUES.queen - VALUES.pawn : 0);
  return Math.max(0, gain - exchange(next, square));
}
