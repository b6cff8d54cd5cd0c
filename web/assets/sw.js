// Keeps the page for use without a network, and adds the headers by which it may share memory with its workers, which a
// server of static files does not send. The build fills in the files, by the hashes of their contents.

const VERSION = "__VERSION__";
const FILES = __FILES__;
/** Loaded when they are first wanted: the engine for pages without threads, which a page from here seldom is. */
const LAZY = new Set("sleight-threads.wasm" in FILES ? ["sleight.wasm"] : []);
const PREFIX = "sleight-";
const HASH = "x-content-hash";

/** Addresses of the files; "./" is the page itself. */
const address = (path) => new URL(path, self.registration.scope).href;

async function hashOf(bytes) {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A file from an older version of the page, if it has not changed; null otherwise. */
async function kept(path, hash) {
  const response = await caches.match(address(path));
  return response?.headers.get(HASH) === hash ? response : null;
}

async function load(path, hash) {
  const old = await kept(path, hash);
  if (old) return old;
  // By the address that a page is opened by, the browser has it already.
  const names = path === "index.html" ? ["./", path] : [path];
  for (const [name, cache] of ["default", "reload"].flatMap((how) => names.map((name) => [name, how]))) {
    const response = await fetch(address(name), { cache });
    const bytes = await response.arrayBuffer();
    if (!response.ok || (await hashOf(bytes)) !== hash) continue;
    const headers = new Headers(response.headers);
    ["content-encoding", "content-length", "vary"].forEach((name) => headers.delete(name));
    headers.set(HASH, hash);
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Embedder-Policy", "require-corp");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    return new Response(bytes, { headers });
  }
  throw new Error(`${path} does not fit this version`);
}

/** All files or none: a version is whole, or it is not installed. */
async function install() {
  const cache = await caches.open(PREFIX + VERSION);
  for (const [path, hash] of Object.entries(FILES)) {
    if (!LAZY.has(path)) await cache.put(address(path), await load(path, hash));
  }
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== PREFIX + VERSION).map((name) => caches.delete(name)));
}

async function answer(request) {
  const { pathname } = new URL(request.url);
  const scope = new URL(self.registration.scope).pathname;
  const path = pathname === scope ? "index.html" : pathname.slice(scope.length);
  if (!FILES[path]) return fetch(request);
  const cache = await caches.open(PREFIX + VERSION);
  const cached = await cache.match(address(path));
  if (cached) return cached;
  const loaded = await load(path, FILES[path]).catch(() => null);
  if (!loaded) return fetch(request);
  await cache.put(address(path), loaded.clone());
  return loaded;
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data }) => data === "activate" && self.skipWaiting());
self.addEventListener("fetch", (event) => {
  const { origin } = new URL(event.request.url);
  if (origin === self.location.origin && event.request.method === "GET") event.respondWith(answer(event.request));
});
