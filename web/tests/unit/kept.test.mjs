// What is kept in the browser, damaged: what is intact of it is read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CURVE } from "../../src/review/accuracy.js";
import { intactDeck, intactGame, intactList, intactRival } from "../../src/store/kept.js";

const PLAY = { color: "black", level: 800, clock: { initial: 1, increment: 0 }, moves: ["e2e4"], times: [{ white: 1, black: 1 }], scores: [5], end: { result: "1-0", reason: "checkmate" }, seed: 1 };
const REVIEW = { percents: [50, 40], moves: [{ mover: "white", before: 50, after: 40, book: false, only: false, best: false }], best: ["e2e4", ""], why: ["", "x"], by: { engine: "E", nodes: 1 }, line: ["e2e4"] };
const GAME = { id: "a", pgn: "1. e4 *", path: ["e2e4"], play: PLAY, review: REVIEW, mode: "review", orientation: "black", touched: true };

test("an intact game stays as it is, and without a PGN there is none", () => {
  assert.deepEqual(intactGame(GAME), GAME);
  for (const none of [undefined, null, 5, "x", [], {}, { id: "a" }, { ...GAME, pgn: null }, { ...GAME, id: 7 }]) assert.equal(intactGame(none), undefined);
});

test("a game loses what is damaged in it, and nothing else", () => {
  const plays = [5, {}, { color: "red" }, { level: "high" }, { level: Number.NaN }, { moves: undefined }, { moves: [5] }, { times: null }, { times: [] }, { times: [{ white: 1 }] }, { scores: ["x"] }, { end: "1-0" }, { end: { result: "2-0", reason: "" } }, { end: undefined }, { clock: {} }, { seconds: -1 }];
  for (const damage of plays) assert.deepEqual(intactGame({ ...GAME, play: typeof damage === "object" ? { ...PLAY, ...damage, ...(Object.keys(damage).length === 0 && { color: 0 }) } : damage }), { ...GAME, play: null }, JSON.stringify(damage));
  const reviews = [5, { percents: [50] }, { percents: [50, "x"] }, { moves: null }, { moves: [null] }, { best: ["e2e4"] }, { best: [1, 2] }, { why: "x" }, { by: {} }, { line: "e2e4" }];
  for (const damage of reviews) assert.deepEqual(intactGame({ ...GAME, review: typeof damage === "object" ? { ...REVIEW, ...damage } : damage }), { ...GAME, review: null }, JSON.stringify(damage));
  const { orientation, ...unturned } = GAME;
  assert.deepEqual(intactGame({ ...GAME, orientation: "up" }), unturned);
  assert.deepEqual(intactGame({ ...GAME, path: 5, mode: "x" }), { ...GAME, path: [], mode: "analyse" });
  assert.deepEqual(intactGame({ ...GAME, touched: undefined }), GAME, "a game of before there was the mark");
});

test("of lists, the intact entries are read", () => {
  const entry = { id: "a", title: "t", result: "*", plies: 1, changed: 2 };
  assert.deepEqual(intactList([null, 5, {}, { ...entry, changed: "x" }, { ...entry, title: 5 }, entry]), [entry]);
  const [now, before] = [{ ...entry, curve: CURVE, accuracy: { white: 90, black: null } }, { ...entry, accuracy: { white: 50, black: null }, strength: {} }];
  assert.deepEqual(intactList([now, before]), [now, entry], "accuracy by chances of an older version is not that of now");
  const part = { moves: 1, accuracy: 90, errors: 0 };
  const full = { ...now, opening: "C20", date: "2026.01.02", color: "white", strength: { opening: part, middlegame: part, endgame: part } };
  assert.deepEqual(intactList([full]), [full]);
  for (const damage of [{ opening: 5 }, { date: 5 }, { color: "red" }, { accuracy: 5 }, { accuracy: null }, { strength: 5 }, { strength: {} }, { strength: { ...full.strength, endgame: {} } }]) {
    const { [Object.keys(damage)[0]]: _, ...rest } = full;
    assert.deepEqual(intactList([{ ...full, ...damage }]), [rest], JSON.stringify(damage));
  }
  const card = { key: "k", fen: "f", uci: "u", best: "b", why: "", title: "t", game: "g", percent: 50, ease: 2.5, repetitions: 0, interval: 0, due: 1 };
  assert.deepEqual(intactDeck([null, {}, { ...card, due: null }, card]), [card]);
  const game = { game: "g", level: 1500, score: 1, rating: 1520 };
  assert.deepEqual(intactRival({ start: 1500, games: [null, { ...game, rating: "x" }, game] }), { start: 1500, games: [game] });
  for (const none of [undefined, null, 5, "x", {}]) assert.deepEqual([intactList(none), intactDeck(none), intactRival(none)], [[], [], null]);
});
