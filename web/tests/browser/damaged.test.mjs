// What is kept in the browser and is not as the page wrote it: damaged, of another version, of another day, or of another tab.

import assert from "node:assert/strict";
import { pageTest } from "./page.mjs";

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
