// Loading that tells the truth: slow networks, no network, no service worker, an engine that dies.

import assert from "node:assert/strict";
import { pageTest, reviewedLink } from "./page.mjs";

const refused = () => {
  if (navigator.serviceWorker) navigator.serviceWorker.register = () => Promise.reject(new DOMException("The operation is insecure.", "SecurityError"));
};

pageTest("the board is there before the engine, whose progress is shown, and a move waits for it", async (open, serveOwn) => {
  const server = await serveOwn({ held: /\.wasm$/ });
  const board = await open({ server, wait: false });
  await board.waitForText(".under", "Loading engine 50 %");
  await board.click("e2", "e4");
  await board.waitForMoves(1);
  await board.waitForText(".under", "Sleight answers when it is loaded");
  server.release();
  await board.waitForMoves(2);
  await board.waitForText(".under", "Your move");
  assert.equal(board.loads, 1, "the page does not reload itself");
});

pageTest("at 200 KB a second the first move is kept and answered", async (open, serveOwn) => {
  // With compressed files, as servers send them.
  const server = await serveOwn({ bytesPerSecond: 200_000, latency: 100, compressed: true });
  const board = await open({ server, wait: false });
  const percent = async () => Number((await board.status()).match(/Loading engine (\d+) %/)?.[1] ?? NaN);
  await board.waitForText(".under", "Loading engine \\d+ %");
  const first = await percent();
  await board.click("e2", "e4");
  await board.waitForMoves(1);
  await board.waitForText(".under", "Sleight answers when it is loaded");
  const second = await percent();
  assert.ok(first <= second || Number.isNaN(second), `${first} %, then ${second} %`);
  await board.waitForMoves(2);
  await board.page.evaluate(() => navigator.serviceWorker.ready);
  assert.equal(board.loads, 1, "the page does not reload itself");
  assert.deepEqual((await board.moves()).slice(0, 1), ["e4"]);
});

pageTest("a first visit sends no file twice", async (open, serveOwn) => {
  const server = await serveOwn({ isolated: true, tags: true });
  const board = await open({ server, wait: true });
  await board.page.evaluate(() => navigator.serviceWorker.ready);
  const twice = server.sent.filter((path, at) => server.sent.indexOf(path) !== at);
  assert.deepEqual(twice, []);
  assert.ok(server.sent.includes("/main.js") && server.sent.includes("/index.html"));
});

pageTest("with a latency of 700 ms a move made early is kept, and the page does not reload itself for its service worker", async (open, serveOwn) => {
  const server = await serveOwn({ latency: 700 });
  const board = await open({ server, wait: false });
  await board.click("e2", "e4");
  await board.waitForMoves(1);
  await board.page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active.state !== "activated") await new Promise((changed) => active.addEventListener("statechange", changed, { once: true }));
  });
  await board.waitForMoves(2);
  await board.waitForText(".under", "Your move");
  // A reload would come now, and the moves after it.
  await board.click("d2", "d4");
  await board.waitForMoves(4);
  await board.waitForText(".under", "Your move");
  const moves = await board.moves();
  assert.deepEqual([moves[0], moves[2]], ["e4", "d4"]);
  assert.equal(board.loads, 1, "the page does not reload itself");
});

pageTest("a refused service worker is no error", async (open, serveOwn) => {
  const server = await serveOwn();
  const board = await open({ server, before: refused });
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.waitForText(".under", "Your move");
});

pageTest("after the first visit it works offline, with threads", async (open, serveOwn) => {
  const server = await serveOwn();
  const board = await open({ server });
  await board.page.evaluate(() => navigator.serviceWorker.ready);
  await board.waitForText("body", "Your move");
  await server.close();
  await board.reload();
  await board.loaded();
  assert.ok(await board.page.evaluate(() => self.crossOriginIsolated));
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.paste("1. Nf3 Nc6 2. e4 e5 3. Bb5 Nf6 *");
  await board.waitForMoves(6);
  await board.page.keyboard.press("End");
  await board.waitForText(".opening", "C65 Ruy Lopez: Berlin Defense");
});

