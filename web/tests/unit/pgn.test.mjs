// PGN in and out without loss, and bad PGN named.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readGame, readSteps, splitGames, splitSteps } from "../../src/chess/pgn-read.js";
import { dateTag, fileName, writePgn } from "../../src/chess/pgn-write.js";
import { chess960Fen } from "../../src/chess/chess960.js";
import { readFen, lineOf } from "../../src/chess/position.js";
import { layout } from "../../src/chess/layout.js";
import { Tree } from "../../src/chess/tree.js";
import { makeUci } from "chessops/util";
import { loadedText } from "../../src/app/load.js";
import { random } from "../../src/app/pace.js";

/** A tree as plain data, to be compared. */
function shape(tree) {
  const of = (node) => ({
    uci: node.uci, san: node.san, fen: node.fen, comments: node.comments, startingComments: node.startingComments, nags: node.nags,
    children: node.children.map(of),
  });
  return { headers: [...tree.headers], root: of(tree.root) };
}

const read = (text) => splitGames(text).map(readGame);
const one = (text) => {
  const [game, ...others] = read(text);
  assert.equal(others.length, 0);
  return game;
};

const GIVEN = {
  plain: '[Event "A"]\n[White "B"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0',
  comments: "{before} 1. e4 {a} {b} e5 ; to the end\n2. Nf3 {[%eval 0.31] [%clk 0:04:59] text} Nc6 *",
  nags: "1. e4! e5?! 2. Nf3!? Nc6?? 3. Bb5 $14 $36 a6 !! 4. Ba4? 1/2-1/2",
  variations: "1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. Nf3 {deep}) 2... e6) 2. c4) (1. c4) 1... e5 2. Nf3 (2. f4 exf4 (2... d5)) *",
  sameMove: "1. e4 e5 2. Nf3 (2. Nf3 Nf6 (2... d6) 3. d4) (2. Nf3 f5) 2... Nc6 3. Bb5 *",
  starting: "1. e4 e5 ({why not} 1... c5 {Sicilian} 2. Nf3) 2. Nf3 *",
  fen: '[FEN "4k3/P7/8/8/8/8/8/4K3 b - - 3 40"]\n[SetUp "1"]\n\n40... Kd7 41. a8=Q Ke7 42. Qb8 *',
  chess960: `[Variant "Chess960"]\n[FEN "${chess960Fen(0)}"]\n\n1. e4 e5 *`,
  fischerandom: '[Variant "Fischerandom"]\n[FEN "rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HAha - 0 1"]\n\n1. O-O-O a6 2. h3 O-O *',
  null: "1. e4 -- 2. d4 Z0 3. c4 *",
  crlf: '[Event "A"]\r\n\r\n1. e4 e5\r\n2. Nf3 *\r\n',
  castling: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 5. d3 o-o *",
  escaped: '[Event "a \\"b\\" \\\\ c"]\n\n1. e4 *',
  empty: '[Event "Nothing played"]\n[Result "1-0"]\n\n1-0',
  blankLines: "1. e4\n\n{a comment\n\nover lines}\n\n1... e5 2. Nf3 *",
  percent: "% a line to skip\n1. e4 e5\n% and another\n2. Nf3 *",
  loose: "1.e4 e5 2.Ng1-f3 Nb8-c6 3.Bf1b5 a7-a6 4.Bxc6 dxc6 5 . d3 *",
  promotions: '[FEN "1n2k3/P1P5/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. a8Q (1. a8=N) (1. axb8(R)+) (1. cxb8/B) *',
  enPassant: "1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 *",
  time: '[TimeControl "180+2"]\n\n1. e4 { [%clk 0:03:00] } 1... c5 { [%clk 0:02:58] } *',
  shapes: "1. e4 {[%csl Ge4,Rd5][%cal Ge2e4] look} *",
  graph: "1. e4 $1 $140 {x} $2 (1. d4 $146) e5 *",
};

