// The queue of the engine against one made of a few lines.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { EngineQueue } from "../../src/engine-queue/queue.js";
import { parseInfo, parseOption } from "../../src/engine-queue/uci.js";

/** An engine that answers when it is told to. */
function fake({ fails = 0 } = {}) {
  const made = [];
  const create = async ({ onLine, onExit, onProgress }) => {
    if (made.length < fails) {
      made.push(null);
      throw new Error("no memory");
    }
    onProgress(0.5);
    const sent = [];
    const engine = {
      sent, onLine, onExit, ended: false, hangs: false,
      send(line) {
        sent.push(line);
        if (line === "uci") ["option name UCI_Elo type spin default 1500 min 800 max 2600", "option name Threads type spin default 1 min 1 max 64", "option name Hash type spin default 16 min 1 max 1024", "option name MultiPV type spin default 1 min 1 max 256", "uciok"].forEach((text) => queueMicrotask(() => onLine(text)));
        if (line === "isready" && !engine.hangs) queueMicrotask(() => onLine("readyok"));
      },
    };
    made.push(engine);
    return { send: engine.send, terminate: () => (engine.ended = true), threaded: true, maxThreads: 4 };
  };
  return { create, made };
}

const turn = () => new Promise((done) => setTimeout(done, 5));
const queues = [];
after(() => queues.forEach((queue) => queue.end()));
async function started(options) {
  const { create, made } = fake(options);
  const states = [];
  const queue = new EngineQueue(create, { base: "/", hash: 64, threads: 8 }, (state) => states.push(state));
  queues.push(queue);
  await queue.start();
  await turn();
  return { queue, made, states };
}
const goes = (engine) => engine.sent.filter((line) => line.startsWith("go"));

test("options are read, and set once", async () => {
  const { queue, made, states } = await started();
  assert.equal(queue.options.get("UCI_Elo").min, 800);
  assert.deepEqual(states.map(({ phase }) => phase), ["loading", "loading", "ready"]);
  assert.equal(states[1].fraction, 0.5);
  assert.ok(made[0].sent.includes("setoption name Threads value 4"));
  queue.search({ position: "startpos", go: "depth 1", options: { MultiPV: 3 } });
  made[0].onLine("bestmove e2e4");
  queue.search({ position: "startpos", go: "depth 2", options: { MultiPV: 3, Unknown: 1 } });
  assert.equal(made[0].sent.filter((line) => line.includes("MultiPV")).length, 1);
  assert.ok(!made[0].sent.some((line) => line.includes("Unknown")));
});

test("a search that waits for the engine is asked when it is there", async () => {
  const { create, made } = fake();
  const queue = new EngineQueue(create, { base: "/", hash: 64, threads: 1 }, () => {});
  const { answer } = queue.search({ position: "startpos", go: "depth 5" });
  await queue.start();
  await turn();
  assert.deepEqual(goes(made[0]), ["go depth 5"]);
  made[0].onLine("info depth 5 score cp 20 nodes 9 pv e2e4 e7e5");
  made[0].onLine("bestmove e2e4 ponder e7e5");
  const found = await answer;
  assert.equal(found.move, "e2e4");
  assert.deepEqual(found.lines[0].pv, ["e2e4", "e7e5"]);
});

test("a new search ends the one before, whose late lines reach nobody", async () => {
  const { queue, made } = await started();
  const seen = [];
  const first = queue.search({ position: "startpos", go: "infinite", onLine: (line) => seen.push(["first", line.depth]) });
  const second = queue.search({ position: "startpos moves e2e4", go: "depth 3", onLine: (line) => seen.push(["second", line.depth]) });
  assert.deepEqual(goes(made[0]), ["go infinite"]);
  assert.equal(made[0].sent.filter((line) => line === "stop").length, 1);
  made[0].onLine("info depth 9 score cp 1 pv e2e4");
  made[0].onLine("bestmove e2e4");
  assert.equal((await first.answer).stopped, true);
  assert.deepEqual(goes(made[0]), ["go infinite", "go depth 3"]);
  first.stop();
  made[0].onLine("info depth 3 score cp 1 pv e7e5");
  made[0].onLine("bestmove e7e5");
  assert.equal((await second.answer).move, "e7e5");
  assert.deepEqual(seen, [["second", 3]]);
});