pageTest("a new version comes whole or not at all, is offered, and taken by a reload", async (open, serveOwn) => {
  const server = await serveOwn();
  const board = await open({ server });
  await board.page.evaluate(() => navigator.serviceWorker.ready);
  await board.reload();
  const hash = async (text) => Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("hex");
  const old = await (await fetch(`${server.url}manifest.webmanifest`)).text();
  const fresh = old.replace('"Sleight"', '"Sleight 2"');
  const [before, afterwards] = [await hash(old), await hash(fresh)];
  server.change("/sw.js", (text) => text.replace(before, "0".repeat(64)).replace('VERSION = "', 'VERSION = "broken'));
  const installed = await board.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const installed = new Promise((decided) => registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker.addEventListener("statechange", () => decided(worker.state));
    }, { once: true }));
    await registration.update().catch(() => {});
    return installed;
  });
  assert.equal(installed, "redundant", "a version with a wrong file is not installed");
  assert.equal(await board.page.locator(".toast").count(), 0);
  server.change("/manifest.webmanifest", () => fresh);
  server.change("/sw.js", (text) => text.replace(before, afterwards).replace('VERSION = "', 'VERSION = "new'));
  await board.page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await board.waitForText(".toast", "new version");
  assert.equal(board.loads, 2, "no reload but the test's");
  await Promise.all([board.page.waitForNavigation(), board.page.locator(".toast button").click()]);
  await board.ready();
  assert.match(await board.page.evaluate(async () => (await fetch("manifest.webmanifest")).text()), /Sleight 2/);
  assert.equal(await board.page.evaluate(async () => (await caches.keys()).length), 1);
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

pageTest("an engine that dies is started once more, then there is a plain message", async (open) => {
  const board = await open({ before: watchWorkers });
  const kill = () => board.page.evaluate(() => {
    for (const worker of self.workers.splice(0)) worker.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
  });
  const started = () => board.page.waitForFunction(() => self.workers.length > 0 && !document.querySelector(".loading"));
  await kill();
  await started();
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await kill();
  await started();
  await kill();
  await board.waitForText(".trouble", "out of memory");
  assert.deepEqual((await board.moves()).length, 2);
  await board.page.getByRole("button", { name: "smaller hash" }).click();
  await board.page.waitForFunction(() => !document.querySelector(".trouble, .loading"));
  const { hash, threads } = await board.page.evaluate(() => JSON.parse(localStorage.settings));
  assert.deepEqual([hash, threads], [16, 1], "it is so after a reload, too");
  await board.click("d2", "d4");
  await board.waitForMoves(4);
});

pageTest("an engine that dies while a move is tried again judges no move", async (open) => {
  const board = await open({ before: watchWorkers, hash: await reviewedLink(), wait: true });
  await board.button("Try it").click();
  await board.page.evaluate(() => self.workers.splice(0).forEach((worker) => worker.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }))));
  await board.page.waitForFunction(() => self.workers.length > 0 && !document.querySelector(".loading"));
  await board.page.locator("#san").fill("a6");
  // It dies for good as soon as it is asked.
  await board.page.evaluate(() => {
    document.querySelector("#san").form.requestSubmit();
    self.workers.splice(0).forEach((worker) => worker.dispatchEvent(new ErrorEvent("error", { message: "out of memory" })));
  });
  await board.waitForText(".retry .trouble", "out of memory");
  await board.waitForText(".retry", "2… Ke7 was not good. Find a better move for Black");
  await board.button("Start it again").click();
  await board.click("a7", "a6");
  await board.waitForText(".retry", "a6: Not good enough");
});

pageTest("an engine that cannot be loaded is named, and what needs none goes on", async (open, serveOwn) => {
  const server = await serveOwn({ isolated: true, missing: /\.wasm$/ });
  const board = await open({ server });
  await board.waitForText(".trouble", "404");
  board.errors = board.errors.filter((error) => !/404/.test(error));
  await board.paste("1. Nf3 Nc6 2. e4 e5 3. Bb5 Nf6 *");
  await board.waitForMoves(6);
  await board.tab("Analyse");
  await board.page.keyboard.press("End");
  await board.click("e1", "g1");
  await board.waitForMoves(7);
});
