#!/usr/bin/env node
// Packs the engine as an npm package. usage: pack.mjs FOLDER-WITH-THE-WASM-FILES FOLDER-FOR-THE-PACKAGE

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [built, out] = process.argv.slice(2);
const here = import.meta.dirname;
const root = join(here, "..", "..");
const folder = join(out, "package");

rmSync(out, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const sources = {
  [join(here, "..", "engine")]: ["engine.js", "engine.d.ts", "input.js", "replay.js", "wasi.js", "worker.js"],
  [here]: ["README.md"],
  [root]: ["LICENSE"],
  [built]: ["sleight.wasm", "sleight-threads.wasm", "sizes.json"],
};
for (const [source, names] of Object.entries(sources)) {
  names.forEach((name) => copyFileSync(join(source, name), join(folder, name)));
}
const [, version] = /^version = "(.+)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"));
const description = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...description, version }, null, 2)}\n`);
execFileSync("npm", ["pack", "--silent", "--pack-destination", ".."], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
const tarball = join(out, `${description.name}-${version}.tgz`);
console.log(`${tarball}: ${statSync(tarball).size} bytes`);
