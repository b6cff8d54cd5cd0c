// A reviewed game as small data for a link: moves, chances, the engine's moves, and the mistake to try again.

import { makeUci } from "chessops/util";
import { ChessError } from "../chess/position.js";
import { Tree } from "../chess/tree.js";
import { CURVE, scoreOf, winPercent } from "./accuracy.js";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */
/** @typedef {import("./judge.js").KeptReview} KeptReview */
/**
 * @typedef {object} Linked
 * @property {[string, string][]} tags
 * @property {string} [fen] of a start that is not the ordinary one
 * @property {string} moves a sign for each, as `sign` has it
 * @property {number[]} scores White's, in centipawns, and `MATE` beyond them
 * @property {string} best the engine's moves, a sign for each
 * @property {number} book half moves of known openings
 * @property {import("./judge.js").ReviewedBy} [by]
 * @property {[number, string][]} [comments] by half move
 * @property {string[]} [why] what is wrong with each move, "" where nothing is said
 * @property {number} [retry] the half move to find a better one for
 */

const TAGS = ["Event", "Site", "Date", "White", "Black", "Result", "WhiteElo", "BlackElo", "Variant", "TimeControl", "Termination"];
const LONGEST_TAG = 80;
const MATE = 1001;
/** Half moves of a game that a link may hold: each is checked at once, and anybody can write a link. */
export const LONGEST_LINK = 2000;

/** The signs of no move, of the one that was played, and of a null move. Others are those of the legal moves, from `FIRST` on. */
const [NONE, SAME, PASS] = " !#";
const FIRST = 36;

/** The legal moves of a position in the notation of UCI, in the same order everywhere. @param {GameNode} at */
function legalMoves(at) {
  const position = at.position;
  return [...position.allDests()].flatMap(([from, dests]) => [...dests].flatMap((to) => {
    const becomes = position.board.getRole(from) === "pawn" && (to < 8 || to > 55);
    return becomes ? (/** @type {const} */ (["queen", "rook", "bishop", "knight"])).map((promotion) => makeUci({ from, to, promotion })) : [makeUci({ from, to })];
  }));
}

/** A move as one sign. @param {GameNode} at the position before it @param {string} uci */
function sign(at, uci) {
  const index = legalMoves(at).indexOf(uci);
  return index >= 0 ? String.fromCharCode(FIRST + index) : uci === "0000" ? PASS : NONE;
}

/** The move of a sign; undefined if there is none such. @param {GameNode} at @param {string} found */
const moveOf = (at, found) => legalMoves(at)[found.charCodeAt(0) - FIRST];

/** White's chances as the number of a score. @param {number} percent */
function numberOf(percent) {
  const score = scoreOf(percent);
  return "mate" in score ? MATE * score.mate : score.cp;
}

/** The chances of such a number. @param {number} score */
const percentOf = (score) => winPercent(Math.abs(score) === MATE ? { mate: score } : { cp: score }, "white");

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
    moves: nodes.slice(1).map(({ uci }, ply) => sign(nodes[ply], uci)).join(""),
    scores: review.percents.map(numberOf),
    best: review.best.map((uci, ply) => (uci !== "" && uci === nodes[ply + 1]?.uci ? SAME : sign(nodes[ply], uci))).join(""),
    book: review.moves.filter(({ book }) => book).length,
    ...(review.by && { by: review.by }),
    ...(comments.length > 0 && { comments }),
    ...(review.why?.some(Boolean) && { why: review.why }),
    ...(retry && { retry: nodes.indexOf(retry) }),
  };
}

/**
 * The game and its review; null if the data is none that `toLink` makes, as anybody can write a link. Older versions shared the
 * engine's own chances, by which nothing is judged now: the game of their links is without a review.
 * @param {any} data @returns {{ tree: Tree, nodes: GameNode[], review: KeptReview | null, retry: GameNode | null } | null}
 * @throws {ChessError} if the game is too long
 */
export function fromLink(data) {
  const { tags, fen, moves, chances, scores = chances, best, book, by, comments = [], why, retry } = data ?? {};
  const isText = (/** @type {any} */ value) => typeof value === "string";
  const isPairOf = (/** @type {any} */ pair, /** @type {string} */ first) => Array.isArray(pair) && typeof pair[0] === first && isText(pair[1]);
  if (![moves, best].every(isText) || !Array.isArray(scores) || !scores.every(Number.isInteger) || !Array.isArray(tags) || !Array.isArray(comments)) return null;
  if (!tags.every((tag) => isPairOf(tag, "string") && TAGS.includes(tag[0])) || !comments.every((pair) => isPairOf(pair, "number"))) return null;
  if (why !== undefined && !(Array.isArray(why) && why.every(isText))) return null;
  if (by !== undefined && !(isText(by?.engine) && Number.isSafeInteger(by.nodes))) return null;
  if (moves.length > LONGEST_LINK) throw new ChessError(`The game in this link is too long. Reviewed games are read up to ${LONGEST_LINK.toLocaleString("en")} half moves.`);
  try {
    const tree = new Tree(isText(fen) ? fen : undefined, new Map(tags));
    const nodes = [tree.root];
    for (const found of moves) {
      const last = nodes[nodes.length - 1];
      const next = found === PASS ? last.pass() : last.play(moveOf(last, found) ?? "");
      if (!next) return null;
      nodes.push(next);
    }
    if (scores.length !== nodes.length || best.length !== nodes.length || nodes.length < 2) return null;
    const theirs = nodes.map((at, ply) => (best[ply] === SAME ? (nodes[ply + 1]?.uci ?? "") : (moveOf(at, best[ply]) ?? "")));
    for (const [ply, text] of comments) nodes[ply]?.comments.push(text.replaceAll("}", ")"));
    if (scores === chances) return { tree, nodes, review: null, retry: null };
    if (!scores.every((/** @type {number} */ score) => Math.abs(score) <= MATE)) return null;
    const percents = scores.map(percentOf);
    const reviewed = nodes.slice(1).map((at, ply) => {
      const legal = [...nodes[ply].position.allDests().values()].reduce((sum, dests) => sum + dests.size(), 0);
      return { mover: at.mover, before: percents[ply], after: percents[ply + 1], book: ply < book, only: legal === 1, best: theirs[ply] === at.uci };
    });
    return { tree, nodes, review: { curve: CURVE, percents, moves: reviewed, best: theirs, line: nodes.slice(1).map(({ uci }) => uci), ...(why && { why }), ...(by && { by: { engine: by.engine, nodes: by.nodes } }) }, retry: nodes[retry] ?? null };
  } catch (error) {
    if (error instanceof ChessError) return null;
    throw error;
  }
}
