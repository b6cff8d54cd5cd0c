// Moves and squares in words.

import { parseSquare } from "chessops/util";
import { announce } from "./notices.js";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */

/** @type {Record<string, string>} */
const PIECES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

/** A move in words: "knight f6, check". @param {string} san */
export function sanInWords(san) {
  const suffix = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
  const move = san.replace(/[+#]$/, "");
  if (move === "O-O") return `castles short${suffix}`;
  if (move === "O-O-O") return `castles long${suffix}`;
  if (move === "--") return "passes";
  const found = /^([KQRBN])?([a-h])?([1-8])?(x)?([a-h][1-8])(?:=([QRBN]))?$/.exec(move);
  if (!found) return san;
  const [, piece, file = "", rank = "", takes, to, promotion] = found;
  const who = piece ? PIECES[piece] : "pawn";
  const from = piece || takes ? ` ${file}${rank}`.trimEnd() : "";
  return `${who}${from}${takes ? " takes" : ""} ${to}${promotion ? `, becomes ${PIECES[promotion].replace(/^/, "a ")}` : ""}${suffix}`;
}

/** @param {GameNode} node @param {string} [after] what is said behind the move */
export function announceMove(node, after = "") {
  const side = node.mover === "white" ? "White" : "Black";
  announce(node.san ? `${node.moveNumber}, ${side}: ${sanInWords(node.san)}. ${after}`.trim() : `Start of the game. ${after}`.trim());
}

/** A square and what stands on it: "e4, white pawn". @param {import("chessops/board").Board} board @param {string} square */
export function squareInWords(board, square) {
  const piece = board.get(/** @type {number} */ (parseSquare(square)));
  return piece ? `${square}, ${piece.color} ${piece.role}` : `${square}, empty`;
}
