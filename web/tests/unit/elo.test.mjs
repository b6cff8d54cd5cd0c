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
