// Names of openings, loaded when they are first wanted.

import { signal } from "@preact/signals";
import { repetitionKey } from "../chess/position.js";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */

/** By position, so that transpositions are found. */
const names = signal(/** @type {Map<string, string> | null} */ (null));
/** @type {Promise<void> | undefined} */
let loading;
/** No named position comes later: 36 half moves is the longest line, and a transposition may take longer. */
const LAST_PLY = 60;

export function loadOpenings() {
  loading ??= fetch(new URL("openings.tsv", document.baseURI))
    .then((response) => (response.ok ? response.text() : Promise.reject(new Error(String(response.status)))))
    .then((text) => {
      names.value = readOpenings(text);
    })
    .catch(() => {
      // Without the names the page does all else; the next wish tries again.
      loading = undefined;
    });
  return loading;
}

/** Positions and their names. @param {string} text */
export function readOpenings(text) {
  return new Map(text.split("\n").filter(Boolean).map((line) => /** @type {[string, string]} */ (line.split("\t"))));
}

/** @param {GameNode} at */
const nameOf = (at) => (at.ply <= LAST_PLY ? names.value?.get(repetitionKey(at.fen)) : undefined);

/** The name of the opening that a node belongs to. @param {GameNode} at */
export function openingOf(at) {
  for (let other = /** @type {GameNode | null} */ (at); other; other = other.parent) {
    const name = nameOf(other);
    if (name) return name;
  }
  return "";
}

/** True if the position itself is a named opening's. @param {GameNode} at */
export const isNamed = (at) => nameOf(at) !== undefined;
