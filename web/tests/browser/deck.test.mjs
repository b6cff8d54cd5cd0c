// The first screen, and the deck of own mistakes.

import assert from "node:assert/strict";
import { pageTest } from "./page.mjs";

const DAY = 86_400_000;

pageTest("the first screen chooses level and clock of the game that a move begins, and color by Play", async (open) => {
  const board = await open({ wait: true });
  const start = board.page.locator(".start");
  assert.equal(await board.page.locator(".play-actions").count(), 0, "nothing to take back yet");
  await start.getByRole("radio", { name: "800" }).check();
  await start.getByRole("radio", { name: "5+3" }).check();
  await board.waitForText(".player.top .name", "Sleight 800");
  await board.waitForText(".player.bottom .clock", "5:00");
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.waitForText(".play-actions", "Takeback");
  assert.equal(await start.count(), 0);
  const other = await open({ wait: true });
  await other.page.locator(".start").getByRole("radio", { name: "Black" }).check();
  assert.deepEqual(await other.moves(), []);
  await other.page.locator(".start").getByRole("button", { name: "Play", exact: true }).click();
  await other.waitForMoves(1);
  assert.match(await other.page.locator(".player.bottom .name").textContent(), /You/);
});

pageTest("a review of an older version is made anew and its signs are replaced, and cards of its time are asked for", async (open) => {
  const board = await open();
  const move = (mover, before, after) => ({ mover, before, after, book: false, only: false, best: false });
  const moves = [move("white", 80, 53), move("black", 53, 53), move("white", 53, 45), move("black", 45, 100), move("white", 100, 100)];
  const fen = "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2";
  const card = { key: fen.slice(0, -4), fen, uci: "e8e7", best: "b8c6", percent: 99, why: "", game: "own", title: "Sleight 800 – You", ease: 2.5, repetitions: 0, interval: 0, due: 0 };
  await board.keepOwnGame('[White "Sleight 800"]\n[Black "You"]\n[Result "1-0"]\n\n1. e4 $2 e5 $1 2. Qh5 Ke7 $4 3. Qxe5# 1-0\n', { percents: [80, 53, 53, 45, 100, 100], best: ["d2d4", "", "", "", "", ""], moves }, [card]);
  const entry = board.page.locator(".start .game");
  assert.doesNotMatch(await entry.textContent(), /42 %/);
  await entry.click();
  await board.waitForText(".panel-review", "This review is of an older version of the page");
  assert.equal(await board.page.locator(".report, .turning, .moment").count(), 0);
  assert.deepEqual(await board.page.locator(".move .glyph").allTextContents(), ["?", "!", "??"]);
  // By its chances, White had 99 % already, and any move of Black would do.
  await board.menu("Repeat mistakes");
  await board.waitForText(".retry", "2… Ke7 was not good");
  await board.click("a7", "a6");
  await board.waitForText(".retry", "Not good enough");
  await board.button("Finish").click();
  await board.button("Review this game").click();
  await board.waitForText(".report", "Accuracy");
  assert.deepEqual(await board.page.locator(".move .glyph").allTextContents(), ["!", "??"]);
  assert.equal(await board.page.getByText("older version").count(), 0);
});

pageTest("a mistake of an own game comes into the deck, is asked for, and comes back on the next day", async (open) => {
  const board = await open();
  // An own game as it is kept, with a blunder that no engine doubts.
  const move = (mover, before, after) => ({ mover, before, after, book: false, only: false, best: false });
  await board.keepOwnGame('[White "Sleight 800"]\n[Black "You"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n', {
    curve: "people", percents: [53, 53, 53, 49, 100, 100], best: ["e2e4", "e7e5", "g1f3", "b8c6", "h5e5", ""], why: ["", "", "", "", "It allows mate: 3. Qxe5#.", ""],
    moves: [move("white", 53, 53), move("black", 53, 53), move("white", 53, 49), move("black", 49, 100), move("white", 100, 100)],
  });
  // A new visit begins at the first screen, which leads to the game that is over.
  await board.page.locator(".start .game").getByText("Sleight 800 – You").click();
  await board.waitForText(".moment", "It allows mate");
  await board.page.close();
  await board.newTab();
  await board.button("Repeat your mistakes: 1 due").waitFor();
  await board.page.locator(".start .game").click();
  await board.waitForText(".moment", "It allows mate");
  await board.menu("Repeat mistakes");
  await board.waitForText(".retry", "Position 1 of 1.*2… Ke7 was not good");
  await board.menu("Repeat mistakes");
  await board.waitForText(".retry", "Position 1 of 1.*2… Ke7 was not good");
  await board.click("b8", "c6");
  await board.waitForText(".retry", "Good move.*It allows mate: 3. Qxe5#");
  await board.button("Finish").click();
  await board.waitForText(".toast", "1 of 1 known");
  await board.waitForText(".moment", "It allows mate");
  assert.equal((await board.moves()).length, 5, "the game before is back");
  const [card] = await board.page.evaluate(() => new Promise((done) => {
    indexedDB.open("sleight-training").onsuccess = ({ target }) => {
      target.result.transaction("training").objectStore("training").get("deck").onsuccess = (event) => done(event.target.result);
    };
  }));
  assert.equal(card.interval, 1);
  assert.equal(card.repetitions, 1);
  assert.ok(Math.abs(card.due - Date.now() / DAY) < 2.5);
  await board.menu("Repeat mistakes");
  await board.waitForText(".toast", "No mistake is due today");
});
