// Reading PGN without loss. chessops' parser skips what it does not know, and so turns the German `Sf3` into the pawn's
// move f3; this reader stops at the first thing that it cannot play and says where.

import { INITIAL_FEN } from "chessops/fen";
import { parseSan } from "chessops/san";
import { ChessError, readUci } from "./position.js";
import { GameNode, putFirst, Tree } from "./tree.js";

/** @typedef {{ line: number, text: string, where: string, tooLong?: boolean, variation?: boolean }} Problem a line of the text, what
 *   stands there, after which move; `variation` if only a variation ends there */
/** @typedef {{ headers: Map<string, string>, text: string, line: number, words: string }} RawGame `words` are what it is found by; `line` is that of its movetext's start */

const TAG = /^\s*\[\s*([A-Za-z0-9_+#=:-]+)\s+"(.*?)(?<!\\)"\s*\]/s;
/** A tag that has its line for itself may end in a backslash. */
const LONE_TAG = /^\s*\[\s*([A-Za-z0-9_+#=:-]+)\s+"(.*)"\s*\]\s*$/s;
const RESULT = /^(1-0|0-1|1\/2-1\/2|\*)$/;
const RESULT_AT_END = /(^|\s)(1-0|0-1|1\/2-1\/2|\*)\s*$/;
const VARIANTS = /^(standard|normal|chess|from position|chess ?960|fischer ?random(?: chess)?|fischerandom)$/i;

/** Signs that some programs write instead of NAGs. @type {Record<string, number>} */
const SIGNS = {
  "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "□": 7, "=": 10, "∞": 13, "+=": 14, "⩲": 14, "=+": 15, "⩱": 15,
  "+/-": 16, "±": 16, "-/+": 17, "∓": 17, "+-": 18, "+−": 18, "-+": 19, "−+": 19, "N": 146, "D": 220,
};
const SIGN = "\\+/-|-/\\+|\\+[-−=]|[-−=]\\+|[!?]{1,2}|[□=∞⩲⩱±∓]|[ND](?![A-Za-z0-9])";
const TOKEN = new RegExp(
  [
    "(?<space>\\s+)",
    "(?<brace>\\{)",
    "(?<rest>;[^\\n]*)",
    "(?<open>\\()",
    "(?<close>\\))",
    "\\$(?<nag>\\d+)",
    "(?<result>(?:1[-–—]0|0[-–—]1|1/2[-–—]1/2|½[-–—]½|\\*)(?![^\\s(){};]))",
    "(?<number>\\d+\\s*(?:\\.+|…|(?=[\\s.])))",
    "(?<dots>\\.+|…)",
    `(?<sign>${SIGN})`,
    "(?<nothing>e\\.p\\.|ep(?![a-z0-9])|<[^>]*>)",
    "(?<move>[^\\s(){};$!?□∞⩲⩱±∓]+(?:\\([QRBN]\\)[+#]?)?)",
  ].join("|"),
  "uy",
);

/** Characters of a game with its comments. */
export const LONGEST_GAME = 4e6;
/** Moves that a game may have: showing more takes a browser seconds. */
export const MOST_MOVES = 50_000;
/** Lines, and tokens, between two steps of a reader. */
const STEP = 500;
const TOKEN_STEP = 10;

/** Runs a reader to its end at once. @template T @param {Generator<void, T>} steps @returns {T} */
function atOnce(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * The tags that a line begins with, and what comes after them.
 * @param {string} line @returns {{ tags: [string, string][], rest: string }}
 */
function readTags(line) {
  /** @type {[string, string][]} */
  const tags = [];
  let rest = line;
  if (!/^\s*\[/.test(line)) return { tags, rest };
  for (let found = null; (found = TAG.exec(rest) ?? LONE_TAG.exec(rest)); rest = rest.slice(found[0].length)) {
    tags.push([found[1], found[2].replace(/\\(["\\])/g, "$1")]);
  }
  return { tags, rest };
}

/**
 * The games of a text, with their headers; the moves are read by `readGame`.
 * @param {string} text @returns {RawGame[]}
 */
export const splitGames = (text) => atOnce(splitSteps(text));

/** `splitGames` in small steps, so that a page can do other things between them. @param {string} text @returns {Generator<void, RawGame[]>} */
export function* splitSteps(text) {
  const hasReturns = text.includes("\r");
  /** @type {RawGame[]} */
  const games = [];
  /** @type {Map<string, string>} */
  let headers = new Map();
  /** Where the movetext begins, and in which line; -1 before it. */
  let [start, firstLine] = [-1, 0];
  let inComment = false;
  let ended = false;
  const finish = (/** @type {number} */ end, /** @type {number} */ number) => {
    if (start >= 0 || headers.size > 0) {
      const moves = start < 0 ? "" : text.slice(start, end);
      const words = ["White", "Black", "Event", "Date"].map((name) => headers.get(name) ?? "").join(" ").toLowerCase();
      games.push({ headers, text: hasReturns ? moves.replace(/\r\n?/g, "\n") : moves, line: start < 0 ? number : firstLine, words });
    }
    headers = new Map();
    start = -1;
    ended = false;
  };
  let number = 0;
  for (const { at, line } of linesOf(text, hasReturns)) {
    if (++number % STEP === 0) yield;
    if (!inComment && line.startsWith("%")) continue;
    const { tags, rest } = inComment ? { tags: [], rest: line } : readTags(line);
    if (tags.length > 0) {
      if (start >= 0) finish(at, number);
      for (const [name, value] of tags) headers.set(name, value);
    }
    if (rest.trim() === "") continue;
    if (ended && !inComment && !/^\s*[{;(]/.test(rest)) finish(at, number);
    // Moves may follow the tags on their line.
    if (start < 0) [start, firstLine] = [at + line.length - rest.length, number];
    inComment = commentOpen(rest, inComment);
    ended = !inComment && RESULT_AT_END.test(rest.slice(-20));
  }
  finish(text.length, number);
  return games;
}

/** The lines of a text one by one: all at once they would take a large one long. @param {string} text @param {boolean} hasReturns */
function* linesOf(text, hasReturns) {
  const ends = /\r\n|\n|\r/g;
  for (let at = text.startsWith("\ufeff") ? 1 : 0; ; ) {
    ends.lastIndex = at;
    const found = hasReturns ? ends.exec(text) : null;
    const end = hasReturns ? (found?.index ?? -1) : text.indexOf("\n", at);
    yield { at, line: text.slice(at, end < 0 ? text.length : end) };
    if (end < 0) return;
    at = end + (found ? found[0].length : 1);
  }
}

/** Whether a comment in braces is open at the end of a line. @param {string} line @param {boolean} open */
function commentOpen(line, open) {
  for (let at = 0; ; ) {
    const end = line.indexOf(open ? "}" : "{", at);
    if (end < 0) return open;
    const rest = open ? -1 : line.indexOf(";", at);
    if (rest >= 0 && rest < end) return false;
    at = end + 1;
    open = !open;
  }
}

/** What PGN writes for the unknown and for none. */
const UNKNOWN = /^\s*[?-]?\s*$/;

/** The tree of a game's headers. @param {Map<string, string>} headers @throws {ChessError} for other variants, bad FENs */
function emptyTree(headers) {
  for (const name of ["Variant", "FEN"]) if (UNKNOWN.test(headers.get(name) ?? "")) headers.delete(name);
  const variant = headers.get("Variant");
  if (variant !== undefined && !VARIANTS.test(variant.trim())) throw new ChessError(`This game is of another variant: ${variant}.`);
  return new Tree(headers.get("FEN") ?? INITIAL_FEN, headers);
}

/**
 * Reads a game as far as its moves are legal. A variation ends at its first bad move, and so does the game.
 * @param {RawGame} raw
 * @returns {{ tree: Tree, problems: Problem[] }}
 * @throws {ChessError} if there is no position to begin with
 */
export const readGame = (raw) => atOnce(readSteps(raw));

/**
 * `readGame` in small steps.
 * @param {RawGame} raw @param {number} [most] moves @returns {Generator<void, { tree: Tree, problems: Problem[] }>}
 * @throws {ChessError} as `readGame`
 */
export function* readSteps(raw, most = MOST_MOVES) {
  const tree = emptyTree(new Map(raw.headers));
  const reader = new Reader(tree, raw, most);
  yield* reader.read();
  return { tree, problems: reader.problems };
}

/** @typedef {{ node: GameNode, comments: string[], fresh: boolean, broken: boolean, own: boolean }} Level a line of moves being
 *   read; `own` if its last move is not one that another line had before */

class Reader {
  /** @param {Tree} tree @param {RawGame} raw @param {number} most */
  constructor(tree, raw, most) {
    this.tree = tree;
    this.raw = raw;
    this.text = raw.text;
    this.moves = 0;
    this.most = most;
    /** @type {Problem[]} */
    this.problems = [];
    /** @type {Level[]} */
    this.levels = [{ node: tree.root, comments: [], fresh: true, broken: false, own: true }];
  }

  get level() {
    return this.levels[this.levels.length - 1];
  }

  /** @returns {Generator<void, void>} */
  *read() {
    const text = this.text;
    let at = 0;
    for (let token = 1; at < text.length && this.moves <= this.most; token++) {
      if (token % TOKEN_STEP === 0) yield;
      at = this.token(text, at);
    }
  }

  /** Reads what stands at a place. @param {string} text @param {number} at @returns {number} the place behind it */
  token(text, at) {
    if (text[at] === "%" && (at === 0 || text[at - 1] === "\n")) {
      const end = text.indexOf("\n", at);
      return end < 0 ? text.length : end;
    }
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    if (!groups) {
      this.fail(at, text[at]);
      return at + 1;
    }
    const next = TOKEN.lastIndex;
    if (groups.brace) {
      const end = text.indexOf("}", at);
      this.comment(text.slice(at + 1, end < 0 ? text.length : end));
      return end < 0 ? text.length : end + 1;
    }
    if (groups.rest) this.comment(groups.rest.slice(1).replaceAll("}", ")"));
    else if (groups.open) this.open();
    else if (groups.close) this.close();
    else if (groups.nag) this.nag(Number(groups.nag));
    else if (groups.sign) this.nag(SIGNS[groups.sign]);
    else if (groups.result) this.result(groups.result);
    else if (groups.move) this.move(at, groups.move);
    return next;
  }

  open() {
    const { node, broken } = this.level;
    this.levels.push({ node: node.parent ?? node, comments: [], fresh: true, broken: broken || !node.parent, own: false });
  }

  close() {
    if (this.levels.length > 1) this.levels.pop();
  }

  /** @param {string} raw */
  comment(raw) {
    const text = raw.replace(/^[ \t]/, "").replace(/[ \t]$/, "");
    const { node, fresh, comments, broken } = this.level;
    if (broken || text === "") return;
    if (fresh && node.parent === null && this.levels.length === 1) node.comments.push(text);
    else if (fresh) comments.push(text);
    else node.comments.push(text);
  }

  /** @param {number} nag */
  nag(nag) {
    const { node, fresh, broken } = this.level;
    if (!broken && !fresh && nag > 0 && nag < 256) node.nags.push(nag);
  }

  /** @param {string} text */
  result(text) {
    const result = text.replace(/[–—]/g, "-").replace("½-½", "1/2-1/2");
    if (this.levels.length > 1 || !RESULT.test(result)) return;
    if (!RESULT.test(this.tree.headers.get("Result") ?? "") || result !== "*") this.tree.headers.set("Result", result);
  }

  /** @param {number} at @param {string} text */
  move(at, text) {
    const level = this.level;
    if (level.broken) return;
    if (++this.moves > this.most) return this.fail(at, text, true);
    const known = level.node.children.length;
    const child = playSan(level.node, text);
    if (!child) return this.fail(at, text);
    // A variation may begin with the moves of the line that it leaves. What it adds to them is read before that line goes on,
    // and does not become its main line.
    if (level.own) putFirst(child);
    else level.own = level.node.children.length > known;
    if (level.fresh) child.startingComments.push(...level.comments);
    level.node = child;
    level.fresh = false;
  }

  /** @param {number} at @param {string} text @param {boolean} [tooLong] */
  fail(at, text, tooLong) {
    const { node, broken } = this.level;
    if (broken) return;
    this.level.broken = true;
    const line = this.raw.line + this.text.slice(0, at).split("\n").length - 1;
    const where = node.parent ? `after ${node.moveNumber}${node.mover === "white" ? "." : "…"} ${node.san}` : "at the start";
    const kind = tooLong ? { tooLong } : this.levels.length > 1 ? { variation: true } : {};
    this.problems.push({ line, text, where, ...kind });
  }
}

/** Figurines, of either color, and the letters for them: a pawn has none. */
const FIGURINES = "♔♕♖♗♘♙♚♛♜♝♞♟";
const LETTERS = "KQRBN";

/** @param {string} text */
const withLetters = (text) => text.replace(/([♔-♟])\ufe0e?/gu, (_, figurine) => LETTERS[FIGURINES.indexOf(figurine) % 6] ?? "");

/** Whether a text has the form of a move, legal or not, in a notation that is read here. @param {string} text */
export function isMoveText(text) {
  return /^([KQRBN]?[a-h]?[1-8]?[-–x:×]?[a-h][1-8]([=/(]?[QRBNqrbn]\)?)?|[0Oo]([-–—]?[0Oo]){1,2})(e\.p\.)?[+#]*$/.test(withLetters(text));
}

/**
 * The child for a move in algebraic notation, as programs write it: standard or long, with letters or figurines, or by the
 * squares alone; null if it is not legal.
 * @param {GameNode} node @param {string} text @returns {GameNode | null}
 */
export function playSan(node, text) {
  if (/^(--|Z0|0000|@@@@|null)$/.test(text)) return node.pass();
  let san = withLetters(text).replace(/[+#]+$/, "").replace(/e\.p\.$/, "");
  if (/^[0Oo][-–—]?[0Oo]([-–—]?[0Oo])?$/.test(san)) san = san.replace(/[^0Oo]/g, "").length === 3 ? "O-O-O" : "O-O";
  else san = san.replace(/[:×]/g, "x").replace(/\(([QRBN])\)$/, "=$1").replace(/\/([QRBN])$/, "=$1").replace(/^P(?=[a-h])/, "");
  const before = node.position;
  const squares = /^[a-h][1-8][-–x]?[a-h][1-8][=/]?[QRBNqrbn]?$/.test(san);
  const move = parseSan(before, san.replace("–", "-")) ?? (squares ? readUci(before, san.replace(/[-–x=/]/g, "").toLowerCase()) : undefined);
  return move ? node.playMove(before, move) : null;
}