/** Games by chance, with all that PGN has. */
function randomGame(seed) {
  let count = 0;
  const chance = () => random(seed * 7919 + count++ * 104729);
  const chess960 = seed % 3 === 0;
  const headers = new Map([["Event", `Random ${seed}`], ["Result", "*"]]);
  if (chess960) headers.set("Variant", "Chess960");
  const tree = new Tree(chess960 ? chess960Fen(Math.floor(960 * chance())) : undefined, headers);
  const grow = (start, length, depth) => {
    let node = start;
    for (let ply = 0; ply < length; ply++) {
      const position = node.position;
      const moves = [...position.allDests()].flatMap(([from, dests]) => [...dests].map((to) => {
        const pawn = position.board.getRole(from) === "pawn" && (to < 8 || to >= 56);
        return { from, to, ...(pawn ? { promotion: ["queen", "rook", "bishop", "knight"][Math.floor(4 * chance())] } : {}) };
      }));
      if (moves.length === 0) return;
      const child = node.play(makeUci(moves[Math.floor(moves.length * chance())]));
      assert.ok(child);
      if (chance() < 0.15) child.comments = [`comment ${ply} "quoted" [%eval ${(chance() * 6 - 3).toFixed(2)}] (x) ; $1`];
      if (chance() < 0.1) child.comments.push("another\nover lines");
      if (chance() < 0.15) child.nags = [1 + Math.floor(6 * chance()), ...(chance() < 0.5 ? [14] : [])];
      if (depth < 3 && chance() < 0.12) {
        grow(node, 1 + Math.floor(5 * chance()), depth + 1);
        const other = node.children.at(-1);
        if (other !== node.children[0] && chance() < 0.5) other.startingComments = ["before the variation"];
      }
      node = child;
    }
  };
  grow(tree.root, 60, 0);
  return tree;
}

test("games come back as they were, 22 by hand and 120 by chance", async (t) => {
  for (const [name, text] of Object.entries(GIVEN)) {
    await t.test(name, () => {
      const { tree, problems } = one(text);
      assert.deepEqual(problems, []);
      const again = one(writePgn(tree));
      assert.deepEqual(again.problems, []);
      assert.deepEqual(shape(again.tree).root, shape(tree).root);
      for (const [key, value] of tree.headers) assert.equal(again.tree.headers.get(key), value);
    });
  }
  for (let seed = 1; seed <= 120; seed++) {
    const tree = randomGame(seed);
    const again = one(writePgn(tree));
    assert.deepEqual(again.problems, []);
    assert.deepEqual(shape(again.tree).root, shape(tree).root, `seed ${seed}`);
    assert.equal(again.tree.headers.get("Variant"), tree.headers.get("Variant"));
  }
});

test("what is read is what was written", () => {
  const { tree } = one(GIVEN.comments);
  const [e4] = tree.root.children;
  assert.deepEqual(tree.root.comments, ["before"]);
  assert.deepEqual(e4.comments, ["a", "b"]);
  assert.deepEqual(e4.children[0].comments, ["to the end"]);
  assert.deepEqual(one(GIVEN.nags).tree.root.mainline().slice(1).map(({ nags }) => nags), [[1], [6], [5], [4], [14, 36], [3], [2]]);
  const { tree: varied } = one(GIVEN.variations);
  assert.deepEqual(varied.root.children.map(({ san }) => san), ["e4", "d4", "c4"]);
  assert.deepEqual(varied.root.children[1].children.map(({ san }) => san), ["d5", "Nf6"]);
  assert.deepEqual(one(GIVEN.starting).tree.root.children[0].children[1].startingComments, ["why not"]);
  assert.deepEqual(one(GIVEN.loose).tree.root.mainline().slice(1).map(({ san }) => san), ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "d3"]);
});

