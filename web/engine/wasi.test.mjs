// The single-threaded engine as a program that runs to its end, without workers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { ENGINE } from "./testing.mjs";
import { Exit, wasiImports } from "./wasi.js";

const module = new WebAssembly.Module(readFileSync(new URL("sleight.wasm", ENGINE)));

/** The lines that the program prints, given UCI commands as arguments and as its input. Its clock is that much faster. */
function run(args, input = "", speed = 1n) {
  const lines = [];
  const data = new TextEncoder().encode(input);
  let read = 0;
  const host = {
    memory: () => instance.exports.memory,
    arguments: ["sleight", ...args],
    read: (size) => data.subarray(read, (read += Math.min(size, data.length - read))),
    onLine: (line) => lines.push(line),
    onError: (line) => lines.push(line),
  };
  const imports = wasiImports(module, host);
  imports.clock_time_get = (_clock, _precision, time) => {
    new DataView(instance.exports.memory.buffer).setBigUint64(time, speed * BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  };
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports });
  try {
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof Exit) || error.code !== 0) throw error;
  }
  return lines;
}

test("lines are executed in turn, each to its end", () => {
  const lines = run([], "go depth 5\nisready\nperft 2\nd\nquit\nisready\n");
  const order = [/^bestmove/, /^readyok$/, /^Nodes searched: 400$/, /^Fen: /].map((line) => lines.findIndex((found) => line.test(found)));
  assert.deepEqual(order, order.toSorted((a, b) => a - b));
  assert(order[0] > 0, lines.join("\n"));
  assert.equal(lines.filter((line) => line === "readyok").length, 1);
});

test("without quit, the end of the input ends it", () => {
  assert.match(run([], "position startpos moves e2e4\ngo depth 4").at(-1), /^bestmove/);
  assert.match(run(["position startpos", "go depth 4"]).at(-1), /^bestmove/);
});

test("a search that only a command would end takes a minute at most", () => {
  // A thousand times as fast.
  for (const go of ["go infinite", "go", "go infinite movetime 1000000", "go ponder", "go ponder wtime 1000 btime 1000"]) {
    const started = performance.now();
    const lines = run([go, "isready", "stop"], "", 1000n);
    assert(performance.now() - started < 30_000, go);
    // Its move waits for the command; its lines are sent again before it.
    const [move, ...again] = lines.slice(lines.indexOf("readyok") + 1).map((line) => line.split(" ")[0]).toReversed();
    assert.equal(move, "bestmove", go);
    assert.equal(again.filter((word) => word !== "info").length, 0, go);
  }
});
