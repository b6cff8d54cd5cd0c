// The game: a tree of positions. The first child of a node is its main line, the others are variations.

import { Chess } from "chessops/chess";
import { INITIAL_FEN } from "chessops/fen";
import { makeSanAndPlay } from "chessops/san";
import { makeUci } from "chessops/util";
import { fenOf, readFen, readUci, squaresOf } from "./position.js";

/** @typedef {import("../engine-queue/uci.js").Line} Line */

let nextId = 1;
/** The position asked for last: reading a FEN takes longer than a copy. @type {{ node: GameNode, position: Chess } | null} */
let recent = null;

/** The position after a side passes; null in check. @param {Chess} position */
export function passedFen(position) {
  if (position.isCheck()) return null;
  const passed = position.clone();
  passed.epSquare = undefined;
  if (passed.turn === "black") passed.fullmoves++;
  passed.turn = position.turn === "white" ? "black" : "white";
  return fenOf(passed);
}

/** A position and the move that led to it. */
export class GameNode {
  /** @type {number} */
  ply;

  /**
   * @param {GameNode | null} parent @param {string} fen @param {string} uci @param {string} san
   * @param {string[]} squares of the move, for the board
   */
  constructor(parent, fen, uci = "", san = "", squares = []) {
    this.id = nextId++;
    this.parent = parent;
    this.fen = fen;
    this.uci = uci;
    this.san = san;
    this.squares = squares;
    /** Half moves from the start of the game. */
    this.ply = /** @type {number} */ (parent ? parent.ply + 1 : 0);
    /** @type {GameNode[]} */
    this.children = [];
    /** Comments before the first move of a variation. @type {string[]} */
    this.startingComments = [];
    /** @type {string[]} */
    this.comments = [];
    /** @type {number[]} */
    this.nags = [];
    /** What the engine found: lines by index, best first, and after how long. @type {{ lines: Line[], depth: number, seconds?: number } | null} */
    this.analysis = null;
  }

  /** @returns {Chess} */
  get position() {
    if (recent?.node !== this) recent = { node: this, position: readFen(this.fen) };
    return recent.position.clone();
  }

  get turn() {
    return this.fen.split(" ", 2)[1] === "w" ? /** @type {const} */ ("white") : /** @type {const} */ ("black");
  }

  /** The number of the move that led here, as it is counted in the FEN. */
  get moveNumber() {
    return Number(this.fen.split(" ")[5]) - (this.turn === "white" ? 1 : 0);
  }

  /** The side that made the move which led here. */
  get mover() {
    return this.turn === "white" ? /** @type {const} */ ("black") : /** @type {const} */ ("white");
  }

  /** @returns {GameNode[]} the nodes from the start, without it, to this one */
  path() {
    const nodes = [];
    for (let node = /** @type {GameNode} */ (this); node.parent; node = node.parent) nodes.push(node);
    return nodes.reverse();
  }

  /** @returns {GameNode[]} this node and the main line after it */
  mainline() {
    const nodes = [/** @type {GameNode} */ (this)];
    while (nodes[nodes.length - 1].children.length > 0) nodes.push(nodes[nodes.length - 1].children[0]);
    return nodes;
  }

  get isMainline() {
    for (let node = /** @type {GameNode} */ (this); node.parent; node = node.parent) {
      if (node.parent.children[0] !== node) return false;
    }
    return true;
  }

  /**
   * The child for a move in the notation of UCI, made if there is none; null if the move is not legal.
   * @param {string} uci @returns {GameNode | null}
   */
  play(uci) {
    const before = this.position;
    const move = readUci(before, uci);
    return move ? this.playMove(before, move) : null;
  }

  /**
   * @param {Chess} before this node's position @param {import("chessops/types").Move} move legal, castling as king takes rook
   * @returns {GameNode}
   */
  playMove(before, move) {
    const uci = makeUci(move);
    const known = this.children.find((child) => child.uci === uci);
    if (known) return known;
    const after = before.clone();
    const squares = squaresOf(before, move);
    const san = makeSanAndPlay(after, move);
    const child = this.add(new GameNode(this, fenOf(after), uci, san, squares));
    recent = { node: child, position: after };
    return child;
  }

  /** The child after a null move, in which a side passes; null in check. @returns {GameNode | null} */
  pass() {
    const fen = passedFen(this.position);
    if (fen === null) return null;
    return this.children.find((child) => child.san === "--") ?? this.add(new GameNode(this, fen, "0000", "--"));
  }

  /** @param {GameNode} child */
  add(child) {
    this.children.push(child);
    return child;
  }
}

/** A game with its headers. */
export class Tree {
  /** @param {string} [fen] of the start @param {Map<string, string>} [headers] */
  constructor(fen = INITIAL_FEN, headers = new Map()) {
    this.root = new GameNode(null, fenOf(readFen(fen)));
    this.headers = headers;
  }

  /** True if the game starts from the ordinary position. */
  get isStandard() {
    return this.root.fen === INITIAL_FEN;
  }

  /** @returns {GameNode} the end of the main line */
  get end() {
    return /** @type {GameNode} */ (this.root.mainline().at(-1));
  }

  /** All nodes, parents before children. @returns {Generator<GameNode>} */
  *nodes() {
    const waiting = [this.root];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      yield node;
      for (let at = node.children.length - 1; at >= 0; at--) waiting.push(node.children[at]);
    }
  }

  /** The node that moves in the notation of UCI lead to, as far as they are in the tree. @param {string[]} path */
  find(path) {
    let node = this.root;
    for (const uci of path) {
      const child = node.children.find((other) => other.uci === uci);
      if (!child) break;
      node = child;
    }
    return node;
  }
}

/** Takes a node and all after it out of the tree. @param {GameNode} node */
export function remove(node) {
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  if (at >= 0) siblings.splice(at, 1);
}

/** Puts a node back where `remove` took it from. @param {GameNode} node @param {number} at */
export function restore(node, at) {
  node.parent?.children.splice(at, 0, node);
}

/** Makes a node's move the main line at its fork. @param {GameNode} node */
export function putFirst(node) {
  remove(node);
  restore(node, 0);
}

/**
 * Makes the variation that the node is in the first at its fork, or the node's whole line the main line.
 * @param {GameNode} node @param {boolean} toMainline
 */
export function promote(node, toMainline) {
  for (let at = node; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    if (siblings[0] === at) continue;
    // A move that is tried out is in no tree.
    if (!siblings.includes(at)) return;
    putFirst(at);
    if (!toMainline) return;
  }
}

/**
 * The arguments of the UCI command `position`. It starts after the last null move, which UCI does not have.
 * @param {GameNode} node
 */
export function uciPosition(node) {
  const path = node.path();
  const pass = path.findLastIndex(({ uci }) => uci === "0000");
  const start = pass < 0 ? (path[0]?.parent ?? node) : path[pass];
  const moves = path.slice(pass + 1).map(({ uci }) => uci);
  return `fen ${start.fen}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;
}
