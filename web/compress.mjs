#!/usr/bin/env node
// Writes compressed copies beside the files of a folder, which servers send in their place.
// usage: compress.mjs folder [quality of Brotli, 0 to 11, which takes most of the time]

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Images are compressed already. */
const COMPRESSED = [".css", ".html", ".js", ".json", ".svg", ".tsv", ".txt", ".wasm", ".webmanifest"];
/** Bytes from which on it is worth a file. */
const LEAST = 1000;

const [folder, quality = constants.BROTLI_MAX_QUALITY] = process.argv.slice(2);
for (const name of readdirSync(folder, { recursive: true })) {
  const file = join(folder, String(name));
  if (!COMPRESSED.includes(extname(file)) || statSync(file).size < LEAST) continue;
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: Number(quality), [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
}
