// Writing PGN: chessops' writer over the game's tree.

import { ChildNode, defaultGame, makePgn } from "chessops/pgn";
import { isChess960 } from "./position.js";

/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {import("./tree.js").GameNode} GameNode */

const SEVEN = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/**
 * A game as PGN, with everything that was read or added.
 * @param {Tree} tree @param {boolean} [plain] without variations, comments and glyphs
 * @param {string[]} [moves] of the game itself, in the notation of UCI, which `plain` writes: analysis after the end of a game
 *   is on its main line too
 */
export function writePgn(tree, plain = false, moves) {
  /** @type {import("chessops/pgn").Game<import("chessops/pgn").PgnNodeData>} */
  const game = defaultGame(() => headersOf(tree));
  if (!plain) game.comments = tree.root.comments;
  const line = plain ? new Set((moves ? tree.find(moves) : tree.end).path()) : null;
  /** @type {{ from: GameNode, to: import("chessops/pgn").Node<import("chessops/pgn").PgnNodeData> }[]} */
  const waiting = [{ from: tree.root, to: game.moves }];
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    for (const child of pair.from.children) {
      if (line && !line.has(child)) continue;
      const { san, comments, startingComments, nags } = child;
      const written = new ChildNode(plain ? { san } : { san, comments, startingComments, nags });
      pair.to.children.push(written);
      waiting.push({ from: child, to: written });
    }
  }
  return makePgn(game);
}

/** @param {Tree} tree */
function headersOf(tree) {
  const missing = (/** @type {string} */ name) => ({ Date: "????.??.??", Result: "*" })[name] ?? "?";
  // The roster of seven comes first, unless a file has all of it in its own order.
  const roster = SEVEN.every((name) => tree.headers.has(name)) ? [] : SEVEN;
  const headers = new Map(/** @type {[string, string][]} */ ([...roster.map((name) => [name, tree.headers.get(name) ?? missing(name)]), ...tree.headers]));
  if (!tree.isStandard) {
    if (!headers.has("SetUp")) headers.set("SetUp", "1");
    if (!headers.has("FEN")) headers.set("FEN", tree.root.fen);
    if (!headers.has("Variant") && isChess960(tree.root.position)) headers.set("Variant", "Chess960");
  }
  // A tag is one line, and a link can hold others.
  return new Map([...headers].map(([name, value]) => [name, value.replace(/[\r\n\u2028\u2029]+/g, " ")]));
}

/** The day where the user is, as the tag `Date` has it. @param {Date} date */
export function dateTag(date) {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((number) => String(number).padStart(2, "0")).join(".");
}

/** The name of a game's file, in letters of any alphabet. @param {Map<string, string>} headers */
export function fileName(headers) {
  const words = [headers.get("White") ?? "game", headers.get("Black") ?? ""].join(" ").match(/[\p{L}\p{M}\p{N}_]+/gu);
  return `${(words ?? ["game"]).join("-")}.pgn`;
}
