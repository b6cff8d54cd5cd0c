#!/usr/bin/env node
// Serves a folder on this machine as the page should be served anywhere: with the headers that let it use threads, and
// compressed. usage: serve.mjs [folder] [port]

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".tsv": "text/tab-separated-values; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** The compressed files beside each file, in the order of preference. */
const ENCODINGS = [["br", ".br"], ["gzip", ".gz"]];

/** Without these two, browsers give a page no memory to share, and so no threads. */
export const ISOLATION = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** @returns {Promise<import("node:fs").Stats | null>} null if there is no such file */
async function regularFile(path) {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found : null;
}

async function find(folder, url) {
  const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
  return file.startsWith(folder + sep) && (await regularFile(file)) ? file : null;
}

async function answer(folder, headers, request, response) {
  const file = await find(folder, request.url).catch(() => null);
  if (!file || !["GET", "HEAD"].includes(request.method)) {
    response.writeHead(file ? 405 : 404, { "Content-Type": "text/plain" }).end(file ? "GET only\n" : "not found\n");
    return;
  }
  const accepted = String(request.headers["accept-encoding"] ?? "").split(/\s*,\s*/).map((encoding) => encoding.split(";")[0]);
  let [path, encoding] = [file, ""];
  for (const [name, suffix] of ENCODINGS) {
    if (!encoding && accepted.includes(name) && (await regularFile(file + suffix))) [path, encoding] = [file + suffix, name];
  }
  const { size, mtimeMs } = await stat(path);
  const tag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}${encoding}"`;
  const isKnown = request.headers["if-none-match"] === tag;
  response.writeHead(isKnown ? 304 : 200, {
    ...headers,
    ETag: tag,
    "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
    ...(!isKnown && { "Content-Length": size }),
    ...(encoding && { "Content-Encoding": encoding }),
    Vary: "Accept-Encoding",
    "Cache-Control": "no-cache",
  });
  if (isKnown || request.method === "HEAD") response.end();
  else createReadStream(path).on("error", () => response.destroy()).pipe(response);
}

/**
 * Serves `folder` on `port` of this machine, on a free one by default.
 * @param {string} folder
 * @param {{ port?: number, headers?: Record<string, string> }} [settings]
 * @returns {Promise<import("node:http").Server & { url: string }>}
 */
export async function serve(folder, { port = 0, headers = ISOLATION } = {}) {
  const server = createServer((request, response) => {
    answer(resolve(folder), headers, request, response).catch(() => response.destroy());
  });
  await new Promise((listening, failed) => server.once("error", failed).listen(port, "127.0.0.1", listening));
  return Object.assign(server, { url: `http://localhost:${server.address().port}/` });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [folder = "target/web", port = "8000"] = process.argv.slice(2);
  const server = await serve(folder, { port: Number(port) }).catch((error) => {
    console.error(error.code === "EADDRINUSE" ? `port ${port} is in use: make serve PORT=8001` : error.message);
    process.exit(1);
  });
  console.log(`${server.url} (end with Ctrl+C)`);
}
