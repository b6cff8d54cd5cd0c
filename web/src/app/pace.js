// How long an opponent of limited strength takes for a move: like a person, not at once.

const SHORTEST = 400;
const LONGEST = 4000;

/** Numbers from 0 to 1 by a seed, for a game that answers the same way when it is loaded again. @param {number} seed */
export function random(seed) {
  let state = (seed * 2654435761) >>> 0;
  state ^= state >>> 15;
  state = Math.imul(state, 2246822519) >>> 0;
  state ^= state >>> 13;
  return (state >>> 0) / 2 ** 32;
}

/**
 * @param {{ legalMoves: number, isRecapture: boolean, ply: number, left: number | null, increment: number, seed: number,
 *   seconds?: number }} move `left` on the clock in milliseconds, null without one; `seconds` for a move without one
 * @returns {number} milliseconds
 */
export function thinkingTime({ legalMoves, isRecapture, ply, left, increment, seed, seconds = 1 }) {
  if (legalMoves <= 1) return SHORTEST;
  const usual = left === null ? 1300 * seconds : left / 60 + 0.6 * increment;
  const complexity = Math.min(1.6, 0.5 + legalMoves / 40) * (isRecapture ? 0.5 : 1) * (ply < 12 ? 0.6 : 1);
  const time = usual * complexity * (0.5 + random(seed + ply));
  const longest = left === null ? LONGEST * seconds : Math.min(LONGEST, left / 12);
  return Math.max(Math.min(SHORTEST, longest), Math.min(longest, time));
}
