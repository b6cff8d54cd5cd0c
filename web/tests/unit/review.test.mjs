// Judgements and accuracy, by values worked out by hand and by the published curve.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CURVE, gameAccuracy, moveAccuracy, scoreOf, winPercent } from "../../src/review/accuracy.js";
import { acceptsDraw, isGoodEnough, judge, judgementsOf, lossOf, report, withJudgement } from "../../src/review/judge.js";

const near = (value, wanted, within = 0.01) => assert.ok(Math.abs(value - wanted) <= within, `${value}, not ${wanted}`);

test("chances follow the published curve, from White's side, and mates alone are certain", () => {
  for (const cp of [-1000, -700, -100, 0, 35, 100, 999]) {
    const published = 50 + 50 * (2 / (1 + Math.exp(-0.00368208 * cp)) - 1);
    near(winPercent({ cp }, "white"), published, 1e-9);
    near(winPercent({ cp }, "black"), 100 - published, 1e-9);
  }
  assert.equal(winPercent({ cp: 0 }, "black"), 50);
  near(winPercent({ cp: 100 }, "white"), 59.1, 0.1);
  assert.equal(winPercent({ cp: 20000 }, "white"), winPercent({ cp: 1000 }, "white"));
  assert.ok(winPercent({ cp: 20000 }, "white") < 98);
  assert.deepEqual([3, -2, 0].map((mate) => winPercent({ mate }, "white")), [100, 0, 0]);
  assert.deepEqual([3, -2, 0].map((mate) => winPercent({ mate }, "black")), [0, 100, 100]);
});

test("the score of chances is that which has them", () => {
  for (let cp = -1000; cp <= 1000; cp += 7) assert.deepEqual(scoreOf(winPercent({ cp }, "white")), { cp: cp || 0 });
  assert.deepEqual([scoreOf(100), scoreOf(0)], [{ mate: 1 }, { mate: -1 }]);
});

test("accuracy of a move follows the published curve", () => {
  assert.equal(moveAccuracy(50, 50), 100);
  assert.equal(moveAccuracy(50, 80), 100);
  near(moveAccuracy(60, 50), 103.1668 * Math.exp(-0.43544) - 2.1669, 0.01);
  near(moveAccuracy(100, 0), 0, 0.5);
  for (let loss = 0; loss < 100; loss++) assert.ok(moveAccuracy(100, 100 - loss) >= moveAccuracy(100, 99 - loss));
});

test("accuracy of a game: perfect play is 100, and each side has its own", () => {
  assert.deepEqual(gameAccuracy([50, 50, 50, 50, 50]), { white: 100, black: 100 });
  const { white, black } = gameAccuracy([50, 50, 50, 10, 10, 10]);
  assert.ok(white < 60 && black === 100, `${white} ${black}`);
  const turned = gameAccuracy([50, 50, 50, 90, 90, 90], "black");
  near(turned.black, white, 1e-9);
  assert.equal(gameAccuracy([50, 40]).black, null);
  const many = Array.from({ length: 201 }, (_, at) => 50 + 10 * Math.sin(at));
  const long = gameAccuracy(many);
  assert.ok(long.white > 0 && long.white < 100 && Number.isFinite(long.black));
});

const move = (before, after, more = {}) => ({ mover: "white", before, after, book: false, only: false, best: false, ...more });

test("losses of 5, 10 and 15 percent have their names, at the very limits too", () => {
  assert.equal(judge(move(50, 45.01)), "");
  assert.equal(judge(move(50, 45)), "inaccuracy");
  assert.equal(judge(move(50, 40.01)), "inaccuracy");
  assert.equal(judge(move(50, 40)), "mistake");
  assert.equal(judge(move(50, 35.01)), "mistake");
  assert.equal(judge(move(50, 35)), "blunder");
  assert.equal(judge(move(50, 80, { mover: "black" })), "blunder");
  assert.equal(judge(move(50, 20, { mover: "black" })), "");
  assert.equal(lossOf(move(50, 60)), 0);
});

/** A move between two scores, each for White: centipawns, or "#" for a mate of White, "-#" for one of Black. */
const between = (before, after, mover = "white") => {
  const [from, to] = [before, after].map((score) => winPercent(score === "#" ? { mate: 2 } : score === "-#" ? { mate: -2 } : { cp: score }, "white"));
  return judge(move(from, to, { mover }));
};

