// The report as it is told: where the game turned, its moments as cards, and why each move is bad.

import assert from "node:assert/strict";
import { pageTest } from "./page.mjs";

const MATED = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0";

pageTest("a review tells where the game turned, and each moment is a card with why and Retry", async (open) => {
  const board = await open({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await board.paste(MATED);
  await board.button("Review this game").click();
  await board.waitForText(".turning", "^It turned at \\d+(\\.|…) \\S+ (White|Black)'s chances: \\d+ % to \\d+ %$");
  await board.page.locator(".turning").getByRole("button").click();
  await board.waitForText(".move[aria-current]", "Ke7");
  await board.page.keyboard.press("Home");
  const cards = board.page.locator(".moment");
  const texts = await cards.allTextContents();
  const signs = (await board.page.locator(".report tbody td:not(.accuracy)").allTextContents()).reduce((sum, text) => sum + Number(text), 0);
  assert.equal(texts.length, signs, "one card for each move that is counted");
  const last = texts.findIndex((text) => text.startsWith("2… Ke7"));
  assert.ok(last >= 0, texts.join("\n"));
  assert.match(texts[last], /It allows mate: 3\. Qxe5#\..*Better: \S+/);
  assert.ok((await board.page.evaluate(() => document.documentElement.scrollWidth)) <= 390, "no overflow");
  await cards.nth(last).getByRole("button", { name: "Show" }).click();
  assert.equal(await board.on("e7"), "black king");
  assert.equal(await board.page.locator(".moment[aria-current]").count(), 1);
  await cards.nth(last).getByRole("button", { name: "Retry" }).click();
  await board.waitForText(".retry", "2… Ke7 was not good");
  await board.reload();
  await board.waitForText(".moment", "It allows mate: 3. Qxe5#");
});

pageTest("where a game was lost before, it does not turn", async (open) => {
  const board = await open();
  const move = (mover, before, after) => ({ mover, before, after, book: false, only: false, best: false });
  const pgn = '[White "Sleight 800"]\n[Black "You"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n';
  const review = (...percents) => ({ curve: "people", percents, best: ["", "", "", "b8c6", "", ""], moves: percents.slice(1).map((percent, at) => move(at % 2 ? "black" : "white", percents[at], percent)) });
  const told = async (...percents) => {
    await board.keepOwnGame(pgn, review(...percents));
    await board.page.locator(".start .game").click();
    await board.page.locator(".turning").waitFor();
    return board.page.locator(".turning").textContent();
  };
  assert.equal(await told(80, 80, 80, 80, 97, 100), "The costliest move: 2… Ke7 Black's chances: 20 % to 3 %");
  assert.equal(await told(80, 80, 80, 62, 97, 100), "It turned at 2… Ke7 Black's chances: 38 % to 3 %");
  assert.equal(await told(40, 61, 80, 80, 97, 100), "It turned at 1… e5 Black's chances: 39 % to 20 %", "though another move cost nearly as much");
  assert.match(await told(3, 3, 3, 3, 25, 100), /^The costliest move: 2… Ke7 Black's chances: 97 % to 75 %$/, "still won");
});

pageTest("the card of the move on the board comes into view, and the page stays where it is", async (open) => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 360, height: 740 }]) {
    const board = await open({ viewport });
    await board.paste("1. e4 e5 2. Qh5 Ke7 3. a3 a6 4. Qxe5# 1-0");
    await board.button("Review this game").click();
    await board.page.locator(".moment").nth(2).waitFor();
    const seen = () => board.page.evaluate(() => {
      const row = document.querySelector(".moments").getBoundingClientRect();
      const cards = [...document.querySelectorAll(".moment")].map((card) => [card, card.getBoundingClientRect()]);
      return { here: cards.filter(([card, { left, right }]) => card.matches("[aria-current]") && left >= row.left && right <= row.right).length, top: scrollY };
    });
    const top = await board.page.evaluate(() => scrollY);
    await board.page.keyboard.press("End");
    await board.page.keyboard.press("ArrowLeft");
    assert.equal(await board.page.locator(".moment").last().getAttribute("aria-current"), "true");
    await board.page.waitForTimeout(200);
    assert.deepEqual(await seen(), { here: 1, top }, `last at ${viewport.width}`);
    for (const move of ["ArrowLeft", "ArrowLeft"]) await board.page.keyboard.press(move);
    await board.page.waitForTimeout(200);
    assert.deepEqual(await seen(), { here: 1, top }, `first at ${viewport.width}`);
  }
});
