// A link to a reviewed game: small, whole, and safe from what others write into it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LONGEST_GAME, readGame, splitGames } from "../../src/chess/pgn-read.js";
import { visible } from "../../src/chess/comments.js";
import { CURVE, winPercent } from "../../src/review/accuracy.js";
import { ChessError } from "../../src/chess/position.js";
import { Tree } from "../../src/chess/tree.js";
import { report } from "../../src/review/judge.js";
import { fromLink, toLink } from "../../src/review/link.js";
import { readReview, reviewHash } from "../../src/store/share.js";
import { random } from "../../src/app/pace.js";

/** A game by chance with a review of made-up chances, as uneven as a real one. */
function reviewed(plies, seed = 1) {
  let count = 0;
  const chance = () => random(seed * 7919 + count++ * 104729);
  const { tree } = readGame(splitGames(`[White "Kasparov, Garry"]\n[Black "Topalov, Veselin"]\n[Event "Hoogovens"]\n[Date "1999.01.20"]\n[Result "1-0"]\n\n*`)[0]);
  const nodes = [tree.root];
  const legal = (at) => [...at.position.allDests()].flatMap(([from, dests]) => [...dests].map((to) => [from, to]));
  const name = (square) => "abcdefgh"[square % 8] + (1 + Math.floor(square / 8));
  const any = (at) => {
    const moves = legal(at);
    const [from, to] = moves[Math.floor(chance() * moves.length)];
    return name(from) + name(to) + (at.position.board.getRole(from) === "pawn" && (to < 8 || to > 55) ? "q" : "");
  };
  while (nodes.length <= plies && !nodes.at(-1).position.isEnd()) nodes.push(nodes.at(-1).play(any(nodes.at(-1))));
  const percents = nodes.map(() => winPercent(chance() < 0.1 ? { mate: chance() < 0.5 ? 1 : -1 } : { cp: Math.round(2000 * chance()) - 1000 }, "white"));
  const best = nodes.map((at, ply) => (at.position.isEnd() ? "" : chance() < 0.4 ? (nodes[ply + 1]?.uci ?? "") : any(at)));
  const moves = nodes.slice(1).map((at, ply) => ({ mover: at.mover, before: percents[ply], after: percents[ply + 1], book: ply < 7, only: legal(nodes[ply]).length === 1, best: best[ply] === at.uci }));
  // Long sentences, as many as a game with many mistakes has.
  const why = nodes.map((at, ply) => (ply % 4 === 1 ? `It ${["misses", "allows"][ply % 2]} a ${["fork", "skewer", "discovered attack"][Math.floor(3 * chance())]}: ${at.moveNumber}. ${at.san} attacks the ${["king", "queen on d4", "rook on h8"][Math.floor(3 * chance())]} and the ${["rook", "bishop", "knight"][Math.floor(3 * chance())]} on ${name(Math.floor(64 * chance()))}.` : ""));
  return { tree, nodes, review: { curve: CURVE, percents, moves, best, why, line: nodes.slice(1).map(({ uci }) => uci), by: { engine: "Sleight 0.2.0, network 12345678", nodes: 100_000 } } };
}

test("what goes into a link comes out, with the same report", async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const { tree, nodes, review } = reviewed(40 + seed, seed);
    nodes[3].comments.push("[%eval 0.3] a } comment");
    const read = fromLink(await readReview(await reviewHash(toLink(tree, nodes, review, visible, nodes[9]))));
    assert.deepEqual(read.review, review);
    assert.deepEqual(report(read.review.moves), report(review.moves));
    assert.deepEqual(read.nodes.map(({ fen }) => fen), nodes.map(({ fen }) => fen));
    assert.deepEqual([...read.tree.headers].sort(), [...tree.headers].sort());
    assert.equal(read.nodes.indexOf(read.retry), 9);
    assert.deepEqual(read.nodes[3].comments, ["a ) comment"]);
  }
});

