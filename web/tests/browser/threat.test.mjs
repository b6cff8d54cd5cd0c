// What the other side threatens, and the bar of win, draw and loss.

import assert from "node:assert/strict";
import { fenLink, pageTest } from "./page.mjs";

/** Black threatens mate by Qxh2; White, to move, is not in check. */
const MATE_THREATENED = "6k1/2q2ppp/8/2b2b2/8/8/PP3PPP/R2R2K1 w - - 0 1";

pageTest("the threat is shown by button and by key, as arrow and moves, and goes with the position", async (open) => {
  const board = await open({ hash: fenLink("6k1/5ppp/8/8/8/2q5/5PPP/R5K1 b - - 0 1"), wait: true });
  const { page } = board;
  await page.waitForSelector(".line-move");
  await board.button("Threat").click();
  await board.waitForText(".threat", "#2 2\\. Ra8\\+");
  await page.waitForFunction(() => [...document.querySelectorAll(".board .cg-shapes line")].some((line) => line.getAttribute("stroke") === "#882020"));
  await board.waitForText("#spoken", "Threat: a1 to a8");
  // The analysis goes on.
  await page.waitForSelector(".line-move");
  await board.click("c3", "e1");
  await board.waitForText("#spoken", "queen e1, check");
  assert.equal(await page.locator(".threat strong").count(), 0, "another position");
  assert.equal(await page.locator(".threat").count(), 0, "in check there is none");
  await page.keyboard.press("ArrowLeft");
  await board.waitForText(".threat", "Ra8\\+");
  await page.keyboard.press("t");
  await page.locator(".threat strong").waitFor({ state: "detached" });
  await page.keyboard.press("t");
  await board.waitForText(".threat", "Ra8\\+");
});

pageTest("the bar has three parts where one wishes", async (open) => {
  const board = await open({ hash: fenLink(MATE_THREATENED), wait: true });
  const { page } = board;
  await page.waitForSelector(".line-move");
  assert.equal(await page.locator(".eval-bar .draws").count(), 0);
  await board.menu("Settings");
  await page.locator("dialog").getByLabel("Bar in three parts").check();
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  await board.paste("8/8/4k3/8/4P3/4K3/8/8 w - - 0 1");
  await page.keyboard.press("e");
  await page.waitForFunction(() => /White wins \d+ %, draw \d+ %, Black wins \d+ %/.test(document.querySelector(".eval-bar")?.getAttribute("aria-valuetext") ?? ""));
  const { text, white, draws, bar } = await page.evaluate(() => {
    const height = (name) => document.querySelector(name).getBoundingClientRect().height;
    return { text: document.querySelector(".eval-bar").getAttribute("aria-valuetext"), white: height(".eval-bar .white"), draws: height(".eval-bar .draws"), bar: height(".eval-bar") };
  });
  const [wins, drawn, lost] = text.match(/\d+(?= %)/g).map(Number);
  assert.ok(Math.abs(wins + drawn + lost - 100) <= 1, text);
  assert.ok(drawn > 0 && draws >= white, "the draws lie behind the wins");
  assert.ok(bar > 100);
  await page.waitForFunction(() => {
    const [bar, draws] = [".eval-bar", ".eval-bar .draws"].map((name) => document.querySelector(name));
    const [w, d] = bar.getAttribute("aria-valuetext").match(/\d+(?= %)/g).map(Number);
    return Math.abs((100 * draws.getBoundingClientRect().height) / bar.getBoundingClientRect().height - w - d) < 3;
  });
});
