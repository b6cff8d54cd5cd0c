// The names of openings: a position each, in the very notation that the page compares.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openings } from "../../openings.mjs";
import { readGame, splitGames } from "../../src/chess/pgn-read.js";
import { fenOf, readFen, repetitionKey } from "../../src/chess/position.js";

const lines = openings().trimEnd().split("\n").map((line) => line.split("\t"));
const names = new Map(lines);

test("each line is a position, as the page writes it, and a name", () => {
  assert.ok(lines.length > 3500, `${lines.length} lines`);
  assert.equal(names.size, lines.length);
  for (const line of lines) {
    assert.equal(line.length, 2, line.join(" "));
    const [key, name] = line;
    assert.match(name, /^[A-E]\d\d \S/);
    assert.equal(repetitionKey(fenOf(readFen(key))), key, name);
  }
});

test("openings are found whatever the order of moves", () => {
  const nameAfter = (moves) => names.get(repetitionKey(readGame(splitGames(`${moves} *`)[0]).tree.root.mainline().at(-1).fen));
  assert.equal(nameAfter("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6"), "C65 Ruy Lopez: Berlin Defense");
  assert.equal(nameAfter("1. Nf3 Nc6 2. e4 e5 3. Bb5 Nf6"), "C65 Ruy Lopez: Berlin Defense");
  assert.equal(nameAfter("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6"), "B90 Sicilian Defense: Najdorf Variation");
  assert.equal(nameAfter("1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O 6. Be2 e5 7. O-O Nc6 8. d5 Ne7 9. Ne1"), "E98 King's Indian Defense: Orthodox Variation, Classical System");
  assert.equal(nameAfter("1. e4 e5 2. a3 a6 3. h3 h6"), undefined);
});
