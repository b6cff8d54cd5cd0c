// Builds the page into target/web, where the engine's files are already, and lists all files for the service worker.
//
// usage: node build.mjs     SOURCE_URL names where the source is published; without it, an archive lies beside the page

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { openings } from "./openings.mjs";
import { pieces } from "./pieces.mjs";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "..");
const OUT = join(ROOT, "target", "web");
/** The source code, for a page that is not published from a repository. */
const ARCHIVE = "source.tar.gz";
const WORKER = "sw.js";
const NOT_CACHED = /\.(gz|br|map)$|^sw\.js$/;

const { SOURCE_URL, GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
const isClone = existsSync(join(ROOT, ".git"));
const source = SOURCE_URL ?? (GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : isClone ? ARCHIVE : "");

/** The network in the engine, by the start of its hash, as OpenBench names networks. Reports are made with it. */
function networkName() {
  const bytes = readFileSync(process.env.EVALFILE || join(ROOT, "networks", "small.nnue"));
  for (const engine of ["sleight.wasm", "sleight-threads.wasm"]) {
    if (!readFileSync(join(OUT, engine)).includes(bytes)) throw new Error(`${engine} has another network: build it anew`);
  }
  return createHash("sha256").update(bytes).digest("hex").slice(0, 8);
}

/** All files below a folder, by their paths in it. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true }).map(String).filter((path) => statSync(join(folder, path)).isFile()).sort();
}

mkdirSync(OUT, { recursive: true });
await build({
  entryPoints: { main: join(HERE, "src", "main.jsx") },
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  outdir: OUT,
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "linked",
  define: { __SOURCE__: JSON.stringify(source), __NETWORK__: JSON.stringify(networkName()) },
});
await build({
  entryPoints: { style: join(HERE, "styles", "style.css") },
  bundle: true,
  minify: true,
  outdir: OUT,
});
appendFileSync(join(OUT, "style.css"), pieces());
for (const name of ["index.html", "manifest.webmanifest", "icon.svg", "icon-192.png", "icon-512.png"]) {
  cpSync(join(HERE, "assets", name), join(OUT, name));
}
writeFileSync(join(OUT, "openings.tsv"), openings());
cpSync(join(ROOT, "LICENSE"), join(OUT, "LICENSE"));
rmSync(join(OUT, ARCHIVE), { force: true });
if (source === ARCHIVE) {
  execFileSync("git", ["archive", "--format=tar.gz", "-o", join(OUT, ARCHIVE), "HEAD"], { cwd: ROOT });
}

/** The paths for the service worker with the hashes of their contents: a new version loads only what has changed. */
const cached = Object.fromEntries(
  filesIn(OUT).filter((path) => !NOT_CACHED.test(path)).map((path) => [path, createHash("sha256").update(readFileSync(join(OUT, path))).digest("hex")]),
);
const worker = readFileSync(join(HERE, "assets", WORKER), "utf8");
const version = createHash("sha256").update(JSON.stringify(cached) + worker).digest("hex").slice(0, 16);
writeFileSync(join(OUT, WORKER), worker.replace("__FILES__", JSON.stringify(cached)).replace("__VERSION__", version));
