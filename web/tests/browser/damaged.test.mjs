// What is kept in the browser and is not as the page wrote it: damaged, of another version, of another day, or of another tab.

import assert from "node:assert/strict";
import { pageTest } from "./page.mjs";

pageTest("positions that the engine refuses are no positions", async (open) => {
  const board = await open();
  await board.paste("4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1");
  await board.page.locator('#square-a1[aria-label="a1, white queen"]').waitFor();
  await board.paste("4k3/8/8/8/8/Q7/PPPPPPPP/RNBQKBNR w - - 0 1");
  await board.waitForText(".toast", "a side has more than sixteen men");
});
