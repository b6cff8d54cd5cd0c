// A reviewed game as small data for a link: moves, chances, the engine's moves, and the mistake to try again.

import { ChessError } from "../chess/position.js";
import { Tree } from "../chess/tree.js";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */
/** @typedef {import("../app/game.js").KeptReview} KeptReview */
/**
 * @typedef {object} Linked
 * @property {[string, string][]} tags
 * @property {string} [fen] of a start that is not the ordinary one
 * @property {string} moves in the notation of UCI
 * @property {number[]} chances White's, in twentieths of a percent: the engine's permille are told by them without loss
 * @property {string} best the engine's moves; "=" where it was played, "-" where there is none
 * @property {number} book half moves of known openings
 * @property {import("../app/game.js").ReviewedBy} [by]
 * @property {[number, string][]} [comments] by half move
 * @property {string[]} [why] what is wrong with each move, "" where nothing is said
 * @property {number} [retry] the half move to find a better one for
 */

const TAGS = ["Event", "Site", "Date", "White", "Black", "Result", "WhiteElo", "BlackElo", "Variant", "TimeControl", "Termination"];
const LONGEST_TAG = 80;
const STEPS = 20;

/**
 * @param {Tree} tree @param {GameNode[]} nodes of the game, the start first @param {KeptReview} review
 * @param {(comment: string) => string} visible @param {GameNode | null} retry @returns {Linked}
 */
export function toLink(tree, nodes, review, visible, retry) {
  const tags = TAGS.map((name) => /** @type {[string, string]} */ ([name, (tree.headers.get(name) ?? "").slice(0, LONGEST_TAG)]));
  const comments = nodes.map((at, ply) => /** @type {[number, string]} */ ([ply, at.comments.map(visible).filter(Boolean).join(" ")])).filter(([, text]) => text);
  return {
    tags: tags.filter(([, value]) => value && value !== "?"),
    ...(tree.isStandard ? {} : { fen: tree.root.fen }),
    moves: nodes.slice(1).map(({ uci }) => uci).join(" "),
    chances: review.percents.map((percent) => Math.round(STEPS * percent)),
    best: review.best.map((uci, ply) => (uci === "" ? "-" : uci === nodes[ply + 1]?.uci ? "=" : uci)).join(" "),
    book: review.moves.filter(({ book }) => book).length,
    ...(review.by && { by: review.by }),
    ...(comments.length > 0 && { comments }),
    ...(review.why?.some(Boolean) && { why: review.why }),
    ...(retry && { retry: nodes.indexOf(retry) }),
  };
}

/**
 * The game and its review; null if the data is none that `toLink` makes, as anybody can write a link.
 * @param {any} data @returns {{ tree: Tree, nodes: GameNode[], review: KeptReview, retry: GameNode | null } | null}
 */
export function fromLink(data) {
  const { tags, fen, moves, chances, best, book, by, comments = [], why, retry } = data ?? {};
  const isText = (/** @type {any} */ value) => typeof value === "string";
  const isPairOf = (/** @type {any} */ pair, /** @type {string} */ first) => Array.isArray(pair) && typeof pair[0] === first && isText(pair[1]);
  if (![moves, best].every(isText) || !Array.isArray(chances) || !chances.every(Number.isInteger) || !Array.isArray(tags) || !Array.isArray(comments)) return null;
  if (!tags.every((tag) => isPairOf(tag, "string") && TAGS.includes(tag[0])) || !comments.every((pair) => isPairOf(pair, "number"))) return null;
  if (why !== undefined && !(Array.isArray(why) && why.every(isText))) return null;
  if (by !== undefined && !(isText(by?.engine) && Number.isSafeInteger(by.nodes))) return null;
  try {
    const tree = new Tree(isText(fen) ? fen : undefined, new Map(tags));
    const nodes = [tree.root];
    for (const uci of moves.split(" ").filter(Boolean)) {
      const next = nodes[nodes.length - 1].play(uci);
      if (!next) return null;
      nodes.push(next);
    }
    const percents = chances.map((chance) => chance / STEPS);
    const theirs = best.split(" ").map((/** @type {string} */ uci, /** @type {number} */ ply) => (uci === "-" ? "" : uci === "=" ? (nodes[ply + 1]?.uci ?? "") : uci));
    if (percents.length !== nodes.length || theirs.length !== nodes.length || nodes.length < 2) return null;
    if (!percents.every((percent) => percent >= 0 && percent <= 100)) return null;
    for (const [ply, text] of comments) nodes[ply]?.comments.push(text.replaceAll("}", ")"));
    const reviewed = nodes.slice(1).map((at, ply) => {
      const legal = [...nodes[ply].position.allDests().values()].reduce((sum, dests) => sum + dests.size(), 0);
      return { mover: at.mover, before: percents[ply], after: percents[ply + 1], book: ply < book, only: legal === 1, best: theirs[ply] === at.uci };
    });
    return { tree, nodes, review: { percents, moves: reviewed, best: theirs, ...(why && { why }), ...(by && { by: { engine: by.engine, nodes: by.nodes } }) }, retry: nodes[retry] ?? null };
  } catch (error) {
    if (error instanceof ChessError) return null;
    throw error;
  }
}
