// What a clock decides where the browser runs the timers of the page late, as in a tab that is hidden, or on a busy machine.

import assert from "node:assert/strict";
import { pageTest } from "./page.mjs";

/** Runs in a page first: the clock is never looked at by the timer, and `late` is what it is ahead by, in milliseconds. */
function lateTimers() {
  const every = self.setInterval;
  const now = performance.now.bind(performance);
  self.late = 0;
  performance.now = () => now() + self.late;
  self.setInterval = (run, time, ...others) => every(run, time === 100 ? 2 ** 30 : time, ...others);
}

/** Lets ten minutes pass as soon as there are so many moves. @param {import("./page.mjs").Board} board @param {number} moves */
function passTimeAfter(board, moves) {
  return board.page.evaluate((count) => {
    const observer = new MutationObserver(() => {
      if (document.querySelectorAll(".move-list .san").length < count) return;
      observer.disconnect();
      self.late = 600_000;
    });
    observer.observe(document.body, { childList: true, subtree: true });
  }, moves);
}

pageTest("after a flag has fallen no move of the engine counts", async (open) => {
  const board = await open({ before: lateTimers, wait: true });
  await board.playFrom({ clock: "5+3" });
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await passTimeAfter(board, 3);
  await board.click("d2", "d4");
  await board.waitForText(".end-card", "on time");
  assert.equal((await board.moves()).length, 3);
  assert.match((await board.exported()).pgn, /\[Result "1-0"\]\n\[TimeControl "300\+3"\]\n\[Termination "Time forfeit"\]/);
});

pageTest("after a flag has fallen nothing is taken back", async (open) => {
  const board = await open({ before: lateTimers, wait: true });
  await board.playFrom({ clock: "5+3" });
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.page.evaluate(() => (self.late = 600_000));
  await board.button("Takeback").click();
  await board.waitForText(".end-card", "You lost on time|White lost on time");
  assert.equal((await board.moves()).length, 2);
});

pageTest("a look at the deck gives no time back", async (open) => {
  const board = await open({ before: lateTimers, wait: true });
  const today = Math.floor(Date.now() / 86_400_000);
  await board.keep("sleight-training", "training", "deck", [{
    key: "k", fen: "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2", uci: "e8e7", best: "b8c6", percent: 45, why: "", game: "own", title: "You",
    ease: 2.5, repetitions: 0, interval: 0, due: today - 1,
  }]);
  await board.reload();
  await board.loaded();
  await board.playFrom({ clock: "5+3" });
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.page.evaluate(() => (self.late = 120_000));
  await board.menu("Repeat mistakes");
  await board.waitForText(".retry", "Position 1 of 1");
  await board.button("Back to the game").click();
  await board.waitForText(".under", "Your move");
  const left = await board.page.locator(".player.bottom .clock").textContent();
  assert.match(left, /^(3:00|2:)/);
});