test("a variation that begins with the game's own moves stays a variation", () => {
  const sans = (nodes) => nodes.map(({ san }) => san);
  const { root } = one(GIVEN.sameMove).tree;
  assert.deepEqual(sans(root.mainline().slice(1)), ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
  assert.deepEqual(sans(root.mainline()[3].children), ["Nc6", "Nf6", "d6", "f5"]);
  // The game goes on with a move that a variation had first.
  const { root: joined } = one("1. e4 (1. e4 e5 2. d4 (2. d4 exd4) 2... d5) 1... e5 2. Nf3 (2. Nf3 Nf6) 2... Nc6 *").tree;
  assert.deepEqual(sans(joined.mainline().slice(1)), ["e4", "e5", "Nf3", "Nc6"]);
  assert.deepEqual(sans(joined.mainline()[2].children), ["Nf3", "d4"]);
  assert.deepEqual(sans(joined.mainline()[2].children[1].children), ["d5", "exd4"]);
});

test("tags may share a line with each other and with moves", () => {
  const { tree, problems } = one('[Event "A"] [White "B \\"C\\""][Black "D"]  1. e4 { [White "E"] } e5\n2. Nf3 *');
  assert.deepEqual(problems, []);
  assert.deepEqual([...tree.headers], [["Event", "A"], ["White", 'B "C"'], ["Black", "D"], ["Result", "*"]]);
  assert.equal(tree.end.san, "Nf3");
  assert.deepEqual(splitGames('[White "A"] 1. e4 *\n[White "B"] 1. d4 *').map(({ headers, line }) => [headers.get("White"), line]), [["A", 1], ["B", 2]]);
  assert.deepEqual(one('[White "A"] 1. e4 e9 *').problems.map(({ line }) => line), [1]);
  assert.deepEqual([...splitGames('[White "A "B" C"] [Black "D \\"[E\\"] F"]\n[Site "C:\\\\"]')[0].headers], [["White", 'A "B" C'], ["Black", 'D "[E"] F'], ["Site", "C:\\"]]);
  assert.equal(splitGames(`[White "${"\\\\".repeat(2e6)}`).length, 1);
});

test("several games are a list, with the line where each begins", () => {
  const text = '[Event "1"]\n\n1. e4 {[Event "not a header"]\n[White "nor this"]} e5 1-0\n\n[Event "2"]\n\n1. d4 *\n\n1. c4 c5 0-1\n1. Nf3 *';
  const games = splitGames(text);
  assert.deepEqual(games.map(({ headers }) => headers.get("Event")), ["1", "2", undefined, undefined]);
  assert.deepEqual(games.map(({ line }) => line), [3, 8, 10, 11]);
  assert.deepEqual(games.map((game) => readGame(game).problems), [[], [], [], []]);
});

test("a bad move is named with its line, and what comes before it is kept", () => {
  const german = one('[Event "German"]\n\n1. e4 e5\n2. Sf3 Sc6');
  assert.equal(german.tree.end.san, "e5");
  assert.deepEqual(german.problems, [{ line: 4, text: "Sf3", where: "after 1… e5" }]);
  const illegal = one("1. e4 e5\n2. Nf3 (2. Ke3 d5) Nc6\n3. Qh5 a6");
  assert.deepEqual(illegal.problems.map(({ line, text }) => [line, text]), [[2, "Ke3"], [3, "Qh5"]]);
  assert.equal(illegal.tree.end.san, "Nc6");
  assert.deepEqual(illegal.problems.map(({ variation }) => variation), [true, undefined]);
  assert.equal(loadedText(illegal.problems), "Loaded up to there. Line 3: “Qh5” is not a legal move after 2… Nc6. A variation was cut. Line 2: “Ke3” is not a legal move after 1… e5.");
  const cut = one("1. e4 (1. d4 d4) (1. c4 c4) 1... e5 2. Nf3 *");
  assert.equal(cut.tree.end.san, "Nf3");
  assert.equal(loadedText(cut.problems), "2 variations were cut. Line 1: “d4” is not a legal move after 1. d4.");
  assert.equal(loadedText([]), "");
  for (const text of ["lorem ipsum", "hello", "e9", "1. e5", "?!", "1. e2e4x"]) {
    const [game] = read(text);
    assert.ok(game.problems.length > 0 || game.tree.root.children.length === 0, text);
    assert.equal(game.tree.root.children.length, 0, text);
  }
});

test("other variants and bad positions are refused in words", () => {
  assert.throws(() => one('[Variant "Atomic"]\n\n1. e4'), /another variant: Atomic/);
  assert.throws(() => one('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4'), /board is empty/);
  for (const fen of ["", "x", "8/8 w", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1", "4k3/8/8/8/8/8/8/3QK2P w - - 0 1", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"]) {
    assert.throws(() => readFen(fen), (error) => !/ERR_/.test(error.message), fen);
  }
  assert.equal(readFen("4k3/8/8/8/8/8/8/4K3 w - - 0 99999").fullmoves, 9999);
});

test("a line from Black's move is numbered so", () => {
  const position = readFen("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 4");
  assert.deepEqual(lineOf(position, ["f6e4", "c3e4", "d7d5", "bad"]).map(({ number, san }) => number + san), ["4…Nxe4", "5.Nxe4", "d5"]);
});

test("a text is read in small steps, and a game up to a number of moves", () => {
  const games = Array.from({ length: 3000 }, () => "1. e4 e5\n1-0\n").join("\n");
  const count = (steps) => {
    let taken = 0;
    for (;;) {
      const { done, value } = steps.next();
      if (done) return [taken, value];
      taken++;
    }
  };
  const [pauses, found] = count(splitSteps(games));
  assert.equal(found.length, 3000);
  assert.ok(pauses >= 8, `${pauses} pauses`);
  const endless = Array.from({ length: 2000 }, (_, at) => `${at + 1}. ${["Nf3 Nf6", "Ng1 Ng8"][at % 2]}`).join("\n");
  const [steps, { tree, problems }] = count(readSteps(splitGames(endless)[0], 3000));
  assert.ok(steps >= 4, `${steps} steps`);
  assert.equal(tree.end.ply, 3000);
  assert.deepEqual(problems, [{ line: 1501, text: "Nf3", where: "after 1500… Ng8", tooLong: true }]);
});

test("20,000 nested variations are read, laid out and written", () => {
  const depth = 20_000;
  const text = `1. e4 ${"(1. d4 ".repeat(depth)}${")".repeat(depth)} e5 *`;
  const { tree, problems } = one(text);
  assert.deepEqual(problems, []);
  assert.ok(layout(tree.root).length >= 2);
  assert.match(writePgn(tree), /1\. e4/);
  let node = new Tree();
  const deep = node;
  node = deep.root;
  for (let ply = 0; ply < 2000; ply++) {
    const [main, other] = node.turn === "white" ? (ply % 4 === 0 ? ["g1f3", "b1c3"] : ["f3g1", "b2b3"]) : ply % 4 === 1 ? ["g8f6", "b8c6"] : ["f6g8", "b7b6"];
    node.play(main);
    node.play(other);
    node = node.children[0];
  }
  const blocks = layout(deep.root);
  const shown = blocks.flatMap((block) => (block.kind === "row" ? [block.white, block.black] : block.kind === "line" ? block.nodes : [])).filter(Boolean);
  assert.equal(shown.length, [...deep.nodes()].length - 1);
  assert.equal(new Set(shown).size, shown.length);
});

test("a layout shows each move once, in games by chance", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const tree = randomGame(seed);
    const shown = layout(tree.root).flatMap((block) => (block.kind === "row" ? [block.white, block.black] : block.kind === "line" ? block.nodes : [])).filter(Boolean);
    assert.equal(new Set(shown).size, shown.length, `seed ${seed}: a move twice`);
    assert.equal(shown.length, [...tree.nodes()].length - 1, `seed ${seed}: a move missing`);
  }
});

