// The page in Chromium, as a user has it before them. All files of tests share one browser.

import { after, test } from "node:test";
import { chromium } from "playwright-core";
import { Tree } from "../../src/chess/tree.js";
import { toLink } from "../../src/review/link.js";
import { reviewHash } from "../../src/store/share.js";
import { serve } from "../server.mjs";

/** Milliseconds after which a wait is given up: a machine may be busy, and only what never happens is a fault. */
const TIMEOUT = 60_000;

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** @type {Promise<import("playwright-core").Browser> | undefined} */
let launched;
const browser = () => (launched ??= launch());
/** @type {ReturnType<typeof serve> | undefined} */
let serving;
/** The page with the headers for threads. */
const isolated = () => (serving ??= serve({ isolated: true }));

after(async () => {
  await (await launched)?.close();
  await (await serving)?.close();
});

/**
 * A test of the page. What it opened is closed at its end, also where it fails; errors of the page are failures.
 * @param {string} name
 * @param {(open: (options?: object) => Promise<Board>, serveOwn: typeof serve) => Promise<void>} run
 *   `open` opens the page in a new profile. `server`: another one than that with the headers for threads; `hash`: the part of
 *   the address after it; `before`: runs in the page first; `wait`: until the engine is loaded;
 *   `seconds`: how long a position is analysed, which takes the processor from the test; and options of a browser's context.
 *   `serveOwn` starts another server.
 */
export function pageTest(name, run) {
  test(name, { timeout: 10 * TIMEOUT }, async () => {
    const [boards, servers] = [[], []];
    const open = async ({ server, ...options } = {}) => {
      const board = await Board.open(await browser(), (server ?? (await isolated())).url, options);
      boards.push(board);
      return board;
    };
    const serveOwn = async (how) => {
      const server = await serve(how);
      servers.push(server);
      return server;
    };
    try {
      await run(open, serveOwn);
      const errors = boards.flatMap((board) => board.errors);
      if (errors.length > 0) throw new Error(`errors of the page:\n${errors.join("\n")}`);
    } finally {
      await Promise.all([...boards, ...servers].map((opened) => opened.close()));
    }
  });
}

/** The page and what a test does with it. */
export class Board {
  /** @param {import("playwright-core").Browser} browser @param {string} url @param {object} [options] as for `pageTest` */
  static async open(browser, url, { hash = "", before, wait = false, seconds = 1, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const board = new Board(context, await context.newPage(), url);
    const { page } = board;
    await page.addInitScript((settings) => {
      try {
        localStorage.settings ??= settings;
      } catch {
        // A test without storage.
      }
    }, JSON.stringify({ seconds }));
    if (before) await page.addInitScript(before);
    await page.goto(url + hash);
    await board.ready();
    if (wait) await board.loaded();
    return board;
  }

  constructor(context, page, url) {
    Object.assign(this, { context, url, errors: [], said: [], hosts: new Set(), loads: 0 });
    this.watch(page);
  }

  /** Another tab of the same profile takes the place of the one before. */
  async newTab(hash = "") {
    this.watch(await this.context.newPage());
    await this.page.goto(this.url + hash);
    await this.ready();
  }

  watch(page) {
    this.page = page;
    page.setDefaultTimeout(TIMEOUT);
    page.on("pageerror", (error) => this.errors.push(error.stack ?? String(error)));
    page.on("console", (message) => {
      this.said.push(message.text());
      if (["error", "warning"].includes(message.type())) this.errors.push(message.text());
    });
    page.on("request", (request) => this.hosts.add(new URL(request.url()).host));
    page.on("domcontentloaded", () => this.loads++);
  }

  ready() {
    return this.page.waitForSelector("html[data-ready]");
  }

  /** Until the engine is there. */
  loaded() {
    return this.page.waitForFunction(() => document.querySelector("[data-ready]") && !document.querySelector(".loading"));
  }

  close() {
    return this.context.close();
  }

  async reload() {
    // A dialog that has just closed takes its step of the history back, which would end the reload.
    await this.page.waitForFunction(() => !history.state?.dialog || document.querySelector("dialog[open]"));
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

  /** Pastes a text, and waits for what comes of it: a game, a list, or a message. Reading is done in slices. */
  async paste(text) {
    const before = await this.page.evaluate((pasted) => {
      document.querySelector(".toast")?.setAttribute("data-old", "");
      const { id } = history.state ?? {};
      const data = new DataTransfer();
      data.setData("text/plain", pasted);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
      return id;
    }, text);
    await this.page.waitForFunction((id) => history.state?.id !== id || document.querySelector("dialog[open], .toast:not([data-old])"), before);
  }

  /** Drops a file on the page. @param {number[]} bytes @param {string} name */
  async drop(bytes, name) {
    await this.page.evaluate(([content, file]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(content)], file));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, [bytes, name]);
  }

