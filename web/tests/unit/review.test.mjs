// Judgements and accuracy, by values worked out by hand and by the published curve.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gameAccuracy, moveAccuracy, percentOfScore, winPercent } from "../../src/review/accuracy.js";
import { acceptsDraw, judge, lossOf, report, withJudgement } from "../../src/review/judge.js";

const near = (value, wanted, within = 0.01) => assert.ok(Math.abs(value - wanted) <= within, `${value}, not ${wanted}`);

test("win percent is wins and half of the draws, from White's side", () => {
  const line = { wdl: [500, 300, 200], score: { cp: 50 } };
  assert.equal(winPercent(line, "white"), 65);
  assert.equal(winPercent(line, "black"), 35);
  assert.equal(winPercent({ wdl: null, score: { mate: 3 } }, "black"), 0);
  assert.equal(percentOfScore({ mate: -2 }), 0);
  near(percentOfScore({ cp: 0 }), 50);
  near(percentOfScore({ cp: 100 }), 59.1, 0.1);
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

test("losses of 10, 20 and 30 percent have their names, at the very limits too", () => {
  assert.equal(judge(move(50, 40.01)), "");
  assert.equal(judge(move(50, 40)), "inaccuracy");
  assert.equal(judge(move(50, 30.01)), "inaccuracy");
  assert.equal(judge(move(50, 30)), "mistake");
  assert.equal(judge(move(50, 20)), "blunder");
  assert.equal(judge(move(50, 80, { mover: "black" })), "blunder");
  assert.equal(judge(move(50, 20, { mover: "black" })), "");
  assert.equal(lossOf(move(50, 60)), 0);
});

test("book moves, only moves, the engine's moves and those of the winner bear no sign", () => {
  for (const name of ["only", "best"]) assert.equal(judge(move(80, 20, { [name]: true })), "");
  assert.equal(judge(move(60, 31, { book: true })), "");
  assert.equal(judge(move(60, 30, { book: true })), "blunder");
  assert.equal(judge(move(100, 90)), "");
  assert.equal(judge(move(100, 89.9)), "inaccuracy");
  assert.equal(judge(move(0, 10, { mover: "black" })), "");
  assert.equal(judge(move(0, 11, { mover: "black" })), "inaccuracy");
});

test("a report counts by side", () => {
  const { white, black, judgements } = report([move(50, 50), move(50, 85, { mover: "black" }), move(85, 60), move(60, 60, { mover: "black" })]);
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
