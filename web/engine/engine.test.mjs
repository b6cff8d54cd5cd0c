import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { createEngine } from "./engine.js";
import { ENGINE, TestEngine } from "./testing.mjs";

/** The nodes of `bench` with the small network, which each commit that changes the search states. */
function benchTrailer() {
  const log = execFileSync("git", ["log", "--format=%(trailers:key=Bench-small,valueonly)"], { encoding: "utf8", maxBuffer: 1 << 26 });
  return Number(log.split("\n").find((line) => /^\d+$/.test(line)));
}

/** @param {TestEngine} engine @param {string} command */
async function benchNodes(engine, command) {
  return Number((await engine.ask(/^\d+ nodes \d+ nps$/, command)).split(" ")[0]);
}

const BUILDS = [["with threads", true], ["without threads", false]];

for (const [name, threaded] of BUILDS) {
  /** A test with an engine of its own. */
  const check = (what, run, settings = {}) =>
    test(`${name}: ${what}`, { timeout: 300_000 }, async () => {
      const engine = await TestEngine.start({ threaded, ...settings });
      try {
        await run(engine);
      } finally {
        engine.terminate();
      }
    });

  check("it introduces itself and answers isready", async (engine) => {
    assert.equal(engine.running.threaded, threaded);
    await engine.ask(/^uciok$/, "uci");
    assert(engine.lines.some((line) => line.startsWith("id name Sleight")), engine.lines.join("\n"));
    await engine.ask(/^readyok$/, "isready");
  });

  if (threaded) {
    check("bench visits the nodes that the last commit states", async (engine) => {
      assert.equal(await benchNodes(engine, "bench"), benchTrailer());
    });
  } else {
    check("bench visits the nodes that it visits with threads", async (engine) => {
      const other = await TestEngine.start({ threaded: true });
      assert.equal(await benchNodes(engine, "bench 8"), await benchNodes(other, "bench 8").finally(() => other.terminate()));
    });
  }

  check("an infinite search goes on until stop, and answers with a legal move", async (engine) => {
    await engine.ask(/ depth 6 /, "position startpos moves e2e4 e7e5", "go infinite");
    assert(!engine.lines.some((line) => line.startsWith("bestmove")));
    await engine.ask(/^readyok$/, "isready");
    assert.match(await engine.ask(/^bestmove/, "stop"), /^bestmove [a-h][1-8][a-h][1-8]/);
    // The position and the options are those of before.
    await engine.ask(/ depth 5 /, "go depth 5");
    assert.match((await engine.ask(/^Fen: /, "d")), /rnbqkbnr\/pppp1ppp\/8\/4p3\/4P3\/8/);
  });

  check("stop ends searches without limits", async (engine) => {
    for (let search = 0; search < 10; search++) {
      await engine.ask(/ depth 8 /, "position startpos", "go infinite");
      await engine.ask(/^bestmove/, "stop");
    }
  });

  check("isready is answered while a best move is held back", async (engine) => {
    // There is nothing to search after mate.
    await engine.ask(/ score mate /, "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go infinite");
    await engine.ask(/^readyok$/, "isready");
    assert(!engine.lines.some((line) => line.startsWith("bestmove")));
    await engine.ask(/^bestmove/, "stop");
  });

  check("a search is stopped before it has said anything", async (engine) => {
    for (const lines of [["go infinite", "stop"], ["go searchmoves a2a3 infinite", "stop"], ["go infinite", "go infinite", "stop"]]) {
      const wanted = lines.filter((line) => line.startsWith("go")).length;
      const before = engine.lines.length;
      engine.send("position startpos", ...lines);
      await engine.ask(/^readyok$/, "isready");
      const answers = () => engine.lines.slice(before).filter((line) => line.startsWith("bestmove"));
      while (answers().length < wanted) await engine.line(/^bestmove/);
      await engine.ask(/^readyok$/, "isready");
      assert.equal(answers().length, wanted);
      if (lines[0].includes("a2a3")) assert.match(answers()[0], /^bestmove a2a3/);
    }
  });

  check("stop without a search is not answered", async (engine) => {
    await engine.ask(/^readyok$/, "stop", "stop", "isready");
    assert.deepEqual(engine.lines.filter((line) => line.startsWith("bestmove")), []);
  });

  check("a pondering search waits for ponderhit", async (engine) => {
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000");
    await engine.line(/ depth 5 /);
    await engine.ask(/^readyok$/, "isready");
    assert(!engine.lines.some((line) => line.startsWith("bestmove")));
    await engine.ask(/^bestmove/, "ponderhit");
  });

  check("perft is stopped, and the engine goes on", async (engine) => {
    await engine.ask(/^a2a3: /, "go perft 6");
    engine.send("stop");
    await engine.ask(/^Nodes searched: 400$/, "perft 2");
  });

  check("options outlast a stop", async (engine) => {
    engine.send("setoption name MultiPV value 3", "setoption name UCI_ShowWDL value true", "position startpos");
    await engine.ask(/ multipv 3 /, "go infinite");
    await engine.ask(/^bestmove/, "stop");
    const errors = engine.lines.filter((line) => /error/i.test(line));
    await engine.ask(/ multipv 3 .* wdl /, "go depth 6");
    assert.deepEqual(errors, []);
  });

  check("hash and threads are those asked for", async (engine) => {
    await engine.ask(/^bestmove/, "go depth 10");
    const max = Number(/ max (\d+)/.exec((await engine.ask(/^option name Threads /, "uci")))[1]);
    assert.equal(max, threaded ? availableParallelism() : 1);
    assert.equal(engine.running.maxThreads, max);
    await engine.ask(/^bestmove/, "setoption name Threads value 1000000", "go depth 8");
    assert.deepEqual(engine.lines.filter((line) => /Threads/.test(line) && !line.startsWith("option")), []);
  }, { hash: 64, threads: 2 });

  check("a table that does not fit is refused, and the old one stays", async (engine) => {
    await engine.ask(/memory|Hash/i, "setoption name Hash value 1024");
    await engine.ask(/^bestmove/, "go depth 8");
  });

  check("a long line arrives whole", async (engine) => {
    const moves = Array.from({ length: 10_000 }, (_, i) => ["g1f3", "g8f6", "f3g1", "f6g8"][i % 4]).join(" ");
    const board = await engine.ask(/^Fen: /, `position startpos moves ${moves}`, "d");
    assert.match(board, / 5001$/);
  });

  check("the clock and sleep agree", async (engine) => {
    const started = performance.now();
    await engine.ask(/^bestmove/, "position startpos", "go movetime 500");
    const time = performance.now() - started;
    assert(time > 450 && time < 60_000, `${time} ms`);
  });

  check("quit ends it, with the answer of a search", async (engine) => {
    await engine.ask(/ depth 5 /, "go infinite");
    engine.send("quit");
    assert.equal(await engine.exited, "quit");
    assert(engine.lines.some((line) => line.startsWith("bestmove")), engine.lines.join("\n"));
    engine.send("isready");
  });

  check("nothing is said after terminate", async (engine) => {
    await engine.ask(/ depth 5 /, "go infinite");
    engine.terminate();
    const { length } = engine.lines;
    engine.send("stop", "isready");
    await new Promise((later) => setTimeout(later, 200));
    assert.equal(engine.lines.length, length);
  });
}

test("loading is reported to its end", async () => {
  const fractions = [];
  const engine = await createEngine({ base: ENGINE, onProgress: (fraction) => fractions.push(fraction) });
  engine.terminate();
  assert.equal(fractions.at(-1), 1);
});

test("an engine that is not there is an error", async () => {
  await assert.rejects(createEngine({ base: new URL("nowhere/", ENGINE) }));
});

test("an engine that traps says so", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sleight-trap-"));
  try {
    // (module (import "env" "memory" (memory 1 16384 shared)) (func (export "_start") unreachable))
    const module = "0061736d0100000001040160000002120103656e76066d656d6f727902030180800103020100070a01065f737461727400000a05010300000b";
    writeFileSync(join(folder, "sleight-threads.wasm"), Buffer.from(module, "hex"));
    copyFileSync(new URL("worker.js", ENGINE), join(folder, "worker.js"));
    const engine = await TestEngine.start({ base: pathToFileURL(`${folder}/`) });
    assert.match(await engine.exited, /unreachable/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
