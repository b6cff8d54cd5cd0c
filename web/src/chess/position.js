// Positions by chessops: reading FEN with messages for people, the text of moves, and what is special about castling.

import { Chess, castlingSide, normalizeMove } from "chessops/chess";
import { makeFen, parseFen } from "chessops/fen";
import { makeSanAndPlay } from "chessops/san";
import { chessgroundDests } from "chessops/compat";
import { CASTLING_SIDES, COLORS, isNormal } from "chessops/types";
import { kingCastlesTo, makeSquare, makeUci, parseUci } from "chessops/util";

/** @typedef {import("chessops/types").Move} Move */
/** @typedef {import("chessops/types").Color} Color */

/** What chessops says, in words. @type {Record<string, string>} */
const REASONS = {
  ERR_FEN: "it has too many fields",
  ERR_BOARD: "the board needs eight ranks of eight squares, with the letters PNBRQK for White and pnbrqk for Black",
  ERR_TURN: "the side to move is w or b",
  ERR_CASTLING: "the castling rights do not fit",
  ERR_EP_SQUARE: "the en passant square does not fit",
  ERR_HALFMOVES: "the count of half moves is not a number",
  ERR_FULLMOVES: "the move number is not a number",
  ERR_EMPTY: "the board is empty",
  ERR_OPPOSITE_CHECK: "the side that is not to move is in check",
  ERR_PAWNS_ON_BACKRANK: "a pawn stands on the first or last rank",
  ERR_KINGS: "each side needs one king",
};

/** Errors that are meant to be read by the user. */
export class ChessError extends Error {}

/** The men of a side: the engine refuses positions with more. */
const MOST_MEN = 16;

/** The largest counters that chessops reads. */
export const MOST_COUNTED = 9999;

/** @param {string} text */
const tooHigh = (text = "") => /^\d+$/.test(text) && Number(text) > MOST_COUNTED;

/** Whether a counter of a FEN is read as the largest one. @param {string} fen */
export const countsTooHigh = (fen) => fen.trim().split(/[\s_]+/).slice(4, 6).some(tooHigh);

/**
 * The position of a FEN.
 * @param {string} text
 * @returns {Chess}
 * @throws {ChessError} if it is not that of a legal position
 */
export function readFen(text) {
  const fields = text.trim().split(/[\s_]+/);
  for (const at of [4, 5]) {
    if (tooHigh(fields[at])) fields[at] = String(MOST_COUNTED);
  }
  const read = parseFen(fields.join(" "))
    .chain((setup) => Chess.fromSetup(setup))
    .unwrap((position) => position, (error) => {
      throw new ChessError(`This is not a position: ${REASONS[error.message] ?? error.message}.`);
    });
  if (COLORS.some((color) => read.board[color].size() > MOST_MEN)) throw new ChessError("This is not a position: a side has more than sixteen men.");
  return read;
}

const EMPTY_FIELDS = ["8/8/8/8/8/8/8/8", "w", "-", "-", "0", "1"];

/** A FEN with another field; those that the text lacks, as a board alone does, are filled in. @param {string} fen @param {number} at @param {string} value */
export function withField(fen, at, value) {
  const fields = fen.trim().split(/\s+/).filter(Boolean);
  return [...fields, ...EMPTY_FIELDS.slice(fields.length)].with(at, value).join(" ");
}

/** @param {Chess} position */
export const fenOf = (position) => makeFen(position.toSetup());

/** Board, side, castling and en passant: what repetition compares. @param {string} fen */
export const repetitionKey = (fen) => fen.split(" ", 4).join(" ");

/**
 * The castlings that the king's own squares tell: those whose target is no step of the king.
 * @param {Chess} position @returns {{ king: number, target: number, rook: number }[]}
 */
function castlings(position) {
  const king = position.board.kingOf(position.turn);
  if (king === undefined) return [];
  const dests = position.dests(king);
  return CASTLING_SIDES.flatMap((side) => {
    const rook = position.castles.rook[position.turn][side];
    const target = kingCastlesTo(position.turn, side);
    return rook !== undefined && dests.has(rook) && target !== king && !dests.has(target) ? [{ king, target, rook }] : [];
  });
}

/**
 * Where each piece may be moved to. Castling is the king's move to the rook, or to its own target where that is no step.
 * @param {Chess} position @returns {Map<import("chessops/types").SquareName, import("chessops/types").SquareName[]>}
 */
export function destsOf(position) {
  const dests = chessgroundDests(position, { chess960: true });
  for (const { king, target } of castlings(position)) dests.get(makeSquare(king))?.push(makeSquare(target));
  return dests;
}

/**
 * A legal move from the notation of UCI, castling as king takes rook; undefined if it is not legal.
 * @param {Chess} position @param {string} text @returns {Move | undefined}
 */
export function readUci(position, text) {
  const parsed = parseUci(text);
  if (!parsed) return undefined;
  const castling = isNormal(parsed) && castlings(position).find(({ king, target }) => parsed.from === king && parsed.to === target);
  const move = castling ? { from: castling.king, to: castling.rook } : normalizeMove(position, parsed);
  return position.isLegal(move) ? move : undefined;
}

/**
 * The two squares that a move joins on the board: castling is shown by the king's own squares.
 * @param {Chess} position before the move @param {Move} move @returns {import("chessops/types").SquareName[]}
 */
export function squaresOf(position, move) {
  if (!isNormal(move)) return [makeSquare(move.to)];
  const side = castlingSide(position, move);
  return [makeSquare(move.from), makeSquare(side ? kingCastlesTo(position.turn, side) : move.to)];
}

/** True if a rook that may castle stands elsewhere than in ordinary chess, or the king does. @param {Chess} position */
export function isChess960(position) {
  return COLORS.some((color) => {
    const rank = color === "white" ? 0 : 56;
    const { a, h } = position.castles.rook[color];
    if (a === undefined && h === undefined) return false;
    return (a !== undefined && a !== rank) || (h !== undefined && h !== rank + 7) || position.board.kingOf(color) !== rank + 4;
  });
}

/**
 * The start of a line of UCI moves as far as it is legal.
 * @param {Chess} start @param {string[]} moves @param {number} [most]
 * @returns {{ uci: string, san: string, fen: string, number: string }[]} `number` is "" for Black's moves after White's
 */
export function lineOf(start, moves, most = 30) {
  const position = start.clone();
  /** @type {{ uci: string, san: string, fen: string, number: string }[]} */
  const line = [];
  for (const text of moves.slice(0, most)) {
    const move = readUci(position, text);
    if (!move) break;
    const number = position.turn === "white" ? `${position.fullmoves}.` : line.length === 0 ? `${position.fullmoves}…` : "";
    const san = makeSanAndPlay(position, move);
    line.push({ uci: makeUci(move), san, fen: fenOf(position), number });
  }
  return line;
}
