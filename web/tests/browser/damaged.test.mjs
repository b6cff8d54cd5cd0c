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
