// The page in Chromium, as a user has it before them.

import { chromium } from "playwright-core";

const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
const TIMEOUT = 10_000;

export const launch = () => chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });

/** The page and what a test does with it. Errors of the page end the test at `close`. */
export class Board {
  /** @param {import("playwright-core").Browser} browser */
  static async open(browser, url, options = {}) {
    const { before, wait = true, ...context } = options;
    const own = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context });
    const page = await own.newPage();
    page.setDefaultTimeout(TIMEOUT);
    const board = new Board(own, page, url);
    page.on("pageerror", (error) => board.errors.push(error.stack ?? String(error)));
    page.on("console", (message) => message.type() === "error" && board.errors.push(message.text()));
    page.on("request", (request) => board.hosts.add(new URL(request.url()).host));
    page.on("domcontentloaded", () => board.loads++);
    if (before) await page.addInitScript(before);
    await page.goto(url);
    await board.ready();
    if (wait) await board.loaded();
    return board;
  }

  constructor(context, page, url) {
    Object.assign(this, { context, page, url, errors: [], hosts: new Set(), loads: 0 });
  }

  ready() {
    return this.page.waitForSelector("html[data-ready]");
  }

  /** Until the engine is there. */
  loaded() {
    return this.page.waitForFunction(() => document.querySelector("[data-ready]") && !document.querySelector(".loading"));
  }

  async close() {
    await this.context.close();
    if (this.errors.length > 0) throw new Error(`errors of the page:\n${this.errors.join("\n")}`);
  }

  async reload() {
    await this.page.reload();
    await this.ready();
  }

  /** The middle of a square. */
  async middle(square) {
    const box = await this.page.locator(`#square-${square}`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  async drag(from, to) {
    await this.page.mouse.move(...(await this.middle(from)));
    await this.page.mouse.down();
    await this.page.mouse.move(...(await this.middle(to)), { steps: 3 });
    await this.page.mouse.up();
  }

  async click(from, to) {
    await this.page.mouse.click(...(await this.middle(from)));
    await this.page.mouse.click(...(await this.middle(to)));
  }

  async tap(from, to) {
    await this.page.touchscreen.tap(...(await this.middle(from)));
    await this.page.touchscreen.tap(...(await this.middle(to)));
  }

  async paste(text) {
    await this.page.evaluate((pasted) => {
      const data = new DataTransfer();
      data.setData("text/plain", pasted);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }, text);
  }

  async menu(name) {
    await this.page.getByRole("button", { name: "Menu" }).click();
    await this.page.getByRole("menuitem", { name, exact: true }).click();
  }

  tab(name) {
    return this.page.locator(".tabs").getByRole("button", { name, exact: true }).click();
  }

  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** The moves as they are shown, without numbers. */
  moves() {
    return this.page.locator(".move-list .san").allTextContents();
  }

  waitForMoves(count) {
    return this.page.waitForFunction((wanted) => document.querySelectorAll(".move-list .san").length >= wanted, count);
  }

  status() {
    return this.page.locator(".under").textContent();
  }

  waitForText(selector, text) {
    return this.page.waitForFunction(([where, wanted]) => [...document.querySelectorAll(where)].some((element) => new RegExp(wanted).test(element.textContent)), [selector, text]);
  }

  /** What stands on a square: "white pawn", "empty". */
  async on(square) {
    return (await this.page.locator(`#square-${square}`).getAttribute("aria-label")).slice(4);
  }

  /** FEN and PGN, as the page exports them. */
  async exported() {
    await this.menu("Export");
    const fen = await this.page.locator("#export-fen").inputValue();
    const pgn = await this.page.locator("#export-pgn").inputValue();
    await this.page.keyboard.press("Escape");
    return { fen, pgn };
  }

  /** Plays the position of the address against the weakest level. */
  async playFrom({ color = "White", clock = "No clock" } = {}) {
    await this.page.locator(".tabs .new").click();
    const dialog = this.page.locator("dialog");
    await dialog.getByRole("radio", { name: color, exact: true }).check();
    await dialog.locator("#level").fill(await dialog.locator("#level").getAttribute("min"));
    await dialog.getByRole("radio", { name: clock, exact: true }).check();
    await dialog.getByRole("radio", { name: "This position" }).check();
    await dialog.getByRole("button", { name: "Play", exact: true }).click();
  }
}

export const fenLink = (url, fen) => `${url}#fen=${fen.replaceAll(" ", "_")}`;

/** King and rook against king: 1. Kb6 Kb8 2. Rh8#, and Black has no choice. */
export const MATE_IN_TWO = "k7/8/2K5/8/8/8/8/7R w - - 0 1";
