// Loading that tells the truth: slow networks, no network, no service worker, an engine that dies.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serve } from "../server.mjs";
import { Board, launch } from "./page.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const refused = () => {
  if (navigator.serviceWorker) navigator.serviceWorker.register = () => Promise.reject(new DOMException("The operation is insecure.", "SecurityError"));
};

test("on a slow network the board is there first, the engine's progress is shown, and a move waits for it", async () => {
  const server = await serve({ bytesPerSecond: 800_000, latency: 100 });
  const board = await Board.open(browser, server.url, { wait: false });
  const percent = Number(/Loading engine (\d+) %/.exec(await board.status())?.[1]);
  assert.ok(percent < 30, `the board came when ${percent} % of the engine were there`);
  await board.click("e2", "e4");
  await board.waitForMoves(1);
  await board.waitForText(".under", "Sleight answers when it is loaded");
  await board.waitForText(".under", "Loading engine [4-9]\\d %");
  await board.waitForMoves(2);
  assert.equal(board.loads, 1, "the page does not reload itself");
  await board.close();
  await server.close();
});

test("a refused service worker is no error", async () => {
  const server = await serve();
  const board = await Board.open(browser, server.url, { before: refused });
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.waitForText(".under", "Your move");
  await board.close();
  await server.close();
});

test("after the first visit it works offline, isolated, and a new version comes whole or not at all", async () => {
  const server = await serve();
  const board = await Board.open(browser, server.url);
  await board.page.evaluate(() => navigator.serviceWorker.ready);
  await board.waitForText("body", "Your move");
  await server.close();
  await board.reload();
  await board.loaded();
  assert.ok(await board.page.evaluate(() => self.crossOriginIsolated));
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.close();
});

test("a new version is offered, and taken by a reload", async () => {
  const server = await serve();
  const board = await Board.open(browser, server.url);
  await board.page.evaluate(() => navigator.serviceWorker.ready);
  await board.reload();
  const hash = async (text) => Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("hex");
  const old = await (await fetch(`${server.url}manifest.webmanifest`)).text();
  const fresh = old.replace('"Sleight"', '"Sleight 2"');
  const [before, afterwards] = [await hash(old), await hash(fresh)];
  server.change("/sw.js", (text) => text.replace(before, "0".repeat(64)).replace('VERSION = "', 'VERSION = "broken'));
  await board.page.evaluate(async () => (await navigator.serviceWorker.ready).update().catch(() => {}));
  await board.page.waitForTimeout(1500);
  assert.equal(await board.page.locator(".toast").count(), 0, "a version with a wrong file is not installed");
  server.change("/manifest.webmanifest", () => fresh);
  server.change("/sw.js", (text) => text.replace(before, afterwards).replace('VERSION = "', 'VERSION = "new'));
  await board.page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await board.waitForText(".toast", "new version");
  assert.equal(board.loads, 2, "no reload but the test's");
  await Promise.all([board.page.waitForNavigation(), board.page.locator(".toast button").click()]);
  await board.ready();
  assert.match(await board.page.evaluate(async () => (await fetch("manifest.webmanifest")).text()), /Sleight 2/);
  assert.equal(await board.page.evaluate(async () => (await caches.keys()).length), 1);
  await board.close();
  await server.close();
});

const watchWorkers = () => {
  const Real = Worker;
  self.workers = [];
  self.Worker = class extends Real {
    constructor(...args) {
      super(...args);
      self.workers.push(this);
    }
  };
};

test("an engine that dies is started once more, then there is a plain message", async () => {
  const server = await serve({ isolated: true });
  const board = await Board.open(browser, server.url, { before: watchWorkers });
  const kill = () => board.page.evaluate(() => {
    for (const worker of self.workers.splice(0)) worker.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
  });
  await kill();
  await board.loaded();
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.loaded();
  await kill();
  await board.page.waitForTimeout(100);
  await board.loaded();
  await board.page.waitForFunction(() => self.workers.length > 0);
  await kill();
  await board.waitForText(".trouble", "out of memory");
  assert.deepEqual((await board.moves()).length, 2);
  await board.page.getByRole("button", { name: "smaller hash" }).click();
  await board.page.waitForFunction(() => !document.querySelector(".trouble, .loading"));
  await board.click("d2", "d4");
  await board.waitForMoves(4);
  await board.close();
  await server.close();
});
