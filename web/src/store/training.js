// The deck of one's own mistakes, and the results against the rival, in IndexedDB.

import { createStore, get, update } from "idb-keyval";
import { intactDeck, intactRival } from "./kept.js";

/** @typedef {import("./kept.js").Card} Card */
/** @typedef {import("./kept.js").Rival} Rival */

/** @type {ReturnType<typeof createStore> | undefined} */
let store;
const training = () => (store ??= createStore("sleight-training", "training"));

/** @returns {Promise<Card[]>} */
export const readDeck = async () => intactDeck(await get("deck", training()));

/** @param {(deck: Card[]) => Card[]} change @returns {Promise<Card[]>} */
export async function changeDeck(change) {
  /** @type {Card[]} */
  let after = [];
  await update("deck", (deck) => (after = change(intactDeck(deck))), training());
  return after;
}

/** @returns {Promise<Rival | null>} */
export const readRival = async () => intactRival(await get("rival", training()));

/** @param {(rival: Rival | null) => Rival | null} change @returns {Promise<Rival | null>} */
export async function changeRival(change) {
  /** @type {Rival | null} */
  let after = null;
  await update("rival", (kept) => (after = change(intactRival(kept))), training());
  return after;
}
