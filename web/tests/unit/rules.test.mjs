// Ends of games, starting positions, clocks, comments and the pace of an opponent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { boardEnd, timeEnd } from "../../src/chess/ends.js";
import { chess960Fen, STANDARD } from "../../src/chess/chess960.js";
import { clockCommand, clockIn, evalCommand, evalIn, visible, withCommand, withText, readShape, shapesIn, shapeText, withShapes } from "../../src/chess/comments.js";
import { INITIAL_FEN } from "chessops/fen";
import { destsOf, isChess960, readFen, withField } from "../../src/chess/position.js";
import { promote, remove, Tree, uciPosition } from "../../src/chess/tree.js";
import { clockText } from "../../src/app/clock.js";
import { thinkingTime } from "../../src/app/pace.js";
import { pgnHash, readHash } from "../../src/store/share.js";
import { sanInWords } from "../../src/app/announce.js";

const play = (fen, ...moves) => moves.reduce((node, uci) => node.play(uci) ?? assert.fail(uci), new Tree(fen).root);

test("games end by mate, stalemate, insufficient material, threefold repetition and the fifty-move rule", () => {
  assert.deepEqual(boardEnd(play(undefined, "f2f3", "e7e5", "g2g4", "d8h4")), { result: "0-1", reason: "checkmate, Black wins" });
  assert.match(boardEnd(play("7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "f7g6")).reason, /stalemate/);
  assert.match(boardEnd(play("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7")).reason, /stalemate/);
  assert.match(boardEnd(play("7k/8/8/8/8/8/5p2/6K1 w - - 0 1", "g1f2")).reason, /insufficient material/);
  const shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
  assert.equal(boardEnd(play(undefined, ...shuffle)), null);
  assert.match(boardEnd(play(undefined, ...shuffle, ...shuffle)).reason, /threefold repetition/);
  assert.match(boardEnd(play("7k/8/8/8/8/8/1R6/K7 w - - 99 80", "b2b3")).reason, /fifty-move rule/);
  assert.match(boardEnd(play("7k/8/5K2/8/8/8/1R6/8 w - - 98 80", "f6g6", "h8g8", "b2b8")).reason, /checkmate/);
});

test("time is a loss, or a draw against a bare king", () => {
  assert.deepEqual(timeEnd(play(undefined, "e2e4"), "black"), { result: "1-0", reason: "Black lost on time, White wins", termination: "Time forfeit" });
  const draw = timeEnd(new Tree("7k/8/8/8/8/8/1R6/K7 w - - 0 1").root, "white");
  assert.deepEqual([draw.result, draw.termination], ["1/2-1/2", "Time forfeit"]);
});

test("the 960 starting positions are all different and legal, 518 is the usual one", () => {
  assert.equal(chess960Fen(STANDARD), INITIAL_FEN);
  assert.equal(chess960Fen(0).split("/")[0], "bbqnnrkr");
  assert.equal(chess960Fen(959).split("/")[0], "rkrnnqbb");
  const all = Array.from({ length: 960 }, (_, number) => chess960Fen(number));
  assert.equal(new Set(all).size, 960);
  for (const fen of all) {
    const position = readFen(fen);
    const rank = fen.split("/")[0];
    assert.match(rank, /r.*k.*r/);
    assert.equal(rank.match(/b/g).length, 2);
    assert.equal((rank.indexOf("b") + rank.lastIndexOf("b")) % 2, 1);
    assert.equal(isChess960(position), !/^r...k..r$/.test(rank));
  }
});

test("castling is king takes rook for the engine, the king's squares for the eye", () => {
  const node = play(undefined, "g1f3", "g8f6", "g2g3", "g7g6", "f1g2", "f8g7", "e1g1");
  assert.equal(node.uci, "e1h1");
  assert.equal(node.san, "O-O");
  assert.deepEqual(node.squares, ["e1", "g1"]);
  for (const number of [0, 100, 333, 700, 959]) {
    const [rank] = chess960Fen(number).split("/");
    const [a, k, h] = [rank.indexOf("r"), rank.indexOf("k"), rank.lastIndexOf("r")];
    for (const [rook, san] of [[a, "O-O-O"], [h, "O-O"]]) {
      const row = Array.from({ length: 8 }, (_, at) => (at === k ? "k" : at === rook ? "r" : "1")).join("").replace(/1+/g, (ones) => String(ones.length));
      const right = "ABCDEFGH"[rook];
      const castled = play(`${row}/pppppppp/8/8/8/8/PPPPPPPP/${row.toUpperCase()} w ${right}${right.toLowerCase()} - 0 1`, `${"abcdefgh"[k]}1${"abcdefgh"[rook]}1`);
      assert.match(castled.san, new RegExp(`^${san}\\+?$`));
      assert.match(castled.fen.split(" ")[2], /^[a-hkq]$/);
    }
  }
});

test("castling in Chess960 is also the king's move to its target, where that is no step of the king", () => {
  const cases = [
    ["1k6/8/8/8/8/8/8/1K3R2 w F - 0 1", "b1", "g1", "b1f1"],
    ["1k3r2/8/8/8/8/8/8/1K6 b f - 0 1", "b8", "g8", "b8f8"],
    ["5k2/8/8/8/8/8/8/R4K2 w A - 0 1", "f1", "c1", "f1a1"],
    ["4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1", "c1", "e1b1"],
    ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1", "g1", "e1h1"],
  ];
  for (const [fen, from, to, uci] of cases) {
    const position = readFen(fen);
    assert.ok(destsOf(position).get(from).includes(to), fen);
    assert.ok(destsOf(position).get(from).includes(uci.slice(2)), fen);
    assert.equal(play(fen, from + to).uci, uci);
  }
  // The step wins: f1g1 leaves the rook where it is.
  assert.equal(play("5k2/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1").uci, "f1g1");
  // A king that stands on its target has the rook alone.
  assert.deepEqual(destsOf(readFen("6k1/8/8/8/8/8/8/6KR w H - 0 1")).get("g1").filter((to) => to === "g1"), []);
  // A right that is blocked, or leads through check, gives nothing.
  for (const fen of ["1k6/8/8/8/8/8/8/1K1N1R2 w F - 0 1", "1k2r3/8/8/8/8/8/8/1K3R2 w F - 0 1"]) {
    assert.ok(!destsOf(readFen(fen)).get("b1").includes("g1"), fen);
    assert.equal(new Tree(fen).root.play("b1g1"), null);
  }
});

test("a null move cuts the line for the engine", () => {
  const tree = new Tree();
  const passed = tree.root.play("e2e4").pass();
  const node = passed.play("d2d4");
  assert.equal(uciPosition(node), `fen ${passed.fen} moves d2d4`);
  assert.equal(uciPosition(tree.root), `fen ${INITIAL_FEN}`);
});

test("variations become the main line", () => {
  const tree = new Tree();
  tree.root.play("e2e4").play("e7e5");
  const other = tree.root.play("d2d4").play("d7d5");
  assert.ok(!other.isMainline);
  promote(other, true);
  assert.ok(other.isMainline);
  assert.equal(tree.end, other);
});

test("a move that is in no tree takes no other with it", () => {
  const { root } = new Tree();
  const tried = root.play("a2a3");
  remove(tried);
  for (const uci of ["e2e4", "d2d4"]) root.play(uci);
  const moves = () => root.children.map(({ san }) => san);
  remove(tried);
  assert.deepEqual(moves(), ["e4", "d4"]);
  for (const toMainline of [false, true]) promote(tried.play("e7e5"), toMainline);
  assert.deepEqual(moves(), ["e4", "d4"]);
});

test("commands in comments are read, written and hidden", () => {
  assert.deepEqual(evalIn(["x [%eval -1.25,20] y"]), { cp: -125 });
  assert.deepEqual(evalIn(["[%eval #-3]"]), { mate: -3 });
  assert.equal(evalIn(["eval"]), null);
  assert.equal(clockIn(["[%clk 1:02:03.5]"]), 3723500);
  assert.equal(visible("[%clk 0:01:00] good [%eval 0.1]"), "good");
  assert.deepEqual(withCommand(["a [%eval 0.10] b"], evalCommand({ cp: 231 })), ["a [%eval 2.31] b"]);
  assert.deepEqual(withCommand([], clockCommand(61_500)), ["[%clk 0:01:01]"]);
  assert.deepEqual(withText(["[%clk 0:01:00] old"], "new }"), ["[%clk 0:01:00] new )"]);
});

test("arrows and circles in comments are read, written and hidden", () => {
  const comments = ["[%cal Ge2e4,Rd8h4][%csl Bf7, Xa1] good", "[%clk 0:01:00] [%cal Ya1a8]"];
  assert.deepEqual(shapesIn(comments).map(shapeText), ["Ge2e4", "Rd8h4", "Bf7", "Ya1a8"]);
  assert.deepEqual(shapesIn(comments)[0], { brush: "green", orig: "e2", dest: "e4" });
  assert.equal(visible(comments[0]), "good");
  assert.deepEqual(withShapes(comments, []), ["good", "[%clk 0:01:00]"]);
  assert.deepEqual(withShapes(comments, shapesIn(comments)), ["[%csl Bf7] [%cal Ge2e4,Rd8h4,Ya1a8] good", "[%clk 0:01:00]"]);
  assert.deepEqual(withShapes([], [readShape("Gh1")]), ["[%csl Gh1]"]);
  assert.deepEqual(withShapes(["[%csl Gh1]"], []), []);
  for (const bad of ["", "e2e4", "Ge9", "Ge2e4e5", "ge2"]) assert.equal(readShape(bad), null, bad);
});

test("clocks are shown in tenths at the end", () => {
  assert.equal(clockText(300_000), "5:00");
  assert.equal(clockText(3_661_000), "1:01:01");
  assert.equal(clockText(9_940), "0:09.9");
});

test("an opponent takes 0.4 to 4 seconds, and less when its clock runs down", () => {
  const usual = { legalMoves: 35, isRecapture: false, ply: 20, left: null, increment: 0, seed: 1 };
  for (let seed = 0; seed < 500; seed++) {
    for (const left of [null, 600_000, 60_000]) {
      const time = thinkingTime({ ...usual, seed, left, ply: seed % 80 });
      assert.ok(time >= 400 && time <= 4000, `${time}`);
    }
    assert.ok(thinkingTime({ ...usual, seed, left: 2000 }) <= 400);
  }
  assert.equal(thinkingTime({ ...usual, legalMoves: 1 }), 400);
  assert.equal(thinkingTime(usual), thinkingTime(usual));
});

test("moves are spoken", () => {
  assert.equal(sanInWords("Nf6+"), "knight f6, check");
  assert.equal(sanInWords("exd8=Q#"), "pawn e takes d8, becomes a queen, checkmate");
  assert.equal(sanInWords("O-O"), "castles short");
  assert.equal(sanInWords("Rad1"), "rook a d1");
});

test("a field of a FEN is set, whatever the text lacks", () => {
  const board = "4k3/8/8/8/8/8/4P3/4K3";
  assert.equal(withField(board, 1, "b"), `${board} b - - 0 1`);
  assert.equal(withField(board, 2, "K"), `${board} w K - 0 1`);
  assert.equal(withField(`  ${board}  b `, 2, "-"), `${board} b - - 0 1`);
  assert.equal(withField("", 1, "b"), "8/8/8/8/8/8/8/8 b - - 0 1");
  assert.equal(withField(`${board} w`, 0, "8/8/8/8/8/8/8/8"), "8/8/8/8/8/8/8/8 w - - 0 1");
  assert.equal(withField(INITIAL_FEN, 1, "b"), INITIAL_FEN.replace(" w ", " b "));
});

test("a link is unpacked to its game, and no further than a game goes", async () => {
  const pgn = "1. e4 { Müller } e5 *";
  assert.equal(await readHash(await pgnHash(pgn)), pgn);
  assert.equal(await readHash("#pgn=AAAA"), null);
  assert.equal(await readHash("#other"), null);
  let packed = 0;
  const link = await pgnHash("1. e4 *".padEnd(60e6));
  const { read } = ReadableStreamDefaultReader.prototype;
  ReadableStreamDefaultReader.prototype.read = async function () {
    const result = await read.call(this);
    packed += result.value?.length ?? 0;
    return result;
  };
  try {
    await assert.rejects(readHash(link), /too long\. Games are read up to 4 MB/);
  } finally {
    ReadableStreamDefaultReader.prototype.read = read;
  }
  assert.ok(packed < 5e6, `${packed} characters were unpacked`);
});
