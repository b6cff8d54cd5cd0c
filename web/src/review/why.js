// Why a move is bad, in words: patterns read off the engine's lines. Each is checked on the board by the rules of chess, and by
// the material at the end of the line; where none fits, nothing is said.

import { attacks, between } from "chessops/attacks";
import { makeSan } from "chessops/san";
import { isNormal } from "chessops/types";
import { makeSquare } from "chessops/util";
import { readUci } from "../chess/position.js";
import { after, balance, exchange, VALUES } from "./exchange.js";

/** @typedef {import("chessops/chess").Chess} Chess */
/** @typedef {import("chessops/types").Color} Color */
/** @typedef {import("chessops/types").Role} Role */
/** @typedef {{ cp: number } | { mate: number }} Score from the side to move */
/**
 * @typedef {object} Question
 * @property {Chess} position before the move
 * @property {string} move in the notation of UCI
 * @property {string[]} best the engine's line in that position
 * @property {string[]} reply its line after the move
 * @property {Score | null} [score] of the first @property {Score | null} [replyScore] of the second
 */
/** @typedef {{ position: Chess, move: import("chessops/types").NormalMove, san: string, next: Chess }} Step */

/** Half moves of a line that are looked at for material. */
const HORIZON = 12;

/** The legal start of a line. @param {Chess} start @param {string[]} moves @returns {Step[]} */
function steps(start, moves) {
  /** @type {Step[]} */
  const line = [];
  let position = start;
  for (const uci of moves) {
    const move = readUci(position, uci);
    if (!move || !isNormal(move)) break;
    const next = after(position, move);
    line.push({ position, move, san: makeSan(position, move), next });
    position = next;
  }
  return line;
}

/** A move with its number, "14…Nc2+". @param {Step} step */
const named = ({ position, san }) => `${position.fullmoves}${position.turn === "white" ? "." : "…"} ${san}`;

/** @param {Step} step the piece that is taken, none for castling */
function taken({ position, move }) {
  const piece = position.board.get(move.to);
  if (piece) return piece.color === position.turn ? undefined : piece;
  const enPassant = position.board.getRole(move.from) === "pawn" && move.to === position.epSquare;
  return enPassant ? { role: /** @type {Role} */ ("pawn"), color: other(position.turn) } : undefined;
}

/** @param {Color} color */
const other = (color) => /** @type {Color} */ (color === "white" ? "black" : "white");

/**
 * What a side has won at the end of a line: at its last position in which nothing is being exchanged.
 * @param {Chess} start @param {Step[]} line @param {Color} color
 */
function won(start, line, color) {
  const seen = line.slice(0, HORIZON);
  const quiet = (/** @type {Step} */ step, /** @type {Step | undefined} */ following) => !taken(step) && !step.move.promotion && (!following || !taken(following));
  const last = seen.findLastIndex((step, at) => quiet(step, seen[at + 1]));
  // A line that stops in an exchange: the last capture counts less what can be taken back.
  const end = last >= 0 ? seen[last].next : seen.length > 0 ? seen[seen.length - 1].next : start;
  const back = last >= 0 || seen.length === 0 ? 0 : exchange(end, seen[seen.length - 1].move.to);
  return balance(end, color) - balance(start, color) - (end.turn === color ? -back : back);
}

/** @param {Role} role @param {number} square */
const at = (role, square) => `the ${role} on ${makeSquare(square)}`;

/** The squares of a side's men that a piece attacks. @param {Chess} position @param {number} square */
function targets(position, square) {
  const piece = position.board.get(square);
  return piece ? [...attacks(piece, square, position.board.occupied).intersect(position.board[other(piece.color)])] : [];
}

/** True if the side not to move could take a piece with gain, were it its turn. @param {Chess} position @param {number} square */
function isLoose(position, square) {
  const turned = position.clone();
  turned.turn = other(turned.turn);
  turned.epSquare = undefined;
  return !turned.isCheck() && exchange(turned, square) > 0;
}

/** Mate at the end of a line: in how many moves of the side that begins; 0 if it does not end so. @param {Step[]} line @param {Score | null | undefined} score */
function mateIn(line, score) {
  if (!score || !("mate" in score) || score.mate <= 0) return 0;
  const length = 2 * score.mate - 1;
  return line.length >= length && line[length - 1].next.isCheckmate() ? score.mate : 0;
}

/**
 * What a line does in its first moves, for the side that begins it: the name of a tactic and what it is about.
 * @param {Step[]} line @returns {{ what: string, text: string } | null}
 */
export function tactic(line) {
  const [first, answer, second] = line;
  if (!first || !answer || !second) return null;
  const { board } = first.next;
  const to = first.move.to;
  const piece = board.get(to);
  const goes = second.move.from;
  const victim = taken(second);
  if (!piece || !victim || first.move.promotion) return null;
  const square = second.move.to;
  const stood = board.get(square);
  // What is taken must have stood there when the tactic began.
  if (!stood || stood.color === piece.color || stood.role !== victim.role) return null;
  if (exchange(second.position, square) < 1) return null;
  return discovery(first, goes, square) ?? (goes === to ? fork(first, square) ?? skewer(first, square) : null) ?? pin(first, square);
}

