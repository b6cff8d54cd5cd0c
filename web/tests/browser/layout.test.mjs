// All sizes, and access for everybody.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { serve } from "../server.mjs";
import { Board, launch } from "./page.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Width, height; 683 by 384 and 640 by 400 are laptops at 200 % zoom. */
const SIZES = [[320, 568], [390, 844], [844, 390], [568, 320], [683, 384], [640, 400], [768, 1024], [1024, 768], [1366, 768], [1920, 1080]];
const GAME = "1. e4 {a comment with_a_very_long_word_that_has_no_place_to_break_in_it_at_all_even_on_a_phone} e5 (1... c5 2. Nf3 (2. c3 d5 (2... Nf6))) 2. Nf3?! Nc6 3. Bb5 a6 *";

let browser;
let server;
before(async () => {
  server = await serve({ isolated: true });
  browser = await launch();
});
after(async () => {
  await browser.close();
  await server.close();
});

const modes = ["Play", "Review", "Analyse"];

test("no overflow and the whole board at every size", async () => {
  const board = await Board.open(browser, server.url, { hasTouch: true });
  await board.paste(GAME);
  for (const [width, height] of SIZES) {
    await board.page.setViewportSize({ width, height });
    for (const mode of modes) {
      await board.tab(mode);
      const found = await board.page.evaluate(() => {
        const { left, top, right, bottom, width: size, height: tall } = document.querySelector("#board").getBoundingClientRect();
        return { scroll: document.documentElement.scrollWidth, left, top, right, bottom, size, tall };
      });
      const name = `${mode} at ${width} × ${height}: ${JSON.stringify(found)}`;
      assert.ok(found.scroll <= width, `overflow, ${name}`);
      assert.ok(found.left >= 0 && found.top >= 0 && found.right <= width + 0.5 && found.bottom <= height + 0.5, `board cut off, ${name}`);
      assert.ok(Math.abs(found.size - found.tall) < 1 && found.size >= 0.55 * Math.min(width, height), `board small, ${name}`);
    }
  }
  await board.close();
});

test("targets of 44 px on a phone", async () => {
  const board = await Board.open(browser, server.url, { viewport: { width: 390, height: 844 }, hasTouch: true });
  for (const prepare of [async () => {}, () => board.paste(GAME), () => board.tab("Analyse"), () => board.menu("Settings"), () => board.page.keyboard.press("Escape").then(() => board.page.locator(".tabs .new").click())]) {
    await prepare();
    await board.page.waitForTimeout(200);
    const small = await board.page.evaluate(() => [...document.querySelectorAll("button, a, input, summary, .choice label, .toggle")]
      .filter((element) => element.checkVisibility() && !element.closest(".line-moves, .san-form, .toast, .small") && !element.matches(".choice input, .toggle input, [type=file]"))
      .filter((element) => (document.querySelector("dialog") ? element.closest("dialog") : true))
      .map((element) => [element, element.getBoundingClientRect()])
      .filter(([, { width, height }]) => height > 0 && (height < 43.5 || width < 24))
      .map(([element, { width, height }]) => `${element.outerHTML.slice(0, 80)} ${width} × ${height}`));
    assert.deepEqual(small, []);
  }
  await board.close();
});

test("axe finds nothing: every mode and dialog, light and dark, wide and narrow", async () => {
  for (const [colorScheme, viewport] of [["light", { width: 1366, height: 768 }], ["dark", { width: 390, height: 844 }]]) {
    const board = await Board.open(browser, server.url, { colorScheme, viewport });
    const check = async (where) => {
      await board.page.waitForTimeout(250);
      if (!(await board.page.evaluate(() => "axe" in self))) await board.page.evaluate(AXE);
      const violations = await board.page.evaluate(async () => (await self.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })).violations
        .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary?.slice(0, 200)}`).join(" | ")}`));
      assert.deepEqual(violations, [], `${where}, ${colorScheme}`);
    };
    await check("start");
    await board.paste(GAME);
    for (const mode of modes) {
      await board.tab(mode);
      await check(mode);
    }
    for (const name of ["New game", "Games", "Load PGN or FEN", "Export", "Position editor", "Settings", "Keys", "About"]) {
      await board.menu(name);
      await check(name);
      await board.page.keyboard.press("Escape");
    }
    await board.close();
  }
});

test("nothing moves under reduced motion", async () => {
  const board = await Board.open(browser, server.url, { reducedMotion: "reduce" });
  await board.paste("1. e4 e5 *");
  await board.page.keyboard.press("ArrowRight");
  assert.equal(await board.page.locator("piece.anim").count(), 0);
  await board.close();
});

test("the bar is seen under forced colors", async () => {
  const board = await Board.open(browser, server.url, { forcedColors: "active" });
  await board.paste("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  await board.page.waitForSelector(".line-score");
  const colors = await board.page.evaluate(() => [".eval-bar", ".eval-bar .white"].map((name) => getComputedStyle(document.querySelector(name)).backgroundColor));
  assert.notEqual(colors[0], colors[1]);
  await board.close();
});
