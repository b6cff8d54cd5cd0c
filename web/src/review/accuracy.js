// Win chances and accuracy, as pure functions.
//
// CITE: https://lichess.org/page/accuracy: the chances by a curve that was fitted to games of people, accuracy by another one;
// the weights of the moves and the means of a game are described there too. The engine's own chances (WDL) are those
// between engines, where a pawn wins half of the games: they would call a quiet move of a club player a mistake.

/** @typedef {import("../engine-queue/uci.js").Score} Score */

/** What is kept or shared says that its chances are by this curve: those of older versions were the engine's own. */
export const CURVE = "people";

const SLOPE = 0.00368208;
/** Centipawns beyond which nothing changes. Mates alone are 0 or 100 percent. */
const MOST_CENTIPAWNS = 1000;

/**
 * White's chances in percent: wins, and half of the draws.
 * @param {Score} score from the side to move @param {"white" | "black"} turn
 */
export function winPercent(score, turn) {
  const sign = turn === "white" ? 1 : -1;
  if ("mate" in score) return (score.mate > 0) === (turn === "white") ? 100 : 0;
  const centipawns = sign * Math.max(-MOST_CENTIPAWNS, Math.min(MOST_CENTIPAWNS, score.cp));
  return 50 + 50 * (2 / (1 + Math.exp(-SLOPE * centipawns)) - 1);
}

/** The score for White of which `percent` are the chances. @param {number} percent @returns {Score} */
export function scoreOf(percent) {
  if (percent <= 0 || percent >= 100) return { mate: percent <= 0 ? -1 : 1 };
  return { cp: Math.round(Math.log(percent / (100 - percent)) / SLOPE) };
}

/**
 * The accuracy of one move by what it lost, both in percent.
 * @param {number} before the mover's win percent before the move @param {number} after and after it
 */
export function moveAccuracy(before, after) {
  if (after >= before) return 100;
  const raw = 103.1668100711649 * Math.exp(-0.04354415386753951 * (before - after)) - 3.166924740191411 + 1;
  return Math.max(0, Math.min(100, raw));
}

/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** @param {number[]} numbers */
function deviation(numbers) {
  const middle = mean(numbers);
  return Math.sqrt(mean(numbers.map((number) => (number - middle) ** 2)));
}

/**
 * The accuracy of both sides over a game: the middle of a mean weighted by how much was at stake, and the harmonic mean.
 * @param {number[]} percents White's win percent in each position, the start first
 * @param {"white" | "black"} first the side that began
 * @returns {{ white: number | null, black: number | null }} null for a side that made no move
 */
export function gameAccuracy(percents, first = "white") {
  const moves = percents.length - 1;
  const size = Math.max(2, Math.min(8, Math.floor(moves / 10)));
  const windows = Array.from({ length: moves }, (_, at) => {
    const from = Math.max(0, at + 2 - size);
    return percents.slice(from, from + size);
  });
  const weights = windows.map((window) => Math.max(0.5, Math.min(12, deviation(window))));
  const all = Array.from({ length: moves }, (_, at) => {
    const white = (at % 2 === 0) === (first === "white");
    const [before, after] = white ? [percents[at], percents[at + 1]] : [100 - percents[at], 100 - percents[at + 1]];
    return { white, accuracy: moveAccuracy(before, after), weight: weights[at] };
  });
  const of = (/** @type {boolean} */ white) => {
    const own = all.filter((move) => move.white === white);
    if (own.length === 0) return null;
    const weighted = own.reduce((sum, move) => sum + move.accuracy * move.weight, 0) / own.reduce((sum, move) => sum + move.weight, 0);
    const harmonic = own.length / own.reduce((sum, move) => sum + 1 / Math.max(move.accuracy, 1), 0);
    return (weighted + harmonic) / 2;
  };
  return { white: of(true), black: of(false) };
}
