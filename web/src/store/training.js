// The deck of one's own mistakes, and the results against the rival, in IndexedDB.

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

/**
 * @typedef {{ start: number, games: { game: string, level: number, score: number, rating: number }[] }} Rival the level one began at,
 *   and each game: its id, the rival's level, one's score, and one's rating after it
 */

/** @returns {Promise<Rival | null>} */
export const readRival = async () => (await get("rival", training())) ?? null;

/** @param {(rival: Rival | null) => Rival | null} change @returns {Promise<Rival | null>} */
export async function changeRival(change) {
  /** @type {Rival | null} */
  let after = null;
  await update("rival", (/** @type {Rival | null | undefined} */ kept = null) => (after = change(kept)), training());
  return after;
}