test("between equal sides, quiet moves of the opening bear no sign, half a pawn is an inaccuracy, and a piece a blunder", () => {
  assert.deepEqual([[30, 0], [20, -25], [0, -50]].map((scores) => between(...scores)), ["", "", ""]);
  assert.deepEqual([[0, -55], [10, -110], [0, -169], [30, -300]].map((scores) => between(...scores)), ["inaccuracy", "mistake", "blunder", "blunder"]);
  assert.deepEqual([[600, 290], [-600, -800], [900, 700]].map((scores) => between(...scores)), ["blunder", "", ""]);
  assert.deepEqual([[0, 55], [0, 169]].map((scores) => between(...scores, "black")), ["inaccuracy", "blunder"]);
});

test("a mate that is lost counts by what is left, one that is allowed by what there was", () => {
  const lost = [1000, 999, 701, 700, 0, -500, "-#"];
  assert.deepEqual(lost.map((left) => between("#", left)), ["inaccuracy", "mistake", "mistake", "blunder", "blunder", "blunder", "blunder"]);
  assert.deepEqual(["#", "-#"].map((score) => between(score, score)), ["", ""], "a longer way to the mate");
  const allowed = [-1000, -999, -701, -700, 0, 500];
  assert.deepEqual(allowed.map((before) => between(before, "-#")), ["inaccuracy", "mistake", "mistake", "blunder", "blunder", "blunder"]);
  assert.deepEqual([["-#", 300], [300, "#"]].map((scores) => between(...scores)), ["", ""]);
  assert.deepEqual([["-#", -1000], ["-#", -800], [800, "#"], [1000, "#"]].map((scores) => between(...scores, "black")), ["inaccuracy", "mistake", "mistake", "inaccuracy"]);
});

test("book moves, only moves and the engine's moves bear no sign", () => {
  for (const name of ["only", "best"]) assert.equal(judge(move(80, 20, { [name]: true })), "");
  assert.equal(judge(move(60, 46, { book: true })), "");
  assert.equal(judge(move(60, 45, { book: true })), "blunder");
});

test("a retried move is good enough if it loses half an inaccuracy at most, and no mate", () => {
  assert.deepEqual([[50, 60], [50, 47.5], [50, 47.4]].map(([before, after]) => isGoodEnough(move(before, after))), [true, true, false]);
  assert.equal(isGoodEnough(move(100, winPercent({ cp: 1000 }, "white"))), false);
  assert.equal(isGoodEnough(move(winPercent({ cp: -1000 }, "white"), 0)), false);
  assert.equal(isGoodEnough(move(100, 100)), true);
  assert.equal(isGoodEnough(move(50, 52.6, { mover: "black" })), false);
});

test("the signs of a review of older versions are those that it had set", () => {
  const moves = [move(50, 40), move(50, 30), move(50, 20), move(50, 40.5), move(100, 90), move(60, 31, { book: true }), move(80, 20, { best: true })];
  assert.deepEqual(judgementsOf({ moves }), ["inaccuracy", "mistake", "blunder", "", "", "", ""]);
  assert.deepEqual(judgementsOf({ moves, curve: CURVE }), ["mistake", "blunder", "blunder", "inaccuracy", "blunder", "blunder", ""]);
});

test("a report counts by side", () => {
  const { white, black, judgements } = report([move(50, 50), move(50, 85, { mover: "black" }), move(85, 74), move(74, 74, { mover: "black" })]);
  assert.deepEqual(judgements, ["", "blunder", "mistake", ""]);
  assert.deepEqual([white.mistake, white.blunder, black.mistake, black.blunder], [1, 0, 0, 1]);
  assert.equal(report([]).white.accuracy, null);
});

test("the sign of a judgement takes the place of that of the review before, and of no other", () => {
  assert.deepEqual(withJudgement([], "blunder", ""), [4]);
  assert.deepEqual(withJudgement([36], "mistake", ""), [2, 36]);
  assert.deepEqual(withJudgement([4, 36], "mistake", "blunder"), [2, 36]);
  assert.deepEqual(withJudgement([6], "", "inaccuracy"), []);
  assert.deepEqual(withJudgement([5], "blunder", "mistake"), [5]);
  assert.deepEqual(withJudgement([1], "", ""), [1]);
});

test("a draw is taken after move 30, if the last four scores were even", () => {
  assert.ok(acceptsDraw([900, 10, -20, 29, 0], 30));
  assert.ok(!acceptsDraw([10, -20, 29, 0], 29));
  assert.ok(!acceptsDraw([10, -20, 30, 0], 40));
  assert.ok(!acceptsDraw([0, 0, 0], 40));
});
