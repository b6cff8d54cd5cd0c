// Own games are kept apart from those that are loaded, found again, saved, deleted and brought back.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fenLink, MATE_IN_TWO, pageTest } from "./page.mjs";

/** Plays one's first move of a game and resigns it. */
async function playAndResign(board, from, to) {
  await board.playFrom();
  await board.click(from, to);
  await board.waitForMoves(2);
  await board.button("Resign").click();
  await board.page.waitForTimeout(600);
  await board.button("Sure?").click();
  await board.waitForText(".end-card", "You lost");
}

const titles = (board) => board.page.locator(".game-list .game span").allTextContents();

pageTest("205 games that are only looked at push out nothing, and are not in the list", async (open) => {
  const board = await open();
  await playAndResign(board, "e2", "e4");
  for (let count = 1; count <= 205; count++) {
    await board.paste(`[White "W${count}"]\n[Black "B"]\n\n1. d4 *`);
    await board.page.waitForFunction((name) => document.querySelector(".player.bottom .name").textContent === name, `W${count}`);
  }
  await board.menu("Games");
  await board.waitForText(".games h3", "Your games 1");
  assert.equal((await titles(board)).length, 1);
  await board.page.locator(".game-list .game").click();
  await board.page.waitForSelector("dialog", { state: "detached" });
  await board.waitForText(".move-list", "e4");
  await board.reload();
  await board.waitForText(".move-list", "e4");
});

pageTest("a loaded game is there after a reload and by Back, and in the list once something is done with it", async (open) => {
  const board = await open();
  await board.paste('[White "A"]\n[Black "B"]\n\n1. d4 d5 *');
  await board.waitForText(".san", "d5");
  await board.reload();
  await board.waitForText(".san", "d5");
  await board.paste('[White "C"]\n[Black "D"]\n\n1. c4 c5 *');
  await board.waitForText(".san", "c5");
  await board.reload();
  await board.page.goBack();
  await board.waitForText(".san", "d5");
  await board.menu("Games");
  await board.waitForText("dialog", "No games yet");
  await board.page.keyboard.press("Escape");
  await board.page.keyboard.press("End");
  await board.click("c2", "c4");
  await board.waitForText(".san", "c4");
  await board.menu("Games");
  await board.waitForText(".games h3", "Loaded and analysed 1");
  assert.deepEqual(await titles(board), ["A – B"]);
});

pageTest("games are found by name, opening, result and date, saved as PGN, deleted and brought back", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO) });
  await board.playFrom();
  await board.click("c6", "b6");
  await board.waitForMoves(2);
  await board.click("h1", "h8");
  await board.waitForText(".end-card", "You won");
  for (const [white, event, moves] of [["Morphy", "1858.11.02", "1. e4 e5 2. Nf3 d6"], ["Fischer", "1972.07.11", "1. d4 d5 2. c4 dxc4"]]) {
    await board.paste(`[White "${white}"]\n[Black "Other"]\n[Date "${event}"]\n[Result "0-1"]\n\n${moves} 0-1`);
    await board.waitForText(".player.bottom", white);
    await board.page.keyboard.press("End");
    await board.waitForText(".opening", white === "Morphy" ? "Philidor" : "Queen's Gambit");
    await board.click("b1", "c3");
    await board.waitForMoves(5);
  }
  await board.menu("Games");
  await board.waitForText(".games h3", "Loaded and analysed 2");
  const field = board.page.locator("#find-game");
  for (const [words, wanted] of [
    ["morphy", ["Morphy – Other"]], ["philidor", ["Morphy – Other"]], ["1972", ["Fischer – Other"]], ["1972-07", ["Fischer – Other"]],
    ["0-1 other", ["Fischer – Other", "Morphy – Other"]], ["won", ["You – Sleight 800"]], ["1-0", ["You – Sleight 800"]], ["nothing", []],
  ]) {
    await field.fill(words);
    const found = await titles(board);
    assert.deepEqual(found.map((title) => title.replace(/Sleight \d+/, "Sleight 800")), wanted, words);
  }
  await field.fill("other");
  await board.page.getByLabel("All", { exact: true }).check();
  const [download] = await Promise.all([board.page.waitForEvent("download"), board.page.getByRole("button", { name: "Save 2 as PGN" }).click()]);
  const pgn = await readFile(await download.path(), "utf8");
  assert.match(pgn, /Fischer[^]*1\. d4 d5 2\. c4 dxc4 3\. Nc3[^]*\n\n\[Event[^]*Morphy[^]*1\. e4 e5 2\. Nf3 d6 3\. Nc3/);
  await field.fill("");
  await board.page.getByLabel("Select Morphy – Other").check();
  await board.page.getByLabel("Select You").check();
  await board.button("Delete 2").click();
  await board.waitForText(".toast", "2 games deleted");
  assert.deepEqual(await titles(board), ["Fischer – Other"]);
  assert.equal(await board.page.evaluate(() => document.activeElement.id), "find-game", "the keyboard keeps a place");
  await board.page.locator("dialog .toast button").click();
  await board.waitForText(".games h3", "Your games 1");
  assert.equal((await titles(board)).length, 3);
  await board.page.locator(".game").getByText("Morphy – Other").click();
  await board.waitForText(".opening", "Philidor");
  await board.waitForMoves(5);
});
