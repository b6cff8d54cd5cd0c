import assert from "node:assert/strict";
import { test } from "node:test";

import { Replay, isSearch, isShort, shortened } from "./replay.js";

test("searches are told from other commands", () => {
  for (const line of ["go", " go infinite", "GO depth 3", "go searchmoves e2e4", "go ponder"]) assert(isSearch(line), line);
  for (const line of ["", "go perft 5", "position startpos", "gone", "stop", "bench"]) assert(!isSearch(line), line);
});

test("a shortened search keeps its moves", () => {
  assert.equal(shortened("go infinite"), "go depth 1");
  assert.equal(shortened("go searchmoves e2e4 E7E8Q movetime 500 a2a3"), "go depth 1 searchmoves e2e4 E7E8Q a2a3");
  assert.equal(shortened("perft 5"), "perft 5");
  assert(isShort(shortened("go wtime 1 searchmoves a2a3")) && !isShort("go depth 2") && !isShort("d"));
});

test("a new engine is told options and position in order", () => {
  const replay = new Replay();
  for (const line of [
    "setoption name Hash value 32",
    "position startpos",
    "flip",
    "setoption name Clear Hash",
    "setoption name hash value 64",
    "setoption name UCI_Opponent value ",
    "position startpos moves e2e4",
    "flip",
    "debug on",
    "go depth 3",
  ]) {
    replay.write(line);
  }
  const options = ["setoption name hash value 64", "setoption name UCI_Opponent value "];
  assert.deepEqual(replay.lines(), [...options, "debug on", "position startpos moves e2e4", "flip"]);
});

test("the answer of an ended search is the last best line", () => {
  const replay = new Replay();
  replay.write("go infinite");
  assert.deepEqual([replay.search, replay.answer], ["go infinite", ""]);
  replay.read("info string info depth 1 pv a2a3");
  assert.equal(replay.answer, "");
  replay.read("info depth 1 score cp 20 nodes 20 pv e2e4");
  assert.equal(replay.answer, "bestmove e2e4");
  replay.read("info depth 2 multipv 1 score cp 20 pv d2d4 d7d5 c2c4");
  replay.read("info depth 2 multipv 2 score cp 10 pv c2c4 e7e5");
  replay.read("info depth 3 currmove a2a3 currmovenumber 3");
  assert.equal(replay.answer, "bestmove d2d4 ponder d7d5");
  replay.read("bestmove d2d4");
  assert.equal(replay.search, "");
  replay.write("isready");
  assert.equal(replay.answer, "");
});
