// Why a move is bad: each pattern where it holds, and silence where it does not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readFen } from "../../src/chess/position.js";
import { balance, exchange } from "../../src/review/exchange.js";
import { why } from "../../src/review/why.js";
import { parseSquare } from "chessops/util";

const ask = (fen, move, best, reply, scores = {}) => why({ position: readFen(fen), move, best: best.split(" "), reply: reply.split(" ").filter(Boolean), ...scores });

test("exchanges: with the least piece first, both sides free to stop, and pins counted", () => {
  const gain = (fen, square) => exchange(readFen(fen), parseSquare(square));
  assert.equal(gain("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5"), 1);
  assert.equal(gain("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "d5"), 0);
  assert.equal(gain("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d5"), 0, "a rook for a pawn is no gain");
  assert.equal(gain("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1", "d5"), 2);
  assert.equal(gain("2k5/8/2p5/3n4/8/8/2R5/3RK3 w - - 0 1", "d5"), 3, "the pawn c6 is pinned");
  assert.equal(gain("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "d5"), 0);
  assert.equal(balance(readFen("4k2q/8/8/8/8/8/P7/R3K3 w - - 0 1"), "white"), -3);
});

test("mate is allowed or missed only where the line ends in it", () => {
  const fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
  assert.equal(ask(fool, "g2g4", "e2e4", "d8h4", { score: { cp: 0 }, replyScore: { mate: 1 } }), "It allows mate: 2… Qh4#.");
  assert.equal(ask(fool, "g2g4", "e2e4", "d8g5", { score: { cp: 0 }, replyScore: { mate: 1 } }), "", "no mate on the board");
  assert.equal(ask(fool, "g2g4", "e2e4", "d8h4", { score: { mate: -2 }, replyScore: { mate: 1 } }), "", "it was mate before");
  const rooks = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";
  assert.equal(ask(rooks, "g1f1", "a2a7 h8g8 b1b8", "h8g8", { score: { mate: 2 }, replyScore: { cp: -900 } }), "It misses mate in 2, beginning with 1. Ra7.");
  assert.equal(ask(rooks, "g1f1", "a2a7 h8g8 b1b8", "h8g8", { score: { mate: 2 }, replyScore: { mate: -3 } }), "", "it still mates");
});

test("stalemate", () => {
  assert.equal(ask("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", "f1f8", "", { score: { cp: 900 }, replyScore: null }), "It is stalemate.");
});

test("a piece that can be taken", () => {
  const fen = "r3k3/8/8/8/8/2N5/8/4K3 w - - 0 1";
  assert.equal(ask(fen, "c3a4", "c3d5 e8f8 e1d2", "a8a4 e1d2 e8f8", {}), "It hangs the knight on a4: 1… Rxa4.");
  assert.equal(ask("r3k3/8/8/8/1P6/2N5/8/4K3 w - - 0 1", "c3d5", "b4b5", "a8a4 e1d2", {}), "", "no capture");
  assert.equal(ask("4k3/2p5/3p4/8/2N5/8/8/4K3 w - - 0 1", "c4d6", "c4e3 e8f8", "c7d6 e1d2 e8f8", {}), "It gives the knight for a pawn: 1… cxd6.");
  assert.equal(ask("4k3/8/8/8/2n5/8/3P4/R3K3 w - - 0 1", "a1a3", "d2d3 c4d6", "c4a3 e1d1 e8e7", {}), "It hangs the rook on a3: 1… Nxa3.");
  assert.equal(ask("4k3/8/8/8/2n5/8/1P1P4/R3K3 w - - 0 1", "a1a3", "d2d3 c4d6 e1e2", "c4a3 b2a3 e8e7", {}), "It loses the rook on a3 for a knight: 1… Nxa3.");
  assert.equal(ask(fen, "c3a4", "c3d5 e8d7 e1d2 a8a1 d2d3 a1a5 d3c4 a5d5 c4b4", "a8a4 e1d2 e8f8", {}), "", "the better line loses as much");
});

test("an exchange is no loss, and what was got for a piece is said", () => {
  const queens = ["1r3rk1/p4pp1/3Q1q1p/4p3/8/P3B3/bPP2PPP/2KR3R b - - 2 21", "f6d6", "a2e6 h1e1 b8c8 e3a7 e6f5 d6f6 c8c2 c1b1 g7f6 g2g4", "d1d6 f8c8 e3a7 b8a8 a7e3 a2b3 d6d2 f7f6 h1d1 g8h7"];
  assert.equal(ask(...queens), "", "queen for queen");
  const pawns = ["r1bqkb1r/p4ppp/2np1n2/1p2p3/2pPP3/1PN2N2/PBP1BPPP/R2QK2R b KQkq d3 0 9", "e5d4", "b5b4 c3d5 c4c3 b2c1 f6e4 e2b5 c8d7 d1e2 e4f6 b5c6", "f3d4 c6d4 d1d4 b5b4 c3d5 c4c3 b2c1 f8e7 d5b4 e8h8"];
  assert.equal(ask(...pawns), "", "pawn for pawn");
  const rook = ["r2q1rk1/1p3ppn/p7/3np3/1P5R/P1NP4/2Q1K1B1/R1B5 w - - 0 23", "c3d5", "h4c4 h7f6 c3d5 f6d5 c1d2 f8e8 g2d5 d8d5 a1g1 e5e4", "d8h4 c1e3 a8c8 c2d2 h4g4 g2f3 g4e6 a1h1 f8d8 f3e4"];
  assert.equal(ask(...rook), "It gives the rook for a knight: 23… Qxh4.");
});

test("what is lost after the better move, too, is no reason", () => {
  const queen = ["r3k1nr/1ppq1pp1/4p2p/p2p1b2/1b1P3B/N3PN2/PP1Q1PPP/R3KB1R w KQkq - 0 10", "a1d1", "f3e5 b4d2 e1d2 d7c8 a3b5 g8e7 a1c1 e7c6 e5c6 b7c6 c1c6 e8h8", "b4d2 f3d2 a5a4 h4g3 c7c6 e3e4 f5e4 d2e4 d5e4 a3c4 g8e7 c4d6"];
  assert.equal(ask(...queen), "");
  const pawn = ["4r1k1/pp3pp1/2p5/7p/4N3/2q1PP2/6RP/7K w - - 0 28", "e4g5", "e4c3 e8e3 g2c2 e3f3 c3e4 f3d3 c2a2 d3d4 e4g3 a7a6 g3h5 d4d1", "e8e3 g2f2 c3e1 h1g2 e3e2 g5e4 e2f2 e4f2 h5h4 h2h3 a7a5 f2e4"];
  assert.equal(ask(...pawn), "");
});

test("of several reasons the one that costs most is said", () => {
  const fork = ["r1b1kbnr/p1p2ppp/2p5/8/4B3/8/PPP2PPP/RNBK3R b kq - 0 8", "c8e6", "c8g4 f2f3 e8a8 c1d2 g4d7 b1c3 g8f6 e4d3 f8c5 c3a4 c5d6 d2e3", "e4c6 e8d8 c6a8 g8f6 c1e3 f6g4 e3a7 d8c8 a8f3 f8d6 f3g4 e6g4"];
  assert.equal(ask(...fork), "It allows a fork: 9. Bxc6+ attacks the king and the rook on a8.", "not the pawn that is taken on the way");
  const rook = ["2r3k1/pp3pp1/4p2p/3pQ3/Pr1P4/2P1R3/2q2PPP/R5K1 w - - 0 30", "a1e1", "c3b4 c8c4 h2h3 g7g5 e3e1 c2b2 a4a5 a7a6 b4b5 a6b5 a1b1 b2d4", "c8c3 e3g3 c3g3 h2g3 c2c8 e1a1 a7a5 g3g4 b7b6 g4g5 h6g5 e5g5"];
  assert.equal(ask(...rook), "It misses 30. cxb4, winning the rook on b4.", "a rook more than a pawn");
  const missed = ["r2q1rk1/3pbp1p/bpn1p1p1/pN2P3/4Q1n1/1P3N2/PBP2PPP/2KR1B1R b - - 3 15", "h7h5", "g4f2 e4e3 f2h1 b5d6 a6f1 d1f1 f7f6 f1h1 e7d6 e5d6 a5a4 h1d1", "d1d2 e7c5 e4e1 f7f6 e5f6 g4f6 f3h4 f6g4 h4g6 f8f2 d2f2 g4f2"];
  assert.equal(ask(...missed), "It misses a fork: 15… Nxf2 attacks the queen on e4 and the rook on h1.");
});

test("a fork, a skewer, a pin and a discovered attack of the line", () => {
  assert.equal(ask("4k3/8/8/8/1n6/8/7P/R3K3 w - - 0 1", "h2h3", "a1c1 e8e7", "b4c2 e1d2 c2a1 d2c1 e8e7", {}), "It allows a fork: 1… Nc2+ attacks the king and the rook on a1.");
  assert.equal(ask("r3k3/8/8/8/8/8/8/Q2K4 w - - 0 1", "d1c1", "a1a8 e8e7", "a8a1 c1d2 e8e7", {}), "It hangs the queen on a1: 1… Rxa1+.");
  assert.equal(ask("4k2r/8/8/8/8/3K4/8/Q7 w - - 0 1", "d3e4", "a1h8 e8e7 d3e4", "h8h5 e4d4 e8f7", {}), "It misses 1. Qxh8+, winning the rook on h8.");
  assert.equal(ask("4k2b/8/7r/8/8/2K5/8/Q7 w - - 0 1", "c3d4", "c3b4 h8a1", "h6h4 d4d3 h4h3", {}), "", "the line wins nothing");
  assert.equal(ask("4k1b1/5r2/8/8/8/2K5/1Q6/8 w - - 0 1", "c3d4", "c3d2 e8d8 d2c1", "f7f4 d4e3 g8a2", {}), "", "nothing is won");
  assert.equal(ask("6k1/6b1/8/8/4K3/8/8/Q7 w - - 0 1", "e4d4", "a1a8 g8f7 e4d3", "g8f7 d4d3 g7a1 d3c2", {}), "", "what was attacked is no tactic of the quiet move");
  assert.equal(ask("6k1/5b2/8/8/8/1K6/8/6NR w - - 0 1", "b3c2", "b3c3 f7d5 c3d4", "f7g6 c2d2 g6b1", {}), "");
});

test("a skewer: the king or a dearer piece in front, what is taken behind it", () => {
  const rank = "r5k1/8/8/8/7Q/3K4/8/8 w - - 0 1";
  assert.equal(ask(rank, "d3d4", "d3c2 g8f7 c2d2", "a8a4 d4e3 a4h4 e3f3", {}), "It allows a skewer: 1… Ra4+ attacks the king and, behind it, the queen on h4.");
  const diagonal = "6k1/8/1b6/8/8/8/3Q4/5K1R w - - 0 1";
  assert.equal(ask(diagonal, "d2d4", "d2e2 g8f7 f1g2", "b6d4 h1h3 g8f7", {}), "It hangs the queen on d4: 1… Bxd4.", "a capture is no skewer");
  assert.equal(ask("r5k1/8/8/8/7Q/3K4/8/8 b - - 0 1", "g8g7", "a8a4 d3c3 a4h4 c3d3", "h4h2 g7f7 h2a2", {}), "", "the king stands elsewhere");
  assert.equal(ask("r5k1/8/8/8/3K3Q/8/8/8 b - - 0 1", "g8g7", "a8a4 d4e3 a4h4 e3f3", "d4e3 g7f7 e3f3", {}), "It misses a skewer: 1… Ra4+ attacks the king and, behind it, the queen on h4.");
  assert.equal(ask("r5k1/8/8/8/7Q/3N4/8/K7 w - - 0 1", "d3b4", "a1b1 g8f7 b1c1", "a8a4 a1b1 a4b4 h4b4 g8f7", {}), "", "a knight in front of a queen is no skewer");
});

test("a tactic that the better move allows, too, is no reason", () => {
  const fen = "r3qrk1/2p3bp/Ppbp2p1/2n1pP2/P7/2PPN2P/1BQ2PPN/3RR1K1 w - - 3 26";
  const skewer = "c6a4 c2b1 a4d1 b1d1 e8b5 b2a3 c5d3 a5b6 d3e1 b6c7 b5d3 d1e1 g6f5";
  assert.equal(ask(fen, "a4a5", "d3d4 c6a4 c2b1 a4d1 d4c5 d1a4 c5d6 c7d6 b2a3 e8b5 a3d6 f8d8", skewer), "");
  assert.equal(ask(fen, "a4a5", "c3c4 g8h8 c2e2 h8g8", skewer), "It allows a skewer: 26… Ba4 attacks the queen on c2 and, behind it, the rook on d1.", "the queen is away");
});

test("a pin: what is taken cannot leave the line to its king", () => {
  const fen = "6k1/8/8/b7/8/8/8/3R2K1 w - - 0 1";
  assert.equal(ask(fen, "d1d4", "d1d3 g8f7 g1f2", "a5b6 g1f1 b6d4 f1e2", {}), "It allows a pin: 1… Bb6 pins the rook on d4 to the king.");
  assert.equal(ask("6k1/8/8/b7/8/8/8/3R3K w - - 0 1", "d1d4", "d1d3 g8f7 h1g1", "a5b6 h1g1 b6d4 g1f1", {}), "", "the king stood elsewhere");
  assert.equal(ask("6k1/8/8/b7/8/4N3/8/3R2K1 w - - 0 1", "d1d4", "d1d3 g8f7 g1f2", "a5b6 g1f1 b6d4 f1e2", {}), "", "another piece stands between");
  assert.equal(ask("b5k1/8/8/8/8/8/6R1/7K b - - 0 1", "g8f7", "a8d5 h1h2 d5g2 h2g2", "g2g1 f7e6 h1h2", {}), "", "it was pinned before");
});

test("a discovered attack: a piece steps off the line of another", () => {
  const fen = "6k1/1b6/8/3n4/8/8/4Q3/3K4 w - - 0 1";
  assert.equal(ask(fen, "e2f3", "e2d2 g8f7 d1c1", "d5c3 d1c2 b7f3 c2c3 g8f7", {}), "It allows a discovered attack: 1… Nc3+ opens the line of the bishop to the queen on f3.");
  assert.equal(ask("6k1/1b6/8/8/3n4/8/4Q3/3K4 w - - 0 1", "e2f3", "e2d2 g8f7 d1c1", "b7f3 d1c1 g8f7", {}), "It hangs the queen on f3: 1… Bxf3+.", "the line was open");
  assert.equal(ask("6k1/1b6/8/3n4/8/5Q2/8/3K4 b - - 0 1", "g8h8", "d5c3 d1c2 b7f3 c2c3 g8f7", "f3f4 h8g8 f4g4", {}), "It misses a discovered attack: 1… Nc3+ opens the line of the bishop to the queen on f3.");
});

test("a pawn that becomes a queen", () => {
  assert.equal(ask("8/8/8/8/8/p1K5/8/6k1 w - - 0 1", "c3d3", "c3b3 g1f2 b3a3 f2e3", "a3a2 d3e3 a2a1q e3e4", {}), "It lets the pawn on a3 become a queen: 2… a1=Q.");
  assert.equal(ask("8/8/8/8/8/p1K5/8/6k1 w - - 0 1", "c3d3", "c3d4 a3a2 d4e4 a2a1q e4f4", "a3a2 d3e3 a2a1q e3e4", {}), "", "it becomes one anyway");
});

test("a capture that wins and was not made; silence for what is not of material", () => {
  assert.equal(ask("4k3/8/8/4r3/8/5N2/8/6K1 w - - 0 1", "f3d4", "f3e5 e8e7 g1g2", "e8e7 g1g2 e5h5", {}), "It misses 1. Nxe5, winning the rook on e5.");
  const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  assert.equal(ask(start, "g2g4", "e2e4 e7e5 g1f3", "d7d5 f1g2 c7c6", {}), "");
  assert.equal(ask(start, "e2e5", "e2e4", "d7d5", {}), "", "no legal move, no word");
  assert.equal(ask(start, "g2g4", "", "", {}), "");
});
