// A reviewed game that one shares by a link, and the mistake in it for which another person is to find a better move.

import { visible } from "../chess/comments.js";
import { ChessError } from "../chess/position.js";
import { fromLink, LONGEST_LINK, toLink } from "../review/link.js";
import { judgementsOf, withJudgement } from "../review/judge.js";
import { readReview, reviewHash } from "../store/share.js";
import { gameSignal, node, open, review, tree } from "./game.js";
import { retry, startRetry } from "./retry.js";
import { current, mistakes, nameReviewer } from "./review.js";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */

/** The mistake that the link asks about. */
export const challenge = gameSignal(/** @type {GameNode | null} */ (null));

/** The mistake that is on the board, or that is being tried again. */
function mistakeHere() {
  const tried = retry.value && retry.value.errors[retry.value.at];
  return tried || mistakes().find((at) => at === node.value) || null;
}

/** The part of a link that holds the reviewed game; null if it is not reviewed, or too long. */
export async function reviewLink() {
  const known = current.value;
  if (!known || !review.value || known.nodes.length > LONGEST_LINK + 1) return null;
  const mistake = mistakeHere();
  return { hash: await reviewHash(toLink(tree.value, known.nodes, review.value, visible, mistake)), mistake };
}

/** Opens the game of a link. @param {string} hash @returns {Promise<string>} what is wrong with it, "" if it was opened */
export async function openReview(hash) {
  const read = await readReview(hash).then(fromLink).catch((error) => {
    if (error instanceof ChessError) return error.message;
    throw error;
  });
  if (typeof read === "string") return read;
  if (!read) return "The link is damaged.";
  const { tree: game, nodes, review: kept, retry: asked } = read;
  const judgements = kept ? judgementsOf(kept) : [];
  nodes.slice(1).forEach((at, ply) => {
    at.nags = withJudgement(at.nags, judgements[ply] ?? "", "");
    if (kept && judgements[ply]) nodes[ply].play(kept.best[ply]);
  });
  if (kept?.by) nameReviewer(game, kept.by);
  open({ tree: game, review: kept, mode: "review", path: (asked ? nodes.slice(1, nodes.indexOf(asked) + 1) : []).map(({ uci }) => uci) }, {
    history: "replace", problem: kept ? "" : "This link is of an older version of the page, which judged by other chances. Here is the game: review it again.",
  });
  challenge.value = asked && mistakes().includes(asked) ? asked : null;
  return "";
}

export function takeChallenge() {
  const asked = challenge.value;
  if (asked) startRetry(asked.mover, asked);
  challenge.value = null;
}
