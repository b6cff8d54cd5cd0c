// The engine in Chromium: with threads where the page is isolated, and without.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

import { ISOLATION, serve } from "../serve.mjs";

const HERE = import.meta.dirname;
let browser, folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "sleight-engine-"));
  for (const name of ["engine.js", "input.js", "replay.js"]) cpSync(join(HERE, name), join(folder, name));
  cpSync(join(HERE, "..", "..", "target", "wasm"), join(folder, "files"), { recursive: true });
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>engine</title>");
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What `script`, the body of a function, returns in a page that has `start(settings)`, `ask(engine, pattern, ...lines)`. */
async function inPage(headers, script, prepare = async () => {}) {
  const server = await serve(folder, { headers });
  const page = await browser.newPage();
  try {
    await prepare(page);
    await page.goto(server.url);
    return await page.evaluate(`(async () => {
      const { createEngine } = await import("./engine.js");
      const lines = [];
      const fractions = [];
      let wake = () => {};
      const start = (settings) => createEngine({
        base: "files/",
        onLine: (line) => { lines.push(line); wake(); },
        onProgress: (fraction) => fractions.push(fraction),
        ...settings,
      });
      const ask = async (engine, pattern, ...commands) => {
        const from = lines.length;
        commands.forEach((command) => engine.send(command));
        while (!lines.slice(from).some((line) => pattern.test(line))) await new Promise((resolve) => (wake = resolve));
      };
      ${script}
    })()`);
  } finally {
    await page.close();
    server.close();
  }
}

const STOP = `
  const engine = await start({ threads: 2 });
  for (let search = 0; search < 5; search++) {
    await ask(engine, / depth 8 /, "position startpos", "go infinite");
    await ask(engine, /^bestmove/, "stop");
  }
  engine.terminate();
  return { moves: lines.filter((line) => line.startsWith("bestmove")).length, fractions, threaded: engine.threaded };
`;

for (const [name, headers] of [["isolated", ISOLATION], ["not isolated", {}]]) {
  test(`${name}: stop ends each search, and loading is reported`, { timeout: 600_000 }, async () => {
    const { moves, fractions, threaded } = await inPage(headers, STOP);
    assert.equal(threaded, headers === ISOLATION);
    assert.equal(moves, 5);
    assert.deepEqual(fractions, fractions.toSorted((a, b) => a - b));
    assert(fractions.length > 2 && fractions[0] > 0 && fractions[0] < 1, `${fractions}`);
    assert.equal(fractions.at(-1), 1);
  });
}

test("a server that does not know WebAssembly's type will do", { timeout: 600_000 }, async () => {
  const script = `const engine = await start({}); await ask(engine, /^uciok/, "uci"); engine.terminate(); return true;`;
  assert(await inPage(ISOLATION, script, (page) => page.route("**/*.wasm", async (route) => {
    await route.fulfill({ response: await route.fetch(), contentType: "application/octet-stream" });
  })));
});

test("what is not there is an error that is told", { timeout: 600_000 }, async () => {
  const script = `return start({}).then(() => "started", (error) => error.message);`;
  for (const missing of ["**/*.wasm", "**/worker.js"]) {
    const message = await inPage(ISOLATION, script, (page) => page.route(missing, (route) => route.fulfill({ status: 404 })));
    assert.match(message, /404|worker\.js/);
  }
});
