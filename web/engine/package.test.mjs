// The npm package, installed from its tarball: in Node.js, and in Chromium with threads and without.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

import { ISOLATION, serve } from "../serve.mjs";

const PACKAGES = join(import.meta.dirname, "..", "..", "target", "npm");

/** What a user of the package does; returns the lines of the engine. */
const USE = `
  const lines = [];
  let wake = () => {};
  const engine = await createEngine({ threads: 1, hash: 32, ...settings, onLine: (line) => { lines.push(line); wake(); } });
  const until = async (pattern) => { while (!lines.some((line) => pattern.test(line))) await new Promise((resolve) => (wake = resolve)); };
  engine.send("uci");
  await until(/^uciok/);
  engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
  engine.send("go depth 5");
  await until(/^bestmove/);
  const { threaded, maxThreads } = engine;
  engine.terminate();
`;

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "sleight-npm-"));
  const [tarball] = readdirSync(PACKAGES).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", join(PACKAGES, tarball)], { cwd: folder });
});
after(() => rmSync(folder, { recursive: true, force: true }));

function check({ threaded, maxThreads, lines }, wanted) {
  assert.equal(threaded, wanted);
  assert(wanted ? maxThreads >= 1 : maxThreads === 1, `${maxThreads}`);
  assert(lines.some((line) => line.startsWith("id name Sleight")));
  assert.equal(lines.at(-1), "bestmove d1d8");
}

for (const threaded of [true, false]) {
  test(`Node.js, ${threaded ? "with" : "without"} threads`, () => {
    const script = `import { createEngine } from "sleight"; const settings = { threaded: ${threaded} }; ${USE}
      console.log(JSON.stringify({ threaded, maxThreads, lines }));`;
    const output = execFileSync("node", ["--input-type=module", "-e", script], { cwd: folder, timeout: 300_000, encoding: "utf8" });
    check(JSON.parse(output), threaded);
  });
}

test("Chromium, isolated and not", { timeout: 600_000 }, async () => {
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>package</title>");
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  try {
    for (const headers of [ISOLATION, {}]) {
      const server = await serve(folder, { headers });
      const page = await browser.newPage();
      await page.goto(server.url);
      const answer = await page.evaluate(`(async () => {
        const { createEngine } = await import("./node_modules/sleight/engine.js");
        const settings = {}; ${USE}
        return { threaded, maxThreads, lines };
      })()`);
      check(answer, headers === ISOLATION);
      await page.close();
      server.close();
    }
  } finally {
    await browser.close();
  }
});
