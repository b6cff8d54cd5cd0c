// The page in Firefox: threads, a game by mouse, storage, offline use. Where no Firefox is installed, nothing is tried.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { MATE_IN_TWO, fenLink } from "../browser/page.mjs";
import { serve } from "../server.mjs";
import { firefox } from "./bidi.mjs";

const EXECUTABLE = process.env.FIREFOX ?? ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) => existsSync(path));
const how = { skip: EXECUTABLE ? false : "no Firefox", timeout: 600_000 };

/** @param {object} served @param {(page: Page) => Promise<void>} run */
async function withPage(served, run) {
  const server = await serve(served);
  const browser = await firefox(EXECUTABLE);
  try {
    const page = new Page(browser, server);
    await browser.size(1280, 800);
    await browser.send("session.subscribe", { events: ["log.entryAdded"] });
    await run(page);
    const errors = browser.events.filter(({ params }) => ["error", "warn"].includes(params?.level)).map(({ params }) => params.text);
    assert.deepEqual(errors, [], "the console");
  } finally {
    await browser.close();
    await server.close();
  }
}

class Page {
  constructor(browser, server) {
    Object.assign(this, { browser, server });
  }

  async open(hash = "") {
    await this.browser.go(this.server.url + hash);
    await this.loaded();
  }

  async reload() {
    await this.browser.reload();
    await this.loaded();
  }

  loaded() {
    return this.browser.until('document.querySelector("[data-ready]") && !document.querySelector(".loading")');
  }

  async middle(selector) {
    await this.browser.until(`document.querySelector(${JSON.stringify(selector)})`);
    return JSON.parse(await this.browser.evaluate(`(() => { const element = document.querySelector(${JSON.stringify(selector)}); element.scrollIntoView({ block: "nearest" }); const box = element.getBoundingClientRect(); return JSON.stringify([box.x + box.width / 2, box.y + box.height / 2]); })()`));
  }

  async press(selector) {
    await this.browser.click(await this.middle(selector));
  }

  async drag(from, to, button) {
    await this.browser.drag(await this.middle(`#square-${from}`), await this.middle(`#square-${to}`), button);
  }

  text(selector, wanted) {
    return this.browser.until(`[...document.querySelectorAll(${JSON.stringify(selector)})].some((element) => ${wanted}.test(element.textContent))`, `${selector} ${wanted}`);
  }

  async moves() {
    return JSON.parse(await this.browser.evaluate('JSON.stringify([...document.querySelectorAll(".move-list .san")].map((san) => san.textContent))'));
  }
}

test("Firefox: with threads, a game by mouse to mate, reviewed, with arrows, kept and listed", how, () => withPage({ isolated: true }, async (page) => {
  const { browser } = page;
  await page.open(fenLink(MATE_IN_TWO));
  assert.ok(await browser.evaluate("crossOriginIsolated"));
  await page.text(".engine-facts", /\d+ threads?/);
  await page.text(".line-score", /#/);
  await page.press(".tabs .new");
  await page.press("dialog label:last-child:has([name=start])");
  await page.press("dialog .primary");
  await page.drag("c6", "b6");
  await browser.until('document.querySelectorAll(".move-list .san").length === 2');
  await browser.click(await page.middle("#square-h1"), await page.middle("#square-h8"));
  await page.text(".end-card", /Checkmate, White wins/);
  assert.deepEqual(await page.moves(), ["Kb6", "Kb8", "Rh8#"]);
  await page.press(".end-card .primary");
  await page.text(".report tbody", /^You100 %/);
  await page.drag("a1", "a8", 2);
  await browser.until('document.querySelectorAll(".board .cg-shapes line").length > 0');
  await page.reload();
  await page.text(".report tbody", /^You100 %/);
  await page.text(".move-list", /Rh8#/);
  await browser.until('document.querySelectorAll(".board .cg-shapes line").length > 0', "the arrow after a reload");
  await page.press(".menu > button");
  await page.press(".menu-list button:nth-child(2)");
  await page.text("dialog .game", /You – Sleight/);
}));

test("Firefox: without threads on the first visit, offline and with threads after it", how, () => withPage({}, async (page) => {
  const { browser, server } = page;
  await page.open();
  assert.ok(!(await browser.evaluate("crossOriginIsolated")));
  await page.drag("e2", "e4");
  await browser.until('document.querySelectorAll(".move-list .san").length === 2');
  await browser.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await browser.until("navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')");
  await server.close();
  await page.reload();
  assert.ok(await browser.evaluate("crossOriginIsolated"));
  assert.equal((await page.moves())[0], "e4");
  await page.drag("d2", "d4");
  await browser.until('document.querySelectorAll(".move-list .san").length === 4');
}));