test("the moves of the game alone: no variation, and no analysis after its end", () => {
  const { tree } = one("1. e4 e5 2. Nf3 (2. f4) 2... Nc6 3. Bb5 0-1");
  assert.match(writePgn(tree, true), /\n1\. e4 e5 2\. Nf3 Nc6 3\. Bb5 0-1\s*$/);
  assert.match(writePgn(tree, true, ["e2e4", "e7e5", "f2f4"]), /\n1\. e4 e5 2\. f4 0-1\s*$/);
  assert.match(writePgn(tree, true, ["e2e4", "e7e5", "g1f3"]), /\n1\. e4 e5 2\. Nf3 0-1\s*$/);
  assert.match(writePgn(tree, true, []), /\n0-1\s*$/);
});

test("the date of a game is the day where it is played", () => {
  const zone = process.env.TZ;
  const evening = new Date(Date.UTC(2026, 0, 5, 20));
  try {
    for (const [where, date] of [["Pacific/Kiritimati", "2026.01.06"], ["Etc/UTC", "2026.01.05"]]) {
      process.env.TZ = where;
      assert.equal(dateTag(evening), date);
    }
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test("the name of a file keeps the letters of every alphabet", () => {
  const name = (white, black) => fileName(new Map([["White", white], ["Black", black]]));
  assert.equal(name("Müller, Jörg", "Ботвинник"), "Müller-Jörg-Ботвинник.pgn");
  assert.equal(name("../a\\b:c", "?"), "a-b-c.pgn");
  assert.equal(name("?", "?"), "game.pgn");
  assert.equal(fileName(new Map()), "game.pgn");
});

test("moves with figurines, by their squares and in long notation are the same game", () => {
  const game = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 5. Re1 Nd6 6. Nxe5 Be7 *";
  const ucis = one(game).tree.end.path().map(({ uci }) => uci);
  for (const text of [
    "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 ♞f6 4. O-O ♞xe4 5. ♖e1 ♞d6 6. ♘xe5 ♝e7 *",
    "1. ♙e4 ♟e5 2. ♘︎f3 ♘c6 3. ♗b5 ♘f6 4. 0-0 ♘:e4 5. ♖e1 ♘d6 6. ♘×e5 ♗e7 *",
    "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 f1e1 e4d6 f3e5 f8e7",
    "1. e2-e4 e7-e5 2. g1-f3 b8-c6 3. f1-b5 g8-f6 4. e1-g1 f6xe4 5. f1-e1 e4-d6 6. f3xe5 f8-e7 *",
    "1. e2–e4 e7–e5 2. Ng1–f3 Nb8-c6 3. Bf1-b5 Ng8-f6 4. O–O Nf6xe4 5. Rf1-e1 Ne4-d6 6. Nf3xe5 Bf8-e7 *",
  ]) {
    const { tree, problems } = one(text);
    assert.deepEqual(problems, [], text);
    assert.deepEqual(tree.end.path().map(({ uci }) => uci), ucis, text);
  }
  for (const [text, uci] of [["a7a8q", "a7a8q"], ["a7-a8=N", "a7a8n"], ["a7xb8R", "a7b8r"], ["axb8=♕", "a7b8q"]]) {
    assert.equal(one(`[FEN "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. ${text} *`).tree.end.uci, uci, text);
  }
});

test("a move that is not legal and a text that is no move are told apart", () => {
  for (const [text, said] of [
    ["Ke3", "is not a legal move"], ["♔e3", "is not a legal move"], ["e1e3", "is not a legal move"], ["O-O-O", "is not a legal move"], ["Nb1-d4", "is not a legal move"],
    ["Sf3", "was not understood"], ["Кf3", "was not understood"], ["e9", "was not understood"], ["hello", "was not understood"], ["♔", "was not understood"],
  ]) {
    assert.equal(loadedText(one(`1. e4 e5 2. ${text} *`).problems), `Loaded up to there. Line 1: “${text}” ${said} after 1… e5.`);
  }
});

test("a header with line ends, as a link can hold it, is written as one line", () => {
  const tree = new Tree(undefined, new Map([["White", 'A\n\n1. d4 d5 \u2028 [Black "B"]']]));
  tree.root.play("e2e4");
  const { tree: again, problems } = one(writePgn(tree));
  assert.deepEqual(problems, []);
  assert.deepEqual([again.headers.get("White"), again.headers.get("Black"), again.end.san], ['A 1. d4 d5   [Black "B"]', "?", "e4"]);
});

test("tags of unknown value are absent where moves are read by them", () => {
  for (const value of ["?", "", " ", "-"]) {
    const { tree, problems } = one(`[Variant "${value}"]\n[FEN "${value}"]\n[White "A"]\n\n1. e4 *`);
    assert.deepEqual([problems, tree.end.san, tree.isStandard], [[], "e4", true], value);
    assert.doesNotMatch(writePgn(tree), /Variant|FEN/, "others may refuse what is no position");
  }
});

test("a tag is read whatever its value holds", () => {
  for (const sign of ["\u2028", "\u2029", "\u0085", "\v", "\f", "\t", "\u00a0", "\u200f", "\ud83d"]) {
    for (const [before, after] of [["", "\n"], ["[Event \"x\"] ", "\n"], ["", " [Round \"1\"]\n"]]) {
      const { tree, problems } = one(`${before}[White "A${sign}B"]${after}\n1. e4 *`);
      assert.deepEqual([problems, tree.headers.get("White"), tree.end.san], [[], `A${sign}B`, "e4"], JSON.stringify(sign));
    }
  }
});
