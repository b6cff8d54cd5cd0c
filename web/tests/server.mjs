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
 * @param {{ isolated?: boolean, bytesPerSecond?: number, latency?: number }} [how] `isolated`: with the headers for threads
 * @returns {Promise<{ url: string, requests: string[], change(path: string, edit: (text: string) => string): void, close(): Promise<void> }>}
 */
export async function serve({ isolated = false, bytesPerSecond = 0, latency = 0 } = {}) {
  const requests = [];
  const edits = new Map();
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname).replace(/^\/$/, "/index.html");
    requests.push(path);
    if (latency) await new Promise((done) => setTimeout(done, latency));
    const file = join(ROOT, path);
    if (!file.startsWith(ROOT) || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    const headers = { "Content-Type": TYPES[extname(file)] ?? "text/plain", "Cache-Control": "no-cache" };
    if (isolated) Object.assign(headers, { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" });
    if (edits.has(path)) return response.writeHead(200, headers).end(edits.get(path)(await readFile(file, "utf8")));
    response.writeHead(200, { ...headers, "Content-Length": statSync(file).size });
    if (!bytesPerSecond) return createReadStream(file).pipe(response);
    for await (const chunk of createReadStream(file, { highWaterMark: bytesPerSecond / 20 })) {
      if (response.destroyed) return undefined;
      response.write(chunk);
      await new Promise((done) => setTimeout(done, 50));
    }
    return response.end();
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://localhost:${server.address().port}/`,
    requests,
    change: (path, edit) => edits.set(path, edit),
    close: () => new Promise((closed) => {
      server.closeAllConnections();
      server.close(closed);
    }),
  };
}
