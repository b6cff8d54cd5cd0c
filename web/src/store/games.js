// The games that are kept in this browser, in IndexedDB: each game by its id, and a list of summaries, newest first.

import { createStore, del, get, update } from "idb-keyval";

/** @typedef {import("../app/play.js").PlayRecord} PlayRecord */
/**
 * @typedef {{ id: string, pgn: string, path: string[], play: PlayRecord | null,
 *   review: import("../app/game.js").KeptReview | null, mode: "play" | "review" | "analyse" }} StoredGame
 * @typedef {{ by: string, count: number }} Stamp the page that wrote a game, and how many it had written
 * @typedef {{ id: string, title: string, result: string, plies: number, changed: number }} Summary `changed` in ms since 1970
 */

const MOST_GAMES = 200;
/** What a tab keeps beside IndexedDB, at once: writing there is not over yet when a page is reloaded. */
const LARGEST_NOTE = 1_000_000;

/** @type {ReturnType<typeof createStore> | undefined} */
let store;
const games = () => (store ??= createStore("sleight", "games"));

export const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

/** This page: another tab, and this one after a reload, is another. */
const PAGE = newId();
let count = 0;
/** What this page has read and written of each game: it may write over that, and over nothing else. @type {Map<string, Stamp[]>} */
const known = new Map();
/** The new ids of games that another tab has changed. @type {Map<string, string>} */
const moved = new Map();
const MOST_STAMPS = 4;

/** @param {string} id @param {Stamp | undefined} stamp */
function know(id, stamp) {
  if (stamp) known.set(id, [...(known.get(id) ?? []).filter(({ by }) => by !== stamp.by), stamp].slice(-MOST_STAMPS));
}

/**
 * Keeps a game. Where another tab has changed what is kept since this one read it, both are kept: this one under a new id.
 * @param {StoredGame} game @param {Omit<Summary, "id" | "changed">} summary @returns {Promise<string>} its id
 */
export async function saveGame(game, summary) {
  const id = moved.get(game.id) ?? game.id;
  const stamp = { by: PAGE, count: ++count };
  const mine = (/** @type {Stamp | undefined} */ kept) => known.get(id)?.some(({ by, count: last }) => by === kept?.by && kept.count <= last);
  let conflict = false;
  know(id, stamp);
  note({ ...game, id });
  await update(id, (/** @type {(StoredGame & { stamp?: Stamp }) | undefined} */ kept) => {
    conflict = false;
    if (kept && kept.pgn !== game.pgn && !mine(kept.stamp)) {
      conflict = true;
      return kept;
    }
    // Who opens a game and changes nothing takes it from nobody.
    const same = kept?.pgn === game.pgn && kept.stamp?.by !== PAGE && kept.stamp;
    if (same) know(id, same);
    return { ...game, id, stamp: same || stamp };
  }, games());
  if (conflict) {
    if (!moved.has(id)) moved.set(id, newId());
    return saveGame({ ...game, id }, summary);
  }
  /** @type {string[]} */
  let dropped = [];
  await update("list", (/** @type {Summary[] | undefined} */ list = []) => {
    const all = [{ ...summary, id, changed: Date.now() }, ...list.filter((other) => other.id !== id)];
    dropped = all.slice(MOST_GAMES).map(({ id }) => id);
    return all.slice(0, MOST_GAMES);
  }, games());
  await Promise.all(dropped.map((gone) => del(gone, games())));
  return id;
}

/** What this tab shows, for its next load. @param {StoredGame} game */
export function note(game) {
  const stamps = known.get(game.id);
  try {
    sessionStorage.setItem("game", JSON.stringify(game.pgn.length < LARGEST_NOTE ? { ...game, stamps } : { id: game.id }));
  } catch {
    // Without storage the game lives as long as the page.
  }
}

/** @returns {Promise<Summary[]>} */
export const listGames = async () => (await get("list", games())) ?? [];

/** @param {string} id @returns {Promise<StoredGame | undefined>} */
export async function loadGame(id) {
  const { stamp, ...game } = (await get(id, games())) ?? {};
  if (!game.id) return undefined;
  moved.delete(id);
  know(id, stamp);
  return game;
}

/** @param {string} id */
export async function deleteGame(id) {
  await update("list", (/** @type {Summary[] | undefined} */ list = []) => list.filter((other) => other.id !== id), games());
  await del(id, games());
}

/** The game that this tab showed, or else the newest one. @returns {Promise<StoredGame | undefined>} */
export async function lastGame() {
  try {
    const noted = JSON.parse(sessionStorage.getItem("game") ?? "null");
    if (noted?.pgn) {
      const { stamps, ...game } = noted;
      known.set(game.id, stamps ?? []);
      return game;
    }
    if (noted?.id) return await loadGame(noted.id);
  } catch {
    // Storage may be denied or hold something old.
  }
  const [newest] = await listGames();
  return newest && loadGame(newest.id);
}
