// The layers of the page: a file imports from its own folder and from those below, types included, and none imports itself
// by way of others.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

const SRC = join(import.meta.dirname, "..", "..", "src");
const LAYERS = ["engine-queue", "chess", "review", "store", "app", "ui"];

/** The files of the page, and what each imports from its own source. */
async function graph() {
  const files = (await readdir(SRC, { recursive: true })).filter((path) => /\.jsx?$/.test(path));
  return new Map(await Promise.all(files.map(async (file) => {
    const text = await readFile(join(SRC, file), "utf8");
    const paths = [...text.matchAll(/(?:from |import ?\(?)"(\.[^"]*)"/g)].map(([, path]) => relative(SRC, join(SRC, dirname(file), path)));
    return [file, [...new Set(paths)].filter((path) => !path.startsWith(".."))];
  })));
}

test("a file imports from no layer above its own", async () => {
  const above = [];
  for (const [file, imports] of await graph()) {
    const layer = LAYERS.indexOf(dirname(file));
    if (layer < 0) continue;
    above.push(...imports.filter((path) => LAYERS.indexOf(dirname(path)) > layer).map((path) => `${file} imports ${path}`));
  }
  assert.deepEqual(above, []);
});

test("no files import each other in a circle", async () => {
  const files = await graph();
  assert.ok(files.size > 50 && [...files.values()].flat().length > 200, "imports are found");
  const done = new Set();
  const walk = (file, path) => {
    const at = path.indexOf(file);
    assert.ok(at < 0, [...path.slice(at), file].join(" imports "));
    if (done.has(file)) return;
    for (const next of files.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of files.keys()) walk(file, []);
});
