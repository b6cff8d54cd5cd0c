// The game on the board: positions, moves and their notation, by chessops.

import { Chess, normalizeMove } from "chessops/chess";
import { chessgroundDests } from "chessops/compat";
import { INITIAL_FEN, makeFen, parseFen } from "chessops/fen";
import { defaultGame, defaultHeaders, extend, makePgn, parsePgn, startingPosition } from "chessops/pgn";
import { makeSanAndPlay, parseSan } from "chessops/san";
import { makeUci, parseSquare, parseUci } from "chessops/util";

export class Game {
  /** Throws if the FEN is not that of a legal position. */
  constructor(fen = INITIAL_FEN) {
    this.positions = [Chess.fromSetup(parseFen(fen).unwrap()).unwrap()];
    this.moves = [];
    this.sans = [];
  }

  static fromPgn(text) {
    const [pgn] = parsePgn(text);
    if (!pgn) throw new Error("no game");
    const game = new Game(makeFen(startingPosition(pgn.headers).unwrap().toSetup()));
    for (const node of pgn.moves.mainline()) {
      const move = parseSan(game.position, node.san);
      if (!move) throw new Error(`no legal move: ${node.san}`);
      game.play(move);
    }
    return game;
  }

  get position() {
    return this.positions[this.positions.length - 1];
  }

  get fen() {
    return makeFen(this.position.toSetup());
  }

  get turn() {
    return this.position.turn;
  }

  get dests() {
    return this.isOver ? new Map() : chessgroundDests(this.position);
  }

  /** The arguments of the UCI command `position`. */
  get uci() {
    const fen = makeFen(this.positions[0].toSetup());
    return `fen ${fen}${this.moves.length > 0 ? " moves " : ""}${this.moves.map(makeUci).join(" ")}`;
  }

  get isOver() {
    return this.result !== "*";
  }

  get result() {
    const outcome = this.position.outcome();
    if (outcome) return { white: "1-0", black: "0-1" }[outcome.winner] ?? "1/2-1/2";
    return this.isRepeated || this.position.halfmoves >= 100 ? "1/2-1/2" : "*";
  }

  /** True if the position is on the board for the third time. */
  get isRepeated() {
    const key = (position) => makeFen(position.toSetup()).split(" ").slice(0, 4).join(" ");
    return this.positions.filter((position) => key(position) === key(this.position)).length >= 3;
  }

  /** The squares of the last move, for the board. */
  get lastMove() {
    const uci = this.moves.length > 0 ? makeUci(this.moves[this.moves.length - 1]) : "";
    return uci ? [uci.slice(0, 2), uci.slice(2, 4)] : undefined;
  }

  /** Plays a legal move. */
  play(move) {
    const next = this.position.clone();
    this.moves.push(normalizeMove(this.position, move));
    this.sans.push(makeSanAndPlay(next, this.moves[this.moves.length - 1]));
    this.positions.push(next);
  }

  /** Plays a legal move in the notation of UCI; returns false if it is not legal. */
  playUci(text) {
    const move = parseUci(text);
    if (!move || !this.position.isLegal(normalizeMove(this.position, move))) return false;
    this.play(move);
    return true;
  }

  /** True if a move between these squares is a promotion. */
  isPromotion(from, to) {
    return this.position.board.getRole(parseSquare(from)) === "pawn" && /[18]/.test(to);
  }

  undo(count) {
    for (let i = 0; i < count && this.moves.length > 0; i++) {
      [this.moves, this.sans, this.positions].forEach((list) => list.pop());
    }
  }

  /** A line of UCI moves from this position in standard algebraic notation, as far as it is legal. */
  line(moves) {
    const position = this.position.clone();
    let text = "";
    for (const uci of moves) {
      const move = parseUci(uci);
      if (!move || !position.isLegal(move)) break;
      const number = position.fullmoves;
      if (position.turn === "white") text += `${number}. `;
      else if (text === "") text += `${number}... `;
      text += `${makeSanAndPlay(position, move)} `;
    }
    return text.trim();
  }

  pgn(players) {
    const start = makeFen(this.positions[0].toSetup());
    const headers = defaultHeaders();
    headers.set("Event", "Sleight");
    headers.set("Date", new Date().toISOString().slice(0, 10).replaceAll("-", "."));
    Object.entries(players).forEach(([name, value]) => headers.set(name, value));
    headers.set("Result", this.result);
    if (start !== INITIAL_FEN) headers.set("SetUp", "1").set("FEN", start);
    const game = defaultGame(() => headers);
    extend(game.moves, this.sans.map((san) => ({ san })));
    return makePgn(game);
  }
}