test("castling, promotions to each piece and null moves go through a link", () => {
  for (const pgn of ["1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O O-O 5. d4 -- 6. dxe5 *", ...["Q", "R", "B", "N"].map((piece) => `[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8=${piece} Kg7 *`), '[FEN "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1"]\n[Variant "Chess960"]\n\n1. Nf3 Nf6 2. g3 g6 3. O-O O-O *']) {
    const { tree, problems } = readGame(splitGames(pgn)[0]);
    assert.deepEqual(problems, []);
    const nodes = tree.root.mainline();
    const review = { percents: nodes.map(() => 50), moves: [], best: nodes.map((_, ply) => nodes[ply + 1]?.uci ?? "") };
    const read = fromLink(toLink(tree, nodes, review, visible, null));
    assert.deepEqual(read?.nodes.map(({ fen }) => fen), nodes.map(({ fen }) => fen), pgn);
    assert.deepEqual(read.review.best, review.best.map((uci) => uci));
  }
});

test("a game of 60 moves, with 30 reasons, is a link of at most 2,000 characters", async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const { tree, nodes, review } = reviewed(120, seed);
    const link = `https://example.github.io/sleight/${await reviewHash(toLink(tree, nodes, review, visible, nodes[50]))}`;
    assert.ok(nodes.length < 121 || review.why.filter(Boolean).length === 30);
    assert.ok(nodes.length < 121 || link.length <= 2000, `${link.length} characters`);
  }
});

test("a link of older versions, with the engine's own chances, holds its game without a review", () => {
  const { tree, nodes, review } = reviewed(30);
  const { scores, ...rest } = toLink(tree, nodes, review, visible, nodes[9]);
  const read = fromLink({ ...rest, chances: scores.map(() => 1000) });
  assert.deepEqual([read.review, read.retry], [null, null]);
  assert.deepEqual(read.nodes.map(({ fen }) => fen), nodes.map(({ fen }) => fen));
  assert.equal(fromLink({ ...rest, chances: scores.map(() => 1000).slice(1) }), null);
});

test("data that is no reviewed game is refused", async () => {
  const { tree, nodes, review } = reviewed(30);
  const good = toLink(tree, nodes, review, visible, null);
  assert.ok(fromLink(good));
  for (const bad of [
    null, 7, "x", [], {}, { ...good, moves: 3 }, { ...good, moves: `${good.moves}é` }, { ...good, moves: good.moves.slice(1) }, { ...good, moves: "" }, { ...good, scores: "50" },
    { ...good, scores: good.scores.slice(1) }, { ...good, scores: good.scores.with(3, 1002) }, { ...good, scores: good.scores.with(3, null).with(4, "x") }, { ...good, scores: undefined },
    { ...good, best: "" }, { ...good, tags: [["White", 3]] }, { ...good, tags: [["__proto__", "x"]] }, { ...good, tags: 5 }, { ...good, fen: "8/8" },
    { ...good, comments: [["a", "b"]] }, { ...good, comments: {} }, { ...good, by: { engine: 3, nodes: 1 } }, { ...good, by: null },
  ]) {
    assert.equal(fromLink(bad), null, JSON.stringify(bad)?.slice(0, 80));
  }
  for (const hash of ["#review=", "#review=%%%", "#review=AAAA", "#review=eyJh"]) assert.equal(await readReview(hash), null, hash);
});

test("a link holds 2,000 half moves, and is not read beyond", async () => {
  const shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
  const game = (plies) => {
    const tree = new Tree();
    const nodes = [tree.root];
    for (let ply = 0; ply < plies; ply++) nodes.push(nodes[ply].play(shuffle[ply % 4]));
    const percents = nodes.map(() => 50);
    return toLink(tree, nodes, { percents, best: nodes.map(() => ""), moves: nodes.slice(1).map(() => ({ book: false })) }, visible, null);
  };
  const longest = game(2000);
  assert.equal(fromLink(longest).nodes.length, 2001);
  for (const tooLong of [game(2001), { ...longest, moves: longest.moves.repeat(25) }]) {
    assert.throws(() => fromLink(tooLong), (error) => error instanceof ChessError && /too long.* 2,000 half moves/.test(error.message));
  }
  await assert.rejects(readReview(await reviewHash({ moves: "!".repeat(LONGEST_GAME) })), (error) => error instanceof ChessError && /too long/.test(error.message));
});