  async menu(name) {
    // By selectors: to find a role, Playwright asks every move of a long game for its own.
    await this.page.locator(".menu > button").click();
    await this.page.locator(".menu [role=menuitem]").getByText(name, { exact: true }).click();
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

  /**
   * Puts a game of Black, 1. e4 e5 2. Qh5 Ke7 3. Qxe5#, and its review into the browser's storage, as the page keeps them, and opens the page anew.
   * @param {string} pgn @param {object} review @param {object[]} [cards] of the deck
   */
  async keepOwnGame(pgn, review, cards = []) {
    await this.keep("sleight", "games", "own", {
      id: "own", pgn, path: [], mode: "review", touched: true, review,
      play: { color: "black", level: 800, clock: null, moves: ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"], times: [], scores: [], end: { result: "1-0", reason: "checkmate" }, seed: 1 },
    });
    await this.keep("sleight", "games", "list", [
      { id: "own", kind: "own", title: "Sleight 800 – You", result: "1-0", plies: 5, changed: 2e12, color: "black", curve: review.curve, accuracy: { white: 71, black: 42 } },
    ]);
    await this.keep("sleight-training", "training", "deck", cards);
    await this.page.evaluate(() => sessionStorage.clear());
    await this.page.close();
    await this.newTab();
  }

  /** FEN and PGN, as the page exports them. */
  async exported() {
    await this.menu("Export");
    const fen = await this.page.locator("#export-fen").inputValue();
    const pgn = await this.page.locator("#export-pgn").inputValue();
    await this.page.keyboard.press("Escape");
    return { fen, pgn };
  }

  /** Puts a value into IndexedDB. @param {string} database @param {string} store @param {string} key @param {any} value */
  keep(database, store, key, value) {
    return this.page.evaluate(put, [database, store, key, value]);
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

/** Puts a value into IndexedDB, in the page. @param {[string, string, string, any]} entry database, store, key and value */
const put = ([database, store, key, value]) => new Promise((done, fail) => {
  const request = indexedDB.open(database);
  request.onupgradeneeded = () => request.result.createObjectStore(store);
  request.onsuccess = () => {
    const act = request.result.transaction(store, "readwrite");
    act.objectStore(store).put(value, key);
    act.oncomplete = () => {
      request.result.close();
      done();
    };
    act.onerror = fail;
  };
  request.onerror = fail;
});

/** Runs in a page first: notes the lines that it posts to the engine's worker, as it does without threads, in `sent`. */
export function watchLines() {
  self.sent = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...others) {
    self.sent.push(message);
    return postMessage.call(this, message, ...others);
  };
}

export const fenLink = (fen) => `#fen=${fen.replaceAll(" ", "_")}`;

/** King and rook against king: 1. Kb6 Kb8 2. Rh8#, and Black has no choice. */
export const MATE_IN_TWO = "k7/8/2K5/8/8/8/8/7R w - - 0 1";

/** A link to a reviewed game whose fourth half move, 2... Ke7, is a blunder to be tried again. */
export function reviewedLink() {
  const tree = new Tree();
  const nodes = [tree.root];
  for (const uci of ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"]) nodes.push(nodes.at(-1).play(uci));
  const review = { percents: [53, 53, 53, 45, 100, 100], best: ["e2e4", "e7e5", "g1f3", "b8c6", "h5e5", ""], moves: [] };
  return reviewHash(toLink(tree, nodes, review, String, nodes[4]));
}