test("of many searches at once only the first and the last are asked", async () => {
  const { queue, made } = await started();
  const all = Array.from({ length: 50 }, (_, at) => queue.search({ position: "startpos", go: `depth ${at + 1}` }));
  made[0].onLine("bestmove a2a3");
  made[0].onLine("bestmove b2b3");
  const answers = await Promise.all(all.map(({ answer }) => answer));
  assert.deepEqual(goes(made[0]), ["go depth 1", "go depth 50"]);
  assert.deepEqual(answers.map(({ stopped }) => stopped), [...Array(49).fill(true), false]);
});

test("an engine that dies is started once more, and asked again", async () => {
  const { queue, made, states } = await started();
  const { answer } = queue.search({ position: "startpos", go: "depth 7" });
  made[0].onExit("out of memory");
  await turn();
  assert.equal(made.length, 2);
  assert.deepEqual(goes(made[1]), ["go depth 7"]);
  made[1].onExit("out of memory");
  assert.equal((await answer).stopped, true);
  assert.deepEqual(states.at(-1), { phase: "failed", reason: "out of memory" });
  await queue.restart({ hash: 16 });
  await turn();
  assert.equal(states.at(-1).phase, "ready");
  assert.ok(made[2].sent.includes("setoption name Hash value 16"));
});

test("an engine that falls silent during a search is asked whether it is there, then started once more", async (t) => {
  const { queue, made, states } = await started();
  const asked = () => made[0].sent.slice(made[0].sent.indexOf("go infinite")).includes("isready");
  made[0].hangs = true;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.timers.tick(60_000);
  const { answer } = queue.search({ position: "startpos", go: "infinite" });
  t.mock.timers.tick(19_000);
  made[0].onLine("info depth 9 score cp 1 pv e2e4");
  t.mock.timers.tick(19_000);
  assert.equal(asked(), false);
  t.mock.timers.tick(2_000);
  assert.equal(asked(), true);
  t.mock.timers.tick(19_000);
  assert.equal(made[0].ended, false);
  t.mock.timers.tick(2_000);
  assert.equal(made[0].ended, true);
  t.mock.timers.reset();
  await turn();
  assert.deepEqual(goes(made[1]), ["go infinite"]);
  assert.equal(states.at(-1).phase, "ready");
  made[1].onLine("bestmove e2e4");
  assert.equal((await answer).move, "e2e4");
});

test("an engine that has nothing more to say goes on until it is stopped", async (t) => {
  const { queue, made, states } = await started();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { answer, stop } = queue.search({ position: "startpos", go: "infinite" });
  made[0].onLine("info depth 245 score mate 2 pv e2e4");
  for (let minute = 0; minute < 10; minute++) {
    t.mock.timers.tick(30_000);
    // The engine answers.
    await Promise.resolve();
  }
  t.mock.timers.reset();
  assert.equal(made.length, 1);
  assert.equal(states.at(-1).phase, "ready");
  assert.deepEqual(goes(made[0]), ["go infinite"]);
  stop();
  made[0].onLine("bestmove e2e4");
  assert.equal((await answer).stopped, true);
});

test("an engine that cannot be loaded is tried once more", async () => {
  const { states } = await started({ fails: 1 });
  assert.equal(states.at(-1).phase, "ready");
  const { states: twice } = await started({ fails: 2 });
  assert.deepEqual(twice.at(-1), { phase: "failed", reason: "no memory" });
});

test("lines of the protocol", () => {
  const line = parseInfo("info depth 12 seldepth 20 multipv 2 score cp -31 lowerbound wdl 100 700 200 nodes 5000 nps 100000 hashfull 3 time 50 pv e7e5 g1f3");
  assert.deepEqual(line, { index: 1, depth: 12, nodes: 5000, nps: 100000, hashfull: 3, time: 50, score: { cp: -31 }, bound: true, wdl: [100, 700, 200], pv: ["e7e5", "g1f3"] });
  assert.equal(parseInfo("info string score cp"), null);
  assert.deepEqual(parseInfo("info depth 1 score mate -3 pv a2a3").score, { mate: -3 });
  assert.equal(parseOption("option name Skill Level type spin default 20 min 0 max 20").name, "Skill Level");
});
