// Phases and strengths, by positions and numbers worked out by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { phaseOf, strengthOf, strengths, whole } from "../../src/review/strengths.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MIDDLE = "r4rk1/ppp2ppp/2n1bn2/3q4/3P4/2N1BN2/PP2QPPP/R4RK1 w - - 0 15";
const END = "4r1k1/ppp2ppp/8/8/8/8/PP3PPP/3R2K1 w - - 0 30";

test("a phase is told by pieces and by the first ranks", () => {
  assert.deepEqual([START, MIDDLE, END].map(phaseOf), ["opening", "middlegame", "endgame"]);
  assert.equal(phaseOf("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "endgame");
});

const move = (mover, before, after) => ({ mover, before, after, book: false, only: false, best: false });

test("a game is counted by phase, for the user's moves only, and no phase comes back", () => {
  const moves = [move("white", 50, 50), move("black", 50, 50), move("white", 50, 20), move("black", 20, 60), move("white", 60, 60)];
  const strength = strengthOf([START, START, MIDDLE, MIDDLE, START], moves, "white");
  assert.deepEqual([strength.opening.moves, strength.middlegame.moves, strength.endgame.moves], [1, 2, 0]);
  assert.deepEqual([strength.opening.errors, strength.middlegame.errors], [0, 1]);
  assert.equal(strength.opening.accuracy, 100);
  assert.ok(strength.middlegame.accuracy > 100 && strength.middlegame.accuracy < 150);
  assert.deepEqual([whole(strength).moves, whole(strength).errors], [3, 1]);
  assert.equal(whole(strengthOf([START, START], moves.slice(0, 2), "black")).accuracy, 100);
});

test("strengths are by color, phase and opening; accuracy is of moves, errors are of games", () => {
  const part = (moves, accuracy, errors) => ({ moves, accuracy, errors });
  const none = part(0, 0, 0);
  const games = [
    { color: "white", opening: "B20 Sicilian Defense: Najdorf", strength: { opening: part(10, 900, 0), middlegame: part(10, 500, 3), endgame: none } },
    { color: "black", opening: "B21 Sicilian Defense", strength: { opening: part(10, 1000, 1), middlegame: none, endgame: none } },
    { color: "black", opening: "C20 King's Pawn Game", strength: { opening: part(20, 1000, 2), middlegame: none, endgame: none } },
    { color: "white", opening: "C20 King's Pawn Game" },
  ];
  const { all, colors, phases, openings } = strengths(games);
  assert.deepEqual(all, { name: "All games", games: 3, accuracy: 68, errors: 2 });
  assert.deepEqual(colors[0], { name: "White", games: 1, accuracy: 70, errors: 3 });
  assert.deepEqual(colors[1], { name: "Black", games: 2, accuracy: 2000 / 30, errors: 1.5 });
  assert.deepEqual(phases.map(({ name, games: count, errors }) => [name, count, errors]), [["Opening", 3, 1], ["Middlegame", 1, 3], ["Endgame", 0, 0]]);
  assert.equal(phases[2].accuracy, null);
  assert.deepEqual(openings.map(({ name, games: count }) => [name, count]), [["Sicilian Defense", 2], ["King's Pawn Game", 1]]);
  assert.equal(strengths([]).all.accuracy, null);
});

test("100,000 games of one opening are counted once each", () => {
  const part = { moves: 10, accuracy: 800, errors: 1 };
  const game = { color: "white", opening: "C20 King's Pawn Game", strength: { opening: part, middlegame: part, endgame: part } };
  const { all, openings } = strengths(Array.from({ length: 100_000 }, () => game));
  assert.deepEqual([all.games, all.accuracy, all.errors], [100_000, 80, 3]);
  assert.deepEqual(openings, [{ ...all, name: "King's Pawn Game" }]);
});
