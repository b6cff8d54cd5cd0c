// What the styles hold twice, since a theme may be the system's or the user's choice.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

test("the dark palette is the same, whoever chose it", async () => {
  const tokens = await readFile(new URL("../../styles/tokens.css", import.meta.url), "utf8");
  const palettes = [':root:not([data-theme="light"])', ':root[data-theme="dark"]'].map((selector) => {
    const from = tokens.indexOf(`${selector} {`);
    return tokens.slice(tokens.indexOf("{", from) + 1, tokens.indexOf("}", from)).split(";").map((text) => text.trim());
  });
  assert.ok(palettes[0].length > 20, `${palettes[0]}`);
  assert.deepEqual(palettes[1], palettes[0]);
});
