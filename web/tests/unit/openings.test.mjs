// The names of openings: every line is legal, and no two share a position.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { playSan } from "../../src/chess/pgn-read.js";
import { repetitionKey } from "../../src/chess/position.js";
import { Tree } from "../../src/chess/tree.js";

test("openings are legal and different", async () => {
  const text = await readFile(join(import.meta.dirname, "..", "..", "assets", "openings.tsv"), "utf8");
  const lines = text.trim().split("\n").filter((line) => !line.startsWith("#"));
  const seen = new Map();
  const tree = new Tree();
  for (const line of lines) {
    const [code, name, moves, ...rest] = line.split("\t");
    assert.match(code, /^[A-E]\d\d$/);
    assert.ok(name && moves && rest.length === 0, line);
    let node = tree.root;
    for (const san of moves.split(" ")) {
      const next = playSan(node, san);
      assert.equal(next?.san, san, line);
      node = next;
    }
    const key = repetitionKey(node.fen);
    assert.ok(!seen.has(key), `${name} and ${seen.get(key)}`);
    seen.set(key, name);
  }
});
