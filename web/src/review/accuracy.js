// Win chances and accuracy, as pure functions.
//
// The chances are the engine's own: what it prints as WDL. Accuracy is computed from them by the curve that Lichess
// publishes (https://lichess.org/page/accuracy); the weights of the moves and the means of a game are described there too.

/** @typedef {import("../engine-queue/uci.js").Line} Line */

/**
 * White's share of the points that the engine expects, in percent: wins, and half of the draws.
 * @param {Pick<Line, "wdl" | "score">} line from the side to move @param {"white" | "black"} turn
 */
export function winPercent(line, turn) {
  const own = line.wdl ? (line.wdl[0] + line.wdl[1] / 2) / 10 : percentOfScore(line.score);
  return turn === "white" ? own : 100 - own;
}

/**
 * The same from a score alone, for evaluations that were read from a PGN.
 * @param {{ cp: number } | { mate: number }} score
 */
export function percentOfScore(score) {
  if ("mate" in score) return score.mate > 0 ? 100 : 0;
  const pawns = Math.max(-10, Math.min(10, score.cp / 100));
  return 100 / (1 + Math.exp(-0.368208 * pawns));
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
