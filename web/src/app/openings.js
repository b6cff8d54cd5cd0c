// Names of openings, loaded when they are first wanted.

import { computed, signal } from "@preact/signals";
import { repetitionKey } from "../chess/position.js";
import { Tree } from "../chess/tree.js";
import { playSan } from "../chess/pgn-read.js";
import { node, version } from "./game.js";

/** By position, so that transpositions are found. */
const names = signal(/** @type {Map<string, string> | null} */ (null));
/** @type {Promise<void> | undefined} */
let loading;

/** Each line of the file is a name, with its code, and the moves in standard notation; played through in idle time. */
export function loadOpenings() {
  loading ??= fetch(new URL("openings.tsv", document.baseURI))
    .then((response) => (response.ok ? response.text() : Promise.reject(new Error(String(response.status)))))
    .then(read)
    .catch(() => {
      // Without the names the page does all else; the next wish tries again.
      loading = undefined;
    });
  return loading;
}

/** @param {string} text */
async function read(text) {
  const found = new Map();
  const tree = new Tree();
  let started = performance.now();
  for (const line of text.split("\n")) {
    const [code, name, moves] = line.split("\t");
    if (!moves || line.startsWith("#")) continue;
    let at = tree.root;
    for (const san of moves.split(" ")) at = at.children.find((child) => child.san === san) ?? playSan(at, san) ?? at;
    found.set(repetitionKey(at.fen), `${code} ${name}`);
    if (performance.now() - started > 8) {
      await new Promise((done) => setTimeout(done));
      started = performance.now();
    }
  }
  names.value = found;
}

/** The name of the opening that a node belongs to. @param {import("../chess/tree.js").GameNode} at */
export function openingOf(at) {
  if (!names.value || at.ply > 60) return "";
  for (let other = /** @type {typeof at | null} */ (at); other; other = other.parent) {
    const name = names.value.get(repetitionKey(other.fen));
    if (name) return name;
  }
  return "";
}

/** True if the position itself is a named opening's. @param {import("../chess/tree.js").GameNode} at */
export const isBook = (at) => names.value?.has(repetitionKey(at.fen)) ?? false;

export const opening = computed(() => {
  version.value;
  return openingOf(node.value);
});
