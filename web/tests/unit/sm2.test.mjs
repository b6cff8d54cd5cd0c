// The intervals of SM-2, as they are published.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, dayOf, fresh, isDue, withAnswer } from "../../src/review/sm2.js";

test("the published intervals: one day, six, then by the ease", () => {
  let card = fresh(100);
  assert.equal(card.due, 100);
  const seen = [4, 4, 4, 4].map((grade) => (card = answered(card, grade, card.due)).interval);
  assert.deepEqual(seen, [1, 6, 15, 38], "grade 4 leaves the ease at 2.5");
  assert.equal(card.due, 100 + 1 + 6 + 15 + 38);
});

test("the ease goes up with 5, down with 3, and not below 1.3; a failure begins anew with the same ease", () => {
  assert.ok(Math.abs(answered(fresh(0), 5, 0).ease - 2.6) < 1e-9);
  assert.ok(Math.abs(answered(fresh(0), 3, 0).ease - 2.36) < 1e-9);
  let card = fresh(0);
  for (let count = 0; count < 20; count++) card = answered(card, 3, card.due);
  assert.equal(card.ease, 1.3);
  const failed = answered({ ease: 2.2, repetitions: 5, interval: 40, due: 7 }, 1, 7);
  assert.deepEqual(failed, { ease: 2.2, repetitions: 0, interval: 1, due: 8 });
});

test("days are those where the user is", () => {
  assert.equal(dayOf(new Date(2026, 0, 2, 0, 1)) - dayOf(new Date(2026, 0, 1, 23, 59)), 1);
  assert.equal(dayOf(new Date(2026, 0, 2, 23, 59)), dayOf(new Date(2026, 0, 2, 0, 1)));
});

test("a card is asked on its day, and at once where the calendar was set back", () => {
  const card = answered(answered(fresh(100), 5, 100), 5, 101);
  assert.deepEqual([101, 106, 107, 108].map((day) => isDue(card, day)), [false, false, true, true]);
  assert.equal(isDue(card, 100), true);
});

test("a card that two tabs ask is graded once", () => {
  const card = { key: "a", ...fresh(100) };
  const other = { key: "b", ...fresh(100) };
  const once = withAnswer([card, other], card, 5, 100);
  assert.deepEqual(once, [{ key: "a", ...answered(card, 5, 100) }, other]);
  for (const grade of [5, 4, 1, 0]) assert.deepEqual(withAnswer(once, card, grade, 100), once);
  const failed = withAnswer([card], card, 1, 100);
  assert.deepEqual(withAnswer(failed, card, 5, 100), failed, "the first answer counts, also where it was wrong");
});

test("five years with 300 mistakes: each is asked on its day, and what is known comes ever more seldom", () => {
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  let deck = Array.from({ length: 300 }, (_, at) => ({ key: String(at), ...fresh(at) }));
  const asked = [0, 0, 0, 0, 0];
  for (let day = 0; day < 5 * 365; day++) {
    const due = deck.filter((card) => isDue(card, day) && card.due <= day);
    asked[Math.floor(day / 365)] += due.length;
    for (const card of due) deck = withAnswer(deck, card, random() < 0.9 ? 4 : 1, day);
    assert.deepEqual(deck.filter((card) => card.due <= day), [], `day ${day}`);
  }
  assert.ok(deck.every(({ ease, interval, due }) => ease >= 1.3 && Number.isInteger(interval) && Number.isInteger(due)));
  assert.ok(asked[4] < asked[0] / 3, asked.join());
});
