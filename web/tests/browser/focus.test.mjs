// The keyboard keeps its place, whatever comes and goes.

import assert from "node:assert/strict";
import { fenLink, MATE_IN_TWO, pageTest } from "./page.mjs";

const focused = (board) => board.page.evaluate(() => {
  const { activeElement } = document;
  return activeElement === document.body ? "nowhere" : activeElement.ariaLabel || activeElement.textContent.trim().slice(0, 40);
});

/** Where the focus is once the page has been drawn. */
const settled = (board) => board.page.evaluate(() => new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))).then(() => focused(board));

pageTest("a dialog gives the focus back, however it is closed, and does not begin at Close", async (open) => {
  const board = await open();
  const { page } = board;
  const begin = page.locator(".tabs .new");
  const ways = {
    Escape: () => page.keyboard.press("Escape"),
    Close: () => page.locator("dialog").getByRole("button", { name: "Close" }).click(),
    outside: () => page.mouse.click(5, 5),
  };
  for (const [name, close] of Object.entries(ways)) {
    await begin.focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    assert.notEqual(await settled(board), "Close", name);
    await close();
    await page.waitForSelector("dialog", { state: "detached" });
    assert.equal(await settled(board), "New game", name);
  }
  for (const name of ["Games", "Load PGN or FEN", "Export", "Position editor", "Settings", "Keys", "About"]) {
    await board.menu(name);
    await page.waitForSelector("dialog[open]");
    const place = await settled(board);
    assert.ok(!["Close", "nowhere"].includes(place), `${name} begins at ${place}`);
    assert.ok(await page.evaluate(() => document.activeElement.closest("dialog") !== null), name);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    assert.equal(await settled(board), "Menu", name);
  }
});

pageTest("what vanishes under the focus leaves it near by: Resign, Finish, Undo, the last step, a deleted game", async (open) => {
  const board = await open();
  const { page } = board;
  const inPanel = () => page.evaluate(() => document.activeElement.closest(".panel") !== null);
  const press = async (name) => {
    await board.button(name).focus();
    await page.keyboard.press("Enter");
  };
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await press("Resign");
  await page.waitForTimeout(600);
  await page.keyboard.press("Enter");
  await board.waitForText(".end-card", "You lost");
  assert.notEqual(await settled(board), "nowhere", "Resign");
  assert.ok(await inPanel(), "Resign");
  await board.paste("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0");
  await press("Review this game");
  assert.notEqual(await settled(board), "nowhere", "Review this game");
  await board.waitForText(".report", "Accuracy");
  await press("Retry Black's mistakes");
  await board.waitForText(".retry", "Find a better move");
  assert.notEqual(await settled(board), "nowhere", "Retry");
  await press("Finish");
  await page.waitForSelector(".retry", { state: "detached" });
  assert.notEqual(await settled(board), "nowhere", "Finish");
  await press("Start of the game");
  await press("Next move");
  await press("Previous move");
  assert.notEqual(await settled(board), "nowhere", "Previous move, up to the start");
  await page.keyboard.press("Tab");
  assert.equal(await focused(board), "Next move");
  await board.menu("Games");
  await page.locator(".game-list .icon-button:enabled").first().focus();
  const games = await page.locator(".game-list .game").count();
  await page.keyboard.press("Enter");
  await page.waitForFunction((count) => document.querySelectorAll(".game-list .game").length < count, games);
  assert.ok(await settled(board) !== "nowhere" && (await page.evaluate(() => document.activeElement.closest("dialog") !== null)), "a deleted game");
});

pageTest("the card of a game's end gives the focus away with its New game", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO) });
  await board.playFrom();
  await board.drag("c6", "b6");
  await board.waitForMoves(2);
  await board.drag("h1", "h8");
  await board.waitForText(".end-card", "You won");
  await board.page.locator(".end-card").getByRole("button", { name: "New game" }).focus();
  await board.page.keyboard.press("Enter");
  await board.page.locator("dialog").getByRole("button", { name: "Play", exact: true }).focus();
  await board.page.keyboard.press("Enter");
  await board.page.waitForSelector("dialog, .end-card", { state: "detached" });
  assert.notEqual(await settled(board), "nowhere");
});