/** @param {Step} first @param {number} square what is taken at last */
function fork(first, square) {
  const position = first.next;
  const to = first.move.to;
  const role = /** @type {Role} */ (position.board.getRole(to));
  const hit = targets(position, to).filter((target) => {
    const victim = /** @type {Role} */ (position.board.getRole(target));
    return victim === "king" || VALUES[victim] > VALUES[role] || (victim !== "pawn" && isLoose(position, target));
  });
  if (hit.length < 2 || !hit.includes(square) || role === "king" || exchange(position, to) > 0) return null;
  const order = hit.sort((a, b) => VALUES[/** @type {Role} */ (position.board.getRole(b))] - VALUES[/** @type {Role} */ (position.board.getRole(a))]).slice(0, 2);
  const both = order.includes(square) ? order : [order[0], square];
  const words = both.map((target) => {
    const victim = /** @type {Role} */ (position.board.getRole(target));
    return victim === "king" ? "the king" : at(victim, target);
  });
  return { what: "fork", text: `${named(first)} attacks ${words.join(" and ")}` };
}

/** A slider attacks a piece, and takes what stands behind it. @param {Step} first @param {number} square */
function skewer(first, square) {
  const position = first.next;
  const { board } = position;
  const to = first.move.to;
  const line = between(to, square);
  const [front, ...more] = [...line.intersect(board.occupied)];
  if (front === undefined || more.length > 0) return null;
  const [shield, victim] = [board.get(front), board.get(square)];
  if (!shield || !victim || shield.color !== position.turn || !targets(position, to).includes(front)) return null;
  if (shield.role !== "king" && VALUES[shield.role] <= VALUES[victim.role]) return null;
  return { what: "skewer", text: `${named(first)} attacks ${shield.role === "king" ? "the king" : at(shield.role, front)} and, behind it, ${at(victim.role, square)}` };
}

/** A slider pins a piece to the king, and it is taken. @param {Step} first @param {number} square */
function pin(first, square) {
  const position = first.next;
  const { board } = position;
  const to = first.move.to;
  const king = board.kingOf(position.turn);
  const pinned = board.get(square);
  if (king === undefined || !pinned || pinned.role === "king" || pinned.role === "pawn") return null;
  const line = between(to, king);
  if (!line.has(square) || line.intersect(board.occupied).size() !== 1 || !targets(position, to).includes(square)) return null;
  if (VALUES[pinned.role] < VALUES[/** @type {Role} */ (board.getRole(to))]) return null;
  return { what: "pin", text: `${named(first)} pins ${at(pinned.role, square)} to the king` };
}

/** A piece steps aside, and the slider behind it takes what it now attacks. @param {Step} first @param {number} slider @param {number} square */
function discovery(first, slider, square) {
  const { board } = first.next;
  const role = board.getRole(slider);
  if (slider === first.move.to || (role !== "bishop" && role !== "rook" && role !== "queen")) return null;
  const before = first.position.board.get(slider);
  if (!before || !between(slider, square).has(first.move.from) || targets(first.position, slider).includes(square)) return null;
  const victim = board.getRole(square);
  return victim && targets(first.next, slider).includes(square) ? { what: "discovered attack", text: `${named(first)} opens the line of the ${role} to ${at(victim, square)}` } : null;
}

/** A pawn becomes a piece in a line and is not taken at once. @param {Step[]} line @param {Color} color @returns {Step | undefined} */
function promotion(line, color) {
  return line.slice(0, 8).find((step, index) => step.move.promotion && step.position.turn === color && step.move.promotion === "queen" && line[index + 1] && !(line[index + 1].move.to === step.move.to));
}

/** The pawn of the position at the start of a line that makes a later move of it: where it stood then. @param {Step[]} line @param {Step} last */
function origin(line, last) {
  let square = last.move.from;
  for (let index = line.indexOf(last) - 1; index >= 0; index--) {
    const { move } = line[index];
    if (move.to === square && line[index].position.turn === last.position.turn) square = move.from;
  }
  return square;
}

/** @param {Question} question @returns {string} a sentence, "" where no pattern fits */
export function why({ position, move: uci, best, reply, score, replyScore }) {
  const [played] = steps(position, [uci]);
  if (!played) return "";
  const mover = position.turn;
  const better = steps(position, best);
  const refutation = steps(played.next, reply);
  return mates(played, better, refutation, score, replyScore) || material(played, better, refutation)?.text || "";
}

