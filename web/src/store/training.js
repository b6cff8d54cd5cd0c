// The deck of one's own mistakes, in IndexedDB.

import { createStore, get, update } from "idb-keyval";

/**
 * @typedef {import("../review/sm2.js").Schedule & { key: string, fen: string, uci: string, best: string, percent: number, why: string,
 *   game: string, title: string }} Card a position before a mistake: `key` is what repetition compares, `uci` the mistake, `best` the
 *   engine's move, `percent` White's chances before it, `game` the id of the game
 */

/** @type {ReturnType<typeof createStore> | undefined} */
let store;
const training = () => (store ??= createStore("sleight-training", "training"));

/** @returns {Promise<Card[]>} */
export const readDeck = async () => (await get("deck", training())) ?? [];

/** @param {(deck: Card[]) => Card[]} change @returns {Promise<Card[]>} */
export async function changeDeck(change) {
  /** @type {Card[]} */
  let after = [];
  await update("deck", (/** @type {Card[] | undefined} */ deck = []) => (after = change(deck)), training());
  return after;
}
