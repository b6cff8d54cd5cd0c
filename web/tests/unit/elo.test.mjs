// Ratings by Elo's rule.

import assert from "node:assert/strict";
import { test } from "node:test";
import { expected, rated } from "../../src/review/elo.js";

test("what is expected: half of the points from an equal, ten elevenths from one 400 below", () => {
  assert.equal(expected(1500, 1500), 0.5);
  assert.ok(Math.abs(expected(1900, 1500) - 10 / 11) < 1e-12);
  assert.ok(Math.abs(expected(1500, 1900) + expected(1900, 1500) - 1) < 1e-12);
});

test("K is 40 for 30 games, then 20", () => {
  assert.equal(rated(1500, 1500, 1, 0), 1520);
  assert.equal(rated(1500, 1500, 0, 29), 1480);
  assert.equal(rated(1500, 1500, 1, 30), 1510);
  assert.equal(rated(1500, 1500, 0.5, 0), 1500);
  assert.ok(Math.abs(rated(1500, 1900, 1, 0) - 1500 - 400 / 11) < 1e-9);
});

test("in a long series against a rival of one's own rating, the rating becomes one's strength, also beyond the levels", () => {
  const [lowest, highest] = [800, 2600];
  for (const strength of [400, 900, 1500, 2500, 2900]) {
    let rating = 1500;
    let sum = 0;
    for (let game = 0; game < 4000; game++) {
      const level = Math.max(lowest, Math.min(highest, Math.round(rating)));
      const chance = expected(strength, level);
      // As many points as are expected, spread evenly.
      const score = Math.floor(chance * (game + 1)) - Math.floor(chance * game);
      rating = rated(rating, level, score, game);
      if (game >= 2000) sum += rating;
    }
    assert.ok(Math.abs(sum / 2000 - strength) < 60, `${strength}: ${sum / 2000}`);
  }
});
