// Plays a game to its end on the page in headless Chromium, analyses three positions, and stops searches.
//
// usage: node tests/web/play_game.mjs [SCREENSHOT]     after `make web`; CHROMIUM names the browser

import assert from "node:assert";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(join(ROOT, "web", "package.json"));
const { chromium } = require("playwright-core");
const chessops = (name) => import(join(ROOT, "web", "node_modules", "chessops", "dist", "esm", `${name}.js`));
const { Chess } = await chessops("chess");
const { makeFen, parseFen } = await chessops("fen");
const { parsePgn } = await chessops("pgn");
const { parseSan } = await chessops("san");
const { makeUci } = await chessops("util");

/** Milliseconds in which a search has to end, once it is told to. */
const STOP_LIMIT = 50;
const TIMEOUT = 120_000;
const POSITIONS = [
  "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
  "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
  "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** The page as any server of static files shows it: without the headers that shared memory needs. */
async function serve() {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = join(ROOT, "target", "web", path === "/" ? "index.html" : path);
    try {
      const body = await readFile(file);
      response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return server;
}

/** A game's page. */
class Player {
  constructor(page) {
    this.page = page;
    this.seed = 1;
  }

  async open(url, isolated) {
    await this.page.goto(url);
    // The service worker has the page loaded a second time.
    await this.page.waitForFunction((wanted) => self.crossOriginIsolated === wanted, isolated, { timeout: TIMEOUT });
    await this.waitFor("Your move");
  }

  waitFor(...texts) {
    const shows = (wanted) => wanted.some((text) => document.getElementById("status").textContent.startsWith(text));
    return this.page.waitForFunction(shows, texts, { timeout: TIMEOUT });
  }

  text(id) {
    return this.page.locator(`#${id}`).textContent();
  }

  async position() {
    return Chess.fromSetup(parseFen(await this.page.locator("#fen").inputValue()).unwrap()).unwrap();
  }

  async setFen(fen) {
    await this.page.locator("#fen").fill(fen);
    await this.page.locator("#set-fen").click();
  }

  /** The middle of a square, with White below. */
  async middle(square) {
    const box = await this.page.locator("#board cg-board").boundingBox();
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    return [box.x + ((file + 0.5) * box.width) / 8, box.y + ((7.5 - rank) * box.height) / 8];
  }

  /** A random legal move, by two clicks or by dragging. */
  async move() {
    const position = await this.position();
    const moves = [...position.allDests()].flatMap(([from, dests]) => [...dests].map((to) => ({ from, to })));
    this.seed = (this.seed * 48271) % 2147483647;
    const uci = makeUci(moves[this.seed % moves.length]);
    const [from, to] = [await this.middle(uci.slice(0, 2)), await this.middle(uci.slice(2, 4))];
    await this.page.mouse.move(...from);
    await this.page.mouse.down();
    if (this.seed % 2 === 0) {
      await this.page.mouse.move(...to, { steps: 4 });
    } else {
      await this.page.mouse.up();
      await this.page.mouse.move(...to);
      await this.page.mouse.down();
    }
    await this.page.mouse.up();
    const promotion = this.page.locator("#promotion[open] button[value=q]");
    if (await promotion.count()) await promotion.click();
    await this.page.waitForFunction((old) => document.getElementById("fen").value !== old, makeFenOf(position));
  }

  /** Milliseconds from the click on Stop to the end of the search. */
  stop() {
    return this.page.evaluate(async () => {
      const button = document.getElementById("stop");
      if (button.disabled) throw new Error("there is no search");
      const started = performance.now();
      button.click();
      while (!button.disabled) await new Promise((turn) => setTimeout(turn, 0));
      return performance.now() - started;
    });
  }
}

function makeFenOf(position) {
  return makeFen(position.toSetup());
}

async function playGame(player) {
  await player.page.locator("#level").selectOption("1350");
  await player.page.locator("#seconds").fill("0.1");
  for (let ply = 0; ply < 600; ply += 2) {
    await player.waitFor("Your move", "Game over");
    if ((await player.text("status")).startsWith("Game over")) break;
    await player.move();
  }
  const status = await player.text("status");
  const [game] = parsePgn(await player.page.locator("#pgn").inputValue());
  const position = Chess.default();
  for (const { san } of game.moves.mainline()) position.play(parseSan(position, san));
  console.log(`game: ${status}, ${[...game.moves.mainline()].length} plies`);
  assert(status === `Game over: ${game.headers.get("Result")}` && game.headers.get("Result") !== "*", status);
  assert.equal(makeFenOf(position), await player.page.locator("#fen").inputValue());
  const { winner } = position.outcome() ?? {};
  if (winner) assert.equal(game.headers.get("Result"), winner === "white" ? "1-0" : "0-1");
}

async function analyse(player, fen, screenshot) {
  await player.page.locator("#side-select").selectOption("both");
  await player.setFen(fen);
  await player.page.locator("#analyse").check();
  const deep = () => Number(/depth (\d+)/.exec(document.getElementById("speed").textContent)?.[1]) >= 10;
  await player.page.waitForFunction(deep, null, { timeout: TIMEOUT });
  await player.page.waitForTimeout(1500);
  const lines = await player.page.locator("#pvs li").allTextContents();
  console.log(`${fen}\n  ${await player.text("speed")}\n  ${lines.join("\n  ")}`);
  assert.equal(lines.length, 3);
  const position = await player.position();
  for (const line of lines) {
    const [, san] = /^\S+ \d+\.+ (\S+)/.exec(line);
    assert(parseSan(position, san), `${san} is legal`);
  }
  if (screenshot) await player.page.screenshot({ path: screenshot });
  const time = await player.stop();
  console.log(`  stopped within ${time.toFixed(1)} ms`);
  assert(time < STOP_LIMIT, `Stop took ${time} ms`);
}

/** Commands of the page beside moves. */
async function useControls(player) {
  await player.page.locator("#side-select").selectOption("both");
  await player.page.locator("#pgn").fill('[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *');
  await player.page.locator("#set-pgn").click();
  const fen = () => player.page.locator("#fen").inputValue();
  assert.equal((await fen()).split(" ")[0], "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R");
  await player.page.locator("#undo").click();
  assert.match(await player.text("moves"), /2\. Nf3 Nc6$/);
  const before = await fen();
  await player.setFen("8/8/8/8/8/8/8/8 w - - 0 1");
  assert.match(await player.text("status"), /^Not possible/);
  await player.page.locator("#flip").click();
  assert.equal(await player.page.locator("#board.orientation-black, #board .orientation-black").count(), 1);
  await player.page.locator("#flip").click();
  assert.match(await player.text("moves"), /2\. Nf3 Nc6$/, before);
}

const server = await serve();
const url = `http://127.0.0.1:${server.address().port}/`;
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  for (const [address, isolated] of [[url, true], [`${url}?unshared`, false]]) {
    console.log(isolated ? "shared memory" : "no shared memory");
    const page = await (await browser.newContext({ viewport: { width: 1180, height: 720 } })).newPage();
    page.on("pageerror", (error) => assert.fail(error));
    const player = new Player(page);
    await player.open(address, isolated);
    if (isolated) await playGame(player);
    await useControls(player);
    for (const [at, fen] of POSITIONS.entries()) await analyse(player, fen, isolated && at === 0 ? process.argv[2] : "");
  }
} finally {
  await browser.close();
  server.close();
}
