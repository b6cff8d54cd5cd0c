// What is kept in the browser and is not as the page wrote it: damaged, of another version, of another day, or of another tab.

import assert from "node:assert/strict";
import { pageTest } from "./page.mjs";

const PLAY = { color: "black", level: 800, clock: null, moves: ["e2e4", "e7e5"], times: [], scores: [], end: null, seed: 1 };
const GAME = { id: "own", pgn: '[White "Sleight 800"]\n[Black "You"]\n[Result "*"]\n\n1. e4 e5 *\n', path: [], mode: "review", touched: true, play: null, review: null };

/** The page on its next load, with the game that this tab showed. */
async function reloadWith(board, game) {
  await board.page.evaluate((kept) => addEventListener("pagehide", () => (sessionStorage.game = kept)), JSON.stringify(game));
  await board.page.reload();
  await board.ready();
}

pageTest("a game that is kept damaged does not keep the page from starting, and what is intact of it stays", async (open) => {
  const board = await open();
  for (const [damage, moves] of [
    [{ pgn: 5 }, 0], [{ pgn: '[FEN "x"]\n\n1. e4 *' }, 0], [{ pgn: '[Variant "Atomic"]\n\n1. e4 *' }, 0],
    [{ path: 5 }, 2], [{ play: {} }, 2], [{ play: { ...PLAY, moves: undefined } }, 2], [{ play: { ...PLAY, end: "1-0" } }, 2],
    [{ play: { ...PLAY, clock: { initial: 60_000, increment: 0 } } }, 2], [{ review: {} }, 2],
    [{ review: { percents: [50], moves: null, best: [] } }, 2], [{ orientation: "sideways", mode: "sideways" }, 2], [{ stamps: 5 }, 2],
  ]) {
    await reloadWith(board, { ...GAME, ...damage });
    await board.waitForMoves(moves);
    assert.equal((await board.moves()).length, moves, JSON.stringify(damage));
  }
  await board.loaded();
});

pageTest("damaged lists of games and of mistakes, and a damaged rival, are read as far as they are intact", async (open) => {
  const board = await open();
  const tomorrow = Math.floor(Date.now() / 86_400_000) + 1;
  // The calendar was set back by a year since this card was asked.
  const card = { key: "k", fen: "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2", uci: "e8e7", best: "b8c6", percent: 45, why: "", game: "own", title: "You", ease: 2.5, repetitions: 1, interval: 1, due: tomorrow + 365 };
  const later = { ...card, key: "later", interval: 6, due: tomorrow + 4 };
  const entry = { id: "own", kind: "own", title: "Sleight 800 – You", result: "*", plies: 2, changed: 2e12, color: "black", opening: 5, strength: {} };
  for (const one of [
    ["sleight", "games", "own", { ...GAME, mode: "analyse", play: PLAY }], ["sleight", "games", "list", [null, 5, { id: "x" }, { ...entry, changed: "yesterday" }, entry]],
    ["sleight-training", "training", "deck", [null, {}, later, card, { ...card, key: "none", fen: "8/8/8/8/8/8/8/8 w - - 0 1" }, { ...card, key: "illegal", uci: "e8e6" }]], ["sleight-training", "training", "rival", { games: 5 }],
  ]) await board.keep(...one);
  await board.page.evaluate(() => addEventListener("pagehide", () => sessionStorage.clear()));
  await board.page.goto("about:blank");
  await board.page.goto(board.url);
  await board.ready();
  await board.waitForMoves(2);
  assert.deepEqual(await board.moves(), ["e4", "e5"], "the newest game that is intact");
  await board.menu("Games");
  await board.waitForText("dialog", "Your games 1");
  await board.page.keyboard.press("Escape");
  await board.menu("Strengths");
  await board.waitForText("dialog", "Play games against Sleight");
  await board.page.keyboard.press("Escape");
  await board.menu("Rival");
  await board.waitForText("dialog", "plays at your own rating");
  await board.page.keyboard.press("Escape");
  await board.menu("Repeat mistakes");
  await board.waitForText(".retry", "Position 1 of 1.*2… Ke7 was not good");
});

pageTest("settings that no choice of the page makes are left out, and those of another tab stay", async (open) => {
  const board = await open();
  await board.page.evaluate(() => addEventListener("pagehide", () => {
    localStorage.settings = JSON.stringify({ clock: "soon", theme: "sideways", lines: 500, minutes: 0, seconds: -1, opponent: "nobody", color: "green", level: 1200 });
  }));
  await board.page.reload();
  await board.ready();
  const kept = () => board.page.evaluate(() => JSON.parse(localStorage.settings));
  const { clock, theme, lines, minutes, opponent, color, level } = await kept();
  assert.deepEqual([clock, theme, minutes, opponent, color, level], ["none", "auto", 10, "sleight", "white", 1200]);
  assert.ok(lines <= 5);
  const first = board.page;
  await board.newTab();
  await board.menu("Settings");
  await board.page.getByRole("radio", { name: "Dark" }).check();
  board.page = first;
  await first.bringToFront();
  await first.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await board.menu("Settings");
  await first.getByRole("radio", { name: "Green" }).check();
  assert.deepEqual([(await kept()).theme, (await kept()).board], ["dark", "green"]);
});

pageTest("positions that the engine refuses are no positions", async (open) => {
  const board = await open();
  await board.paste("4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1");
  await board.page.locator('#square-a1[aria-label="a1, white queen"]').waitFor();
  await board.paste("4k3/8/8/8/8/Q7/PPPPPPPP/RNBQKBNR w - - 0 1");
  await board.waitForText(".toast", "a side has more than sixteen men");
});
