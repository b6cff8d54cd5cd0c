// The games that are kept in this browser, in IndexedDB: each game by its id, and a list of summaries, newest first.

import { createStore, delMany, get, getMany, setMany, update } from "idb-keyval";
import { intactGame, intactList } from "./kept.js";

/** @typedef {import("./kept.js").Mode} Mode */
/** @typedef {import("./kept.js").PlayRecord} PlayRecord */
/** @typedef {import("./kept.js").StoredGame} StoredGame */
/** @typedef {import("./kept.js").Kind} Kind */
/** @typedef {import("./kept.js").Summary} Summary */
/** @typedef {{ by: string, count: number }} Stamp the page that wrote a game, and how many it had written */

/** Of the games that were only looked at, the last ones are kept, for Back and for the next visit. All others stay. */
const MOST_SEEN = 20;
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
    // What bears no stamp is of a page of before there were any.
    if (kept?.stamp && kept.pgn !== game.pgn && !mine(kept.stamp)) {
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
    return saveGame({ ...game, id }, { ...summary, copy: true });
  }
  /** @type {string[]} */
  let dropped = [];
  await update("list", (kept) => {
    const list = intactList(kept);
    const { copy = summary.copy } = list.find((other) => other.id === id) ?? {};
    const all = [{ ...summary, copy, id, changed: Date.now() }, ...list.filter((other) => other.id !== id)];
    dropped = all.filter(({ kind }) => kind === "seen").slice(MOST_SEEN).map(({ id }) => id);
    return all.filter(({ id }) => !dropped.includes(id));
  }, games());
  await delMany(dropped, games());
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

/** Summaries of before there were kinds have none: the title tells which games were played here. @param {Summary} summary @returns {Summary} */
const withKind = (summary) => (summary.kind ? summary : { ...summary, kind: /^(You – Sleight|Sleight .* – You$)/.test(summary.title) ? "own" : "study" });

/** @returns {Promise<Summary[]>} all that is kept, the newest first */
const listAll = async () => intactList(await get("list", games())).map(withKind);

/** @returns {Promise<Summary[]>} the games of the list */
export const listGames = async () => (await listAll()).filter(({ kind }) => kind !== "seen");

/** @param {string} id @returns {Promise<StoredGame | undefined>} */
export async function loadGame(id) {
  const { stamp, ...kept } = (await get(id, games())) ?? {};
  const game = intactGame(kept);
  if (!game) return undefined;
  moved.delete(id);
  know(id, stamp);
  return game;
}

/** @param {string[]} ids @returns {Promise<StoredGame[]>} */
export const loadGames = async (ids) => (await getMany(ids, games())).filter((kept) => intactGame(kept));

/**
 * Takes games out.
 * @param {string[]} ids @returns {Promise<() => Promise<void>>} puts them back
 */
export async function deleteGames(ids) {
  const kept = await loadGames(ids);
  /** @type {Summary[]} */
  let gone = [];
  await update("list", (listed) => {
    const list = intactList(listed);
    gone = list.filter(({ id }) => ids.includes(id));
    return list.filter(({ id }) => !ids.includes(id));
  }, games());
  await delMany(ids, games());
  return async () => {
    await setMany(kept.map((game) => [game.id, game]), games());
    await update("list", (listed) => [...gone, ...intactList(listed).filter(({ id }) => !ids.includes(id))].sort((a, b) => b.changed - a.changed), games());
  };
}

/**
 * The game that this tab showed, or else the newest one, unless it is one's own and over: who comes back begins anew.
 * @returns {Promise<StoredGame | undefined>}
 */
export async function lastGame() {
  try {
    const noted = JSON.parse(sessionStorage.getItem("game") ?? "null");
    const game = intactGame(noted);
    if (game) {
      known.set(game.id, Array.isArray(noted.stamps) ? noted.stamps : []);
      return game;
    }
    if (noted?.id) return await loadGame(noted.id);
  } catch {
    // Storage may be denied or hold something old.
  }
  const [newest] = await listAll();
  const game = newest && (await loadGame(newest.id));
  return game?.play?.end ? undefined : game;
}
