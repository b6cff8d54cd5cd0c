// The built page as a server of static files shows it, with what a network can do to it.

import { createReadStream, existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..", "target", "web");
const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json", ".png": "image/png", ".tsv": "text/tab-separated-values",
};

/**
 * @param {{ isolated?: boolean, bytesPerSecond?: number, latency?: number, compressed?: boolean,
 *   held?: RegExp, missing?: RegExp, tags?: boolean }} [how] `isolated`: with the headers
 *   for threads; `held`: of these paths, half of each file comes at once, the rest after `release`; `missing`: these are not there; `tags`: by which a browser asks
 *   whether it has a file already
 * @returns {Promise<{ url: string, sent: string[], change(path: string, edit: (text: string) => string): void, release(): void, close(): Promise<void> }>}
 */
export async function serve({ isolated = false, bytesPerSecond = 0, latency = 0, compressed = false, held, missing, tags = false } = {}) {
  const edits = new Map();
  const files = [];
  let release = () => {};
  const released = new Promise((done) => (release = done));
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname).replace(/^\/$/, "/index.html");
    if (latency) await new Promise((done) => setTimeout(done, latency));
    const file = join(ROOT, path);
    if (missing?.test(path) || !file.startsWith(ROOT) || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    const headers = { "Content-Type": TYPES[extname(file)] ?? "text/plain", "Cache-Control": "no-cache" };
    if (isolated) Object.assign(headers, { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" });
    if (edits.has(path)) return response.writeHead(200, headers).end(edits.get(path)(await readFile(file, "utf8")));
    const gzip = compressed && existsSync(`${file}.gz`);
    if (gzip) headers["Content-Encoding"] = "gzip";
    const sent = gzip ? `${file}.gz` : file;
    const size = statSync(sent).size;
    if (tags) headers.ETag = `"${size}"`;
    if (tags && request.headers["if-none-match"] === headers.ETag) return response.writeHead(304, headers).end();
    files.push(path);
    response.writeHead(200, { ...headers, "Content-Length": size });
    if (held?.test(path)) {
      const bytes = await readFile(sent);
      response.write(bytes.subarray(0, size / 2));
      await released;
      return response.end(bytes.subarray(size / 2));
    }
    if (!bytesPerSecond) return createReadStream(sent).pipe(response);
    for await (const chunk of createReadStream(sent, { highWaterMark: bytesPerSecond / 20 })) {
      if (response.destroyed) return undefined;
      response.write(chunk);
      await new Promise((done) => setTimeout(done, 50));
    }
    return response.end();
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://localhost:${server.address().port}/`,
    release,
    sent: files,
    change: (path, edit) => edits.set(path, edit),
    close: () => new Promise((closed) => {
      server.closeAllConnections();
      server.close(closed);
    }),
  };
}
