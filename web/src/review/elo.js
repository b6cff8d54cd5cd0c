// Ratings by results, as pure functions.
// CITE: A. E. Elo, "The Rating of Chessplayers, Past and Present", 1978; K as in the FIDE Rating Regulations, 8.3.3.

/** The share of the points that a player expects. @param {number} own rating @param {number} other rating */
export const expected = (own, other) => 1 / (1 + 10 ** ((other - own) / 400));

/** New players move fast. */
const NEW_GAMES = 30;
const K = { fresh: 40, later: 20 };

/**
 * The rating after a game.
 * @param {number} own before it @param {number} other the opponent's @param {number} score 1, 0.5 or 0 @param {number} games played before
 */
export function rated(own, other, score, games) {
  return own + (games < NEW_GAMES ? K.fresh : K.later) * (score - expected(own, other));
}
