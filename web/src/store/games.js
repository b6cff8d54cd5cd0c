// The games that are kept in this browser, in IndexedDB: each game by its id, and a list of summaries, newest first.

import { createStore, del, get, set, update } from "idb-keyval";

/** @typedef {import("../app/play.js").PlayRecord} PlayRecord */
/**
 * @typedef {{ id: string, pgn: string, path: string[], play: PlayRecord | null,
 *   review: import("../app/game.js").KeptReview | null, mode: "play" | "review" | "analyse" }} StoredGame
 * @typedef {{ id: string, title: string, result: string, plies: number, changed: number }} Summary `changed` in ms since 1970
 */

const MOST_GAMES = 200;
/** What a tab keeps beside IndexedDB, at once: writing there is not over yet when a page is reloaded. */
const LARGEST_NOTE = 1_000_000;

/** @type {ReturnType<typeof createStore> | undefined} */
let store;
const games = () => (store ??= createStore("sleight", "games"));

export const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

/**
 * Keeps a game.
 * @param {StoredGame} game @param {Omit<Summary, "id" | "changed">} summary
 */
export async function saveGame(game, summary) {
  note(game);
  await set(game.id, game, games());
  /** @type {string[]} */
  let dropped = [];
  await update("list", (/** @type {Summary[] | undefined} */ list = []) => {
    const all = [{ ...summary, id: game.id, changed: Date.now() }, ...list.filter(({ id }) => id !== game.id)];
    dropped = all.slice(MOST_GAMES).map(({ id }) => id);
    return all.slice(0, MOST_GAMES);
  }, games());
  await Promise.all(dropped.map((id) => del(id, games())));
}

/** What this tab shows, for its next load. @param {StoredGame} game */
export function note(game) {
  try {
    sessionStorage.setItem("game", game.pgn.length < LARGEST_NOTE ? JSON.stringify(game) : JSON.stringify({ id: game.id }));
  } catch {
    // Without storage the game lives as long as the page.
  }
}

/** @returns {Promise<Summary[]>} */
export const listGames = async () => (await get("list", games())) ?? [];

/** @param {string} id @returns {Promise<StoredGame | undefined>} */
export const loadGame = (id) => get(id, games());

/** @param {string} id */
export async function deleteGame(id) {
  await update("list", (/** @type {Summary[] | undefined} */ list = []) => list.filter((other) => other.id !== id), games());
  await del(id, games());
}

/** The game that this tab showed, or else the newest one. @returns {Promise<StoredGame | undefined>} */
export async function lastGame() {
  try {
    const noted = JSON.parse(sessionStorage.getItem("game") ?? "null");
    if (noted?.pgn) return noted;
    if (noted?.id) return await loadGame(noted.id);
  } catch {
    // Storage may be denied or hold something old.
  }
  const [newest] = await listGames();
  return newest && loadGame(newest.id);
}
