// The signs of NAGs, and their names for people who hear them.

/** @type {Record<number, [string, string]>} */
const GLYPHS = {
  1: ["!", "good move"], 2: ["?", "mistake"], 3: ["!!", "excellent move"], 4: ["??", "blunder"], 5: ["!?", "interesting move"],
  6: ["?!", "inaccuracy"], 7: ["□", "only move"], 10: ["=", "equal"], 13: ["∞", "unclear"], 14: ["⩲", "White slightly better"],
  15: ["⩱", "Black slightly better"], 16: ["±", "White better"], 17: ["∓", "Black better"], 18: ["+−", "White winning"],
  19: ["−+", "Black winning"], 22: ["⨀", "zugzwang"], 32: ["⟳", "development"], 36: ["↑", "initiative"], 40: ["→", "attack"],
  132: ["⇆", "counterplay"], 138: ["⊕", "time trouble"], 140: ["∆", "with the idea"], 146: ["N", "novelty"],
};

/** The signs of a move, of which a node has at most one. */
export const MOVE_GLYPHS = [1, 2, 3, 4, 5, 6];

/** @param {number} nag */
export const glyph = (nag) => GLYPHS[nag]?.[0] ?? `$${nag}`;

/** @param {number} nag */
export const glyphName = (nag) => GLYPHS[nag]?.[1] ?? `sign ${nag}`;

/** The NAGs with one sign of a move put in or taken out. @param {number[]} nags @param {number} nag */
export function toggleGlyph(nags, nag) {
  const others = nags.filter((other) => !MOVE_GLYPHS.includes(other));
  return nags.includes(nag) ? others : [nag, ...others];
}
