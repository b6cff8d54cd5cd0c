// Ways to play: two people on one board, without takebacks, other levels within a game, one's rival.

import assert from "node:assert/strict";
import { MATE_IN_TWO, pageTest, watchLines } from "./page.mjs";

/** Opens the dialog for a new game, chooses, and begins. */
async function begin({ page }, choose, start = "Standard") {
  await page.locator(".tabs .new").click();
  const dialog = page.locator("dialog");
  await choose(dialog);
  await dialog.getByRole("radio", { name: start, exact: true }).check();
  await dialog.getByRole("button", { name: "Play", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

pageTest("two people play on one board, which turns, with a clock; they agree on a draw or one resigns", async (open) => {
  const board = await open();
  const { page } = board;
  await begin(board, async (dialog) => {
    await dialog.getByRole("radio", { name: "Two players" }).check();
    assert.equal(await dialog.locator("#level, [name=color]").count(), 0, "no level, no color");
    await dialog.getByRole("radio", { name: "5+3", exact: true }).check();
  });
  const first = () => page.locator(".square-grid [role=gridcell]").first().getAttribute("id");
  assert.equal(await first(), "square-a8");
  await board.click("e2", "e4");
  await board.waitForText(".status", "Black to move");
  assert.equal(await first(), "square-h1", "the board turns");
  await board.click("e7", "e5");
  await board.waitForText(".status", "White to move");
  assert.deepEqual(await board.moves(), ["e4", "e5"]);
  assert.equal(await first(), "square-a8");
  assert.ok(await board.button("Hint").isDisabled());
  await page.waitForFunction(() => document.querySelector(".clock.runs")?.textContent === "4:59" || document.querySelector(".clock.runs")?.textContent === "4:58");
  await board.click("g1", "f3");
  await board.button("Takeback").click();
  assert.deepEqual(await board.moves(), ["e4", "e5"], "one move is taken back");
  await board.waitForText(".status", "White to move");
  await board.button("Draw").click();
  await board.waitForText(".play-actions", "Agreed\\?");
  await page.waitForTimeout(600);
  await board.button("Agreed?").click();
  await board.waitForText(".end-card h2", "Draw ½–½");
  assert.equal(await page.getByText("Your accuracy").count(), 0);
  await board.button("Rematch").click();
  await board.click("d2", "d4");
  await board.waitForText(".status", "Black to move");
  await board.button("Resign").click();
  await page.waitForTimeout(600);
  await board.button("Sure?").click();
  await board.waitForText(".end-card h2", "White won 1–0");
  await board.waitForText(".end-card p", "Black resigns, White wins");
  const { pgn } = await board.exported();
  assert.match(pgn, /\[White "White"\]\n\[Black "Black"\]\n\[Result "1-0"\]/);
  await board.menu("Games");
  await board.waitForText(".games h3", "Your games 2");
  assert.ok((await page.locator(".game-list .game span").allTextContents()).every((title) => title === "White – Black"));
});

pageTest("a game without takebacks has none, and a board that is not to turn stays", async (open) => {
  const board = await open({ wait: true });
  await begin(board, (dialog) => dialog.getByLabel("Takebacks").uncheck());
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.waitForText(".status", "Your move");
  assert.ok(await board.button("Takeback").isDisabled());
  await board.reload();
  await board.waitForMoves(2);
  assert.ok(await board.button("Takeback").isDisabled(), "nor after a reload");
  await begin(board, async (dialog) => {
    await dialog.getByRole("radio", { name: "Two players" }).check();
    await dialog.getByLabel("Turn the board").uncheck();
    await dialog.getByLabel("Takebacks").check();
  });
  await board.click("e2", "e4");
  await board.waitForText(".status", "Black to move");
  assert.equal(await board.page.locator(".square-grid [role=gridcell]").first().getAttribute("id"), "square-a8");
  assert.ok(await board.button("Takeback").isEnabled());
});

pageTest("the level changes within a game, which goes on and says so", async (open, serveOwn) => {
  const board = await open({ server: await serveOwn(), before: watchLines, wait: true });
  const level = () => board.page.evaluate(() => self.sent.filter((line) => /UCI_(Elo|LimitStrength)/.test(line)).slice(-2).join("; "));
  await begin(board, async (dialog) => {
    await dialog.locator("#level").fill("1200");
  });
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.waitForText(".status", "Your move");
  assert.match(await level(), /UCI_Elo value 1200/);
  await board.menu("Change level");
  await board.page.locator("dialog #level").fill("800");
  await board.button("Play on").click();
  await board.click("d2", "d4");
  await board.waitForMoves(4);
  assert.match(await level(), /UCI_Elo value 800/);
  await board.waitForText(".status", "Your move");
  const { pgn } = await board.exported();
  assert.match(pgn, /\[Black "Sleight 1200, 800"\]/);
  assert.match(pgn, /1\. e4 \S+ \{ Level 800 from here \} 2\. d4 /);
  await board.menu("Change level");
  await board.page.locator("dialog").getByLabel("Full strength").check();
  await board.button("Play on").click();
  await board.click("g1", "f3");
  await board.waitForMoves(6);
  assert.match(await level(), /UCI_LimitStrength value false/);
});

/** Runs in a page first: the pauses of the engine, for which a promise waits, are held in `held`. */
function holdPauses() {
  const later = self.setTimeout;
  self.held = [];
  self.setTimeout = (run, time, ...others) => (time >= 100 && /native code/.test(run) ? self.held.push(run) : later(run, time, ...others));
}

pageTest("a move that was found at the level before is not played", async (open) => {
  const board = await open({ before: holdPauses, wait: true });
  await begin(board, async (dialog) => {
    await dialog.locator("#level").fill("1200");
  });
  await board.page.evaluate(() => (self.held = []));
  await board.click("e2", "e4");
  await board.page.waitForFunction(() => self.held.length === 1);
  await board.menu("Change level");
  await board.page.locator("dialog #level").fill("800");
  await board.button("Play on").click();
  await board.page.waitForFunction(() => self.held.length === 2);
  await board.page.evaluate(() => self.held[0]());
  await board.page.waitForTimeout(300);
  assert.deepEqual(await board.moves(), ["e4"]);
  await board.page.evaluate(() => self.held[1]());
  await board.waitForMoves(2);
});

pageTest("without a clock the engine takes as many seconds as one likes", async (open, serveOwn) => {
  const board = await open({ server: await serveOwn(), before: watchLines, wait: true });
  await begin(board, async (dialog) => {
    await dialog.getByLabel("Full strength").check();
    await dialog.getByLabel("Seconds a move").fill("2.5");
  });
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  assert.ok(await board.page.evaluate(() => self.sent.includes("go movetime 2500")));
});

pageTest("the rival begins at a level and moves with each result, and its history is drawn", async (open) => {
  const board = await open({ wait: true });
  const { page } = board;
  await board.menu("Rival");
  // The level belongs to the new beginning, and the formula is for who asks.
  await page.locator("dialog").getByRole("group", { name: "Begin at another level" }).locator("#level").fill("1000");
  assert.equal(await page.locator("dialog").getByText("10^((level − rating)").isVisible(), false);
  await board.button("Begin at 1000").click();
  await board.waitForText("dialog strong", "^1000$");
  await board.button("Play the rival").click();
  await page.locator("dialog").getByText("At 1000, your own rating").waitFor();
  await page.locator("dialog").getByRole("radio", { name: "White", exact: true }).check();
  await page.locator("dialog").getByRole("button", { name: "Play", exact: true }).click();
  const lose = async () => {
    await board.click("e2", "e4");
    await board.waitForMoves(2);
    await board.waitForText(".status", "Your move");
    for (const name of ["Takeback", "Hint"]) assert.ok(await board.button(name).isDisabled(), name);
    await board.button("Resign").click();
    await page.waitForTimeout(600);
    await board.button("Sure?").click();
  };
  await lose();
  // Even: half a point was expected, and K is 40.
  await board.waitForText(".end-card", "Your rating: 1000 → 980");
  await board.reload();
  await board.waitForText(".end-card", "Your rating: 1000 → 980");
  await board.menu("Rival");
  await board.waitForText("dialog strong", "^980$");
  await board.waitForText("dialog", "1 game: 0 won, 0 drawn, 1 lost");
  await board.waitForText("dialog figcaption", "1000 at first, 980 after 1 games?\\. Lowest 980, highest 1000");
  assert.match(await page.locator("dialog .history path").getAttribute("d"), /^M0\.0,8\.0L600\.0,112\.0$/);
  await page.keyboard.press("Escape");
  await page.locator(".tabs .new").click();
  await page.locator("dialog").getByText("At 980, your own rating").waitFor();
  // From another position than the ordinary one the result tells nothing.
  await page.keyboard.press("Escape");
  await board.paste(MATE_IN_TWO);
  await page.waitForFunction(() => document.querySelector("#square-h1")?.ariaLabel === "h1, white rook");
  await begin(board, async () => {}, "This position");
  await board.click("c6", "b6");
  await board.waitForMoves(2);
  await board.click("h1", "h8");
  await board.waitForText(".end-card", "You won");
  await board.menu("Rival");
  await board.waitForText("dialog strong", "^980$");
});
