// What axe finds on every screen of the page: nothing.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fenLink, MATE_IN_TWO, pageTest } from "./page.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const GAME = "1. e4 {a comment} e5 (1... c5 2. Nf3 (2. c3 d5 (2... Nf6))) 2. Nf3?! Nc6 3. Bb5 a6 *";
/** Width, height and colors in which each screen is seen; AXE=all for all pairs of them. */
const COMBINATIONS = [[320, 568, "light"], [390, 844, "dark"], [1366, 768, "light"], [1920, 1080, "dark"]];
const SEEN = process.env.AXE === "all" ? COMBINATIONS.flatMap(([width, height]) => [[width, height, "light"], [width, height, "dark"]]) : COMBINATIONS;

/** A narrow and a wide one. */
const TWO = process.env.AXE === "all" ? SEEN : [[320, 568, "light"], [1366, 768, "dark"]];

/** What axe finds on the page as it is now, in sizes and colors. */
async function violations({ page }, where, seen = SEEN) {
  if (!(await page.evaluate(() => "axe" in self))) await page.evaluate(AXE);
  const found = [];
  for (const [width, height, colorScheme] of seen) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const faults = await page.evaluate(async () => {
      await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
      const { violations } = await self.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary?.slice(0, 200)}`).join(" | ")}`);
    });
    found.push(...faults.map((fault) => `${where}, ${width} px, ${colorScheme}: ${fault}`));
  }
  return found;
}

pageTest("axe finds nothing on the pages of a game", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO) });
  const found = await violations(board, "a position");
  const check = async (where) => found.push(...(await violations(board, where)));
  await board.playFrom({ clock: "10+5" });
  await check("new game");
  await board.click("c6", "b6");
  await board.waitForMoves(2);
  await board.button("Hint").click();
  await board.waitForText(".play-actions", "Show move");
  await check("a game, with a hint");
  await board.button("Resign").click();
  await check("before resigning");
  await board.click("h1", "h8");
  await board.waitForText(".end-card", "You won");
  await board.waitForText(".end-card", "Your accuracy: \\d");
  await check("the end");
  assert.deepEqual(found, []);
});

pageTest("axe finds nothing in review, analysis and dialogs", async (open) => {
  const board = await open();
  const found = await violations(board, "start");
  const check = async (where) => found.push(...(await violations(board, where)));
  await board.paste("1. e4 *\n\n1. d4 d5 *");
  await board.page.waitForSelector("dialog");
  await check("a list of games");
  await board.page.keyboard.press("Escape");
  await board.paste(GAME);
  for (const mode of ["Play", "Review", "Analyse"]) {
    await board.tab(mode);
    if (mode !== "Play") await board.page.waitForSelector(".line-move");
    await check(mode);
  }
  await board.page.locator(".tools summary").click();
  await check("Edit");
  await board.page.getByRole("button", { name: "Menu" }).click();
  await check("Menu");
  await board.page.keyboard.press("Escape");
  for (const name of ["New game", "Games", "Load PGN or FEN", "Export", "Position editor", "Settings", "Keys", "About"]) {
    await board.menu(name);
    await check(name);
    await board.page.keyboard.press("Escape");
  }
  await board.paste("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0");
  await board.tab("Review");
  await board.button("Review this game").click();
  await board.waitForText(".report", "Accuracy");
  await check("report");
  await board.button("Retry Black's mistakes").click();
  await check("retry");
  await board.click("a7", "a6");
  await board.waitForText(".retry", "Not good enough");
  await check("a wrong retry");
  assert.deepEqual(found, []);
});

pageTest("axe finds nothing in the ways to play, the deck, strengths and the rival", async (open) => {
  const board = await open({ wait: true });
  const { page } = board;
  const found = [];
  const check = async (where) => found.push(...(await violations(board, where, TWO)));
  const dialog = page.locator("dialog");
  // A short game against the rival.
  await page.locator(".tabs .new").click();
  await dialog.getByRole("radio", { name: "Two players" }).check();
  await check("new game for two");
  await dialog.getByRole("radio", { name: "Rival", exact: true }).check();
  await check("new game against the rival");
  await dialog.getByRole("button", { name: "Play", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await page.setViewportSize({ width: 1366, height: 768 });
  await board.click("f2", "f3");
  await board.waitForMoves(2);
  await board.waitForText(".status", "Your move");
  await board.click("g2", "g4");
  await board.waitForMoves(3);
  await page.waitForFunction(() => /Your move|–/.test(document.querySelector(".status")?.textContent ?? ""));
  if (await board.button("Resign").isVisible()) {
    await board.button("Resign").click();
    await page.waitForTimeout(600);
    await board.button("Sure?").click();
  }
  await board.waitForText(".end-card", "Your rating");
  await board.waitForText(".end-card", "Your accuracy: \\d");
  await check("the end of a game against the rival");
  for (const name of ["Rival", "Strengths", "Games"]) {
    await board.menu(name);
    if (name === "Strengths") await board.waitForText("dialog", "All games");
    await check(`${name}, with a game`);
    await page.keyboard.press("Escape");
  }
  const fen = "rnbqkbnr/pppp1ppp/8/4p3/4P2Q/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2";
  const card = { key: fen.slice(0, -4), fen, uci: "a7a6", best: "d8h4", percent: 2, why: "It misses 2… Qxh4, winning the queen on h4.", game: "", title: "Sleight 800 – You", ease: 2.5, repetitions: 0, interval: 0, due: 0 };
  await page.evaluate((kept) => new Promise((done) => {
    indexedDB.open("sleight-training").onsuccess = ({ target: { result } }) => {
      const act = result.transaction("training", "readwrite");
      act.objectStore("training").put([kept], "deck");
      act.oncomplete = () => done();
    };
  }), card);
  await board.reload();
  await board.menu("Repeat mistakes");
  await board.waitForText(".retry", "Position 1 of");
  await check("the deck");
  await board.button("Show the move").click();
  await check("the deck, with the move");
  await board.button("Back to the game").click();
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.locator(".tabs .new").click();
  await dialog.getByRole("radio", { name: "Sleight", exact: true }).check();
  await dialog.getByRole("button", { name: "Play", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await board.menu("Change level");
  await check("change of level");
  await page.keyboard.press("Escape");
  await board.menu("Settings");
  await dialog.getByLabel("Bar in three parts").check();
  await page.keyboard.press("Escape");
  await board.paste(`${GAME}\n\n1. d4 d5 *`);
  await board.waitForText("dialog h2", "2 games");
  await dialog.locator(".game").first().click();
  await board.waitForText(".file-place", "Game 1 of 2");
  await page.waitForSelector(".line-move");
  await board.button("Threat").click();
  await page.locator(".threat strong").waitFor();
  await check("a game of a file, with the threat");
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.locator(".tools summary").click();
  await board.button("Comment").click();
  await check("a comment with arrows");
  assert.deepEqual(found, []);
});
