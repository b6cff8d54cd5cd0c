// Which moves of a game were inaccuracies, mistakes and blunders, as pure functions.

import { MOVE_GLYPHS } from "../chess/glyphs.js";
import { CURVE, gameAccuracy, winPercent } from "./accuracy.js";

/** @typedef {"inaccuracy" | "mistake" | "blunder"} Judgement */
/**
 * @typedef {object} Move
 * @property {"white" | "black"} mover
 * @property {number} before White's win percent before the move
 * @property {number} after and after it
 * @property {boolean} book it leads to the position of a named opening, at once or later
 * @property {boolean} only it was the only legal move
 * @property {boolean} best it was the engine's choice
 */
/** @typedef {{ engine: string, nodes: number }} ReviewedBy the engine with its network, and its nodes for each position */
/**
 * @typedef {{ curve?: string, percents: number[], moves: Move[], best: string[], why?: string[], by?: ReviewedBy, line?: string[] }} KeptReview
 *   White's win percent in each position and by which curve, what is judged of each move, the engine's moves, and why each move with
 *   a sign is bad; `line` are the moves themselves, in the notation of UCI: reviews of before it was kept lack it
 */

/**
 * The losses of win percent from which a move has each name, and its NAG.
 * CITE: Lichess's scale (lila, modules/tree, Advice): 0.3, 0.2 and 0.1 of chances from -1 to 1.
 */
const JUDGEMENTS = /** @type {const} */ ([
  { name: "blunder", loss: 15, nag: 4 },
  { name: "mistake", loss: 10, nag: 2 },
  { name: "inaccuracy", loss: 5, nag: 6 },
]);

/**
 * Who gives a mate away and has much left, or is mated where all was lost, made a small error.
 * CITE: the same file: more than 999 centipawns, and more than 700.
 */
const MUCH = winPercent({ cp: 999 }, "white");
const ENOUGH = winPercent({ cp: 700 }, "white");

/** What a move lost of its mover's win percent. @param {Pick<Move, "mover" | "before" | "after">} move */
export const lossOf = ({ mover, before, after }) => Math.max(0, mover === "white" ? before - after : after - before);

/** What a loss is called, whatever the move. @param {Pick<Move, "mover" | "before" | "after">} move @returns {Judgement | ""} */
function judgeLoss(move) {
  const loss = lossOf(move);
  const [before, after] = move.mover === "white" ? [move.before, move.after] : [100 - move.before, 100 - move.after];
  // Mates alone have all or no chances. A mate that is lost counts by what is left, one that is allowed by what there was.
  if (loss > 0 && (before === 100 || after === 0)) {
    const rest = before === 100 ? after : 100 - before;
    return rest > MUCH ? "inaccuracy" : rest > ENOUGH ? "mistake" : "blunder";
  }
  return JUDGEMENTS.find((judgement) => loss >= judgement.loss)?.name ?? "";
}

/** @param {Move} move @returns {Judgement | ""} */
export function judge(move) {
  if (move.only || move.best) return "";
  const found = judgeLoss(move);
  // A gambit costs something, and is no error. But blunders have names, too: Fool's Mate is one.
  return move.book && found !== "blunder" ? "" : found;
}

/** As versions judged whose chances were the engine's own: by twice the losses, and not who still had 90 percent. @param {Move} move @returns {Judgement | ""} */
function judgeAsBefore(move) {
  const own = move.mover === "white" ? move.after : 100 - move.after;
  if (move.only || move.best || own >= 90) return "";
  const found = JUDGEMENTS.find((judgement) => lossOf(move) >= 2 * judgement.loss)?.name ?? "";
  return move.book && found !== "blunder" ? "" : found;
}

/** The judgements whose signs a review has set. @param {KeptReview} review */
export const judgementsOf = ({ curve, moves }) => moves.map(curve === CURVE ? judge : judgeAsBefore);

/**
 * The NAGs of a move with the sign of its judgement, in place of that of the judgement before. Another sign of the move stays.
 * @param {number[]} nags @param {Judgement | ""} judgement @param {Judgement | ""} before
 */
export function withJudgement(nags, judgement, before) {
  const nagOf = (/** @type {Judgement | ""} */ wanted) => JUDGEMENTS.find(({ name }) => name === wanted)?.nag;
  const [nag, old] = [nagOf(judgement), nagOf(before)];
  const others = nags.filter((other) => other !== old);
  return nag && !others.some((other) => MOVE_GLYPHS.includes(other)) ? [nag, ...others] : others;
}

/** @typedef {{ accuracy: number | null, inaccuracy: number, mistake: number, blunder: number }} SideReport */

/**
 * The report of a game.
 * @param {Move[]} moves @returns {{ judgements: (Judgement | "")[], white: SideReport, black: SideReport }}
 */
export function report(moves) {
  const judgements = moves.map(judge);
  const percents = moves.length > 0 ? [moves[0].before, ...moves.map(({ after }) => after)] : [];
  const accuracy = moves.length > 0 ? gameAccuracy(percents, moves[0].mover) : { white: null, black: null };
  const side = (/** @type {"white" | "black"} */ color) => {
    const count = (/** @type {Judgement} */ name) =>
      judgements.filter((judgement, at) => judgement === name && moves[at].mover === color).length;
    return { accuracy: accuracy[color], inaccuracy: count("inaccuracy"), mistake: count("mistake"), blunder: count("blunder") };
  };
  return { judgements, white: side("white"), black: side("black") };
}

/** A retried move is good enough if it loses no more than this of the win percent: half of what makes an inaccuracy. */
const RETRY_LOSS = 2.5;

/** Whether a retried move is good enough. @param {Pick<Move, "mover" | "before" | "after">} move */
export const isGoodEnough = (move) => lossOf(move) <= RETRY_LOSS && !judgeLoss(move);

/** Half moves in a row of even scores before the engine takes a draw, and the move number from which on it does. */
const EVEN = { plies: 8, centipawns: 30, fromMove: 30 };

/**
 * Whether the engine takes a draw.
 * @param {number[]} scores its own scores of its last moves, in centipawns, newest last @param {number} moveNumber
 */
export function acceptsDraw(scores, moveNumber) {
  const last = scores.slice(-EVEN.plies / 2);
  return moveNumber >= EVEN.fromMove && last.length >= EVEN.plies / 2 && last.every((score) => Math.abs(score) < EVEN.centipawns);
}