/** @param {Step} played @param {Step[]} better @param {Step[]} refutation @param {Score | null | undefined} score @param {Score | null | undefined} replyScore */
function mates(played, better, refutation, score, replyScore) {
  const isLost = score && "mate" in score && score.mate < 0;
  const allowed = isLost ? 0 : mateIn(refutation, replyScore);
  if (allowed > 0) return allowed === 1 ? `It allows mate: ${named(refutation[0])}.` : `It allows mate in ${allowed}, beginning with ${named(refutation[0])}.`;
  const stillMates = replyScore && "mate" in replyScore && replyScore.mate < 0;
  const missed = stillMates || played.next.isCheckmate() ? 0 : mateIn(better, score);
  if (missed > 0) return missed === 1 ? `It misses mate: ${named(better[0])}.` : `It misses mate in ${missed}, beginning with ${named(better[0])}.`;
  return played.next.isStalemate() ? "It is stalemate." : "";
}

/** @typedef {{ text: string, worth: number } | null} Reason what is said, and what it costs in pawns */

/** What is plainly seen is said before what follows from it, unless that costs more than this beyond it, in pawns. */
const PLAIN = 1;

/**
 * The reason that costs most; of equal ones the first.
 * @param {Step} played @param {Step[]} better @param {Step[]} refutation @returns {Reason}
 */
function material(played, better, refutation) {
  const { position } = played;
  const mover = position.turn;
  const opponent = other(mover);
  const here = won(position, [played, ...refutation], mover);
  const there = won(position, better, mover);
  // The move is worse by material, or it is not for material that it is bad.
  if (there - here < 1) return null;
  const lost = won(played.next, refutation, opponent);
  const reasons = [here > -1 ? null : loses(played, better, refutation, lost), promotes(better, refutation, opponent, lost), walks(better, refutation, lost), misses(played, better, there)];
  return reasons.reduce((most, reason) => (reason && (!most || reason.worth > most.worth) ? reason : most));
}

/** A piece can be taken at once. @param {Step} played @param {Step[]} better @param {Step[]} refutation @param {number} lost @returns {Reason} */
function loses(played, better, refutation, lost) {
  const [first] = refutation;
  const victim = first && taken(first);
  if (!first || !victim || lost < 1) return null;
  const square = first.move.to;
  const gain = exchange(played.next, square);
  // After the better move it is taken, too.
  if (gain < 1 || lost < gain || isTaken(better, first)) return null;
  const got = taken(played);
  const value = VALUES[victim.role];
  // What was taken before makes it an exchange.
  if (got && VALUES[got.role] >= value) return null;
  const worth = gain + PLAIN;
  if (victim.role === "pawn") return { worth, text: `It loses ${at("pawn", square)}: ${named(first)}.` };
  if (gain >= value) return { worth, text: got ? `It gives the ${victim.role} for a ${got.role}: ${named(first)}.` : `It hangs ${at(victim.role, square)}: ${named(first)}.` };
  const by = played.next.board.getRole(first.move.from);
  return by && VALUES[by] < value && !got ? { worth, text: `It loses ${at(victim.role, square)} for a ${by}: ${named(first)}.` } : null;
}

/** True if the same man goes to the same square in answer to another move. @param {Step[]} line @param {Step} reply */
const isAnswer = ([, answer], { move: { from, to } }) => answer !== undefined && answer.move.from === from && answer.move.to === to;

/** True if it takes there. @param {Step[]} line @param {Step} capture */
const isTaken = (line, capture) => isAnswer(line, capture) && taken(line[1]) !== undefined;

/** @param {Step[]} better @param {Step[]} refutation @param {Color} opponent @param {number} lost @returns {Reason} */
function promotes(better, refutation, opponent, lost) {
  const last = promotion(refutation, opponent);
  if (!last || promotion(better, opponent)) return null;
  return { worth: lost, text: `It lets the pawn on ${makeSquare(origin(refutation, last))} become a queen: ${named(last)}.` };
}

/** @param {Step[]} better @param {Step[]} refutation @param {number} lost @returns {Reason} */
function walks(better, refutation, lost) {
  const found = lost >= 1 ? tactic(refutation) : null;
  // The better move may allow it, too.
  if (!found || (isAnswer(better, refutation[0]) && tactic(better.slice(1)))) return null;
  return { worth: lost, text: `It allows a ${found.what}: ${found.text}.` };
}

/** @param {Step} played @param {Step[]} better @param {number} there what the better line won @returns {Reason} */
function misses(played, better, there) {
  const [first] = better;
  if (!first || there < 1) return null;
  const victim = taken(first);
  const gain = victim ? exchange(first.position, first.move.to) : 0;
  const wins = victim && gain >= VALUES[victim.role] && there >= gain && played.move.to !== first.move.to;
  const found = there >= (wins ? gain + PLAIN + 1 : 2) ? tactic(better) : null;
  if (found) return { worth: there, text: `It misses a ${found.what}: ${found.text}.` };
  return wins ? { worth: gain, text: `It misses ${named(first)}, winning ${at(victim.role, first.move.to)}.` } : null;
}
