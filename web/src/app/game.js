// The game on the page: tree, place in it, and what is kept of it. Everything else listens to these signals.

import { batch, computed, signal } from "@preact/signals";
import { readGame, splitGames } from "../chess/pgn-read.js";
import { writePgn } from "../chess/pgn-write.js";
import { ChessError, lineOf } from "../chess/position.js";
import { remove, restore, Tree } from "../chess/tree.js";
import { CURVE } from "../review/accuracy.js";
import { report } from "../review/judge.js";
import { strengthOf } from "../review/strengths.js";
import { newId, note, saveGame } from "../store/games.js";
import { announceMove } from "./announce.js";
import { toast, toasts } from "./notices.js";
import { openingOf } from "./openings.js";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */
/** @typedef {import("../store/games.js").PlayRecord} PlayRecord */
/** @typedef {import("../store/games.js").Mode} Mode */
/** @typedef {import("../store/games.js").StoredGame} StoredGame */
/** @typedef {import("../review/judge.js").KeptReview} KeptReview */

export const tree = signal(new Tree());
export const node = signal(/** @type {GameNode} */ (tree.value.root));
export const mode = signal(/** @type {Mode} */ ("play"));
export const orientation = signal(/** @type {"white" | "black"} */ ("white"));
export const gameId = signal(newId());
/** The game against the engine, or null: a game that was loaded or is entered by hand. */
export const play = signal(/** @type {PlayRecord | null} */ (null));
/** The user's side in a game against the engine. */
export const usersColor = computed(() => (play.value && !play.value.both ? play.value.color : undefined));
/** What is kept of a review: White's win percent in each position, what is judged of each move, and the engine's moves. */
export const review = signal(/** @type {KeptReview | null} */ (null));

/** @type {import("@preact/signals").Signal<any>[]} */
const ofOneGame = [];
/** A signal that belongs to the game on the page: null again when another one is opened. @template T @param {T | null} [_type] */
export function gameSignal(_type) {
  const made = signal(/** @type {T | null} */ (null));
  ofOneGame.push(made);
  return made;
}

/** Something was done with the game on the page: one that was loaded is worth a place in the list then. */
let touched = false;

/** What is on the page is kept nowhere: a position of the deck, which gives way to the game before. */
let temporary = false;

/** Counts the changes of the tree, which is not a signal itself. */
export const version = signal(0);

export const title = computed(() => {
  version.value;
  const name = (/** @type {string} */ side) => tree.value.headers.get(side) ?? "?";
  const names = `${name("White")} – ${name("Black")}`;
  if (names !== "? – ?") return names;
  // Games without names are told apart by their moves.
  const { position } = tree.value.root;
  const moves = lineOf(position, tree.value.end.path().map(({ uci }) => uci), 4).map(({ number, san }) => number + san);
  return ["Analysis", ...moves].join(" ");
});

/** Where the End key leads: to the present position of a game that is being played, else to the end of the line. */
export function lineEnd() {
  const record = play.value;
  if (mode.value === "play" && record && !record.end) return tree.value.find(record.moves);
  return /** @type {GameNode} */ (node.value.mainline().at(-1));
}

/** Moves to a position of the tree. @param {GameNode} target @param {boolean} [aloud] */
export function goTo(target, aloud = true) {
  if (target === node.value) return;
  node.value = target;
  if (aloud) announceMove(target);
  rememberPlace();
}

export const first = () => goTo(tree.value.root);
export const last = () => goTo(lineEnd());
export const previous = () => node.value.parent && goTo(node.value.parent);
export const next = () => node.value.children[0] && goTo(node.value.children[0]);

/** The variation before or after this one at the nearest fork. @param {1 | -1} step */
export function sibling(step) {
  for (let at = node.value; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    if (siblings.length > 1) return goTo(siblings[(siblings.indexOf(at) + step + siblings.length) % siblings.length]);
  }
}

/** Plays a move in analysis: a known one is followed, a new one becomes the main line or a variation. @param {string} uci */
export function enterMove(uci) {
  const before = node.value.children.length;
  const child = node.value.play(uci);
  if (!child) return null;
  const isNew = node.value.children.length > before;
  goTo(child);
  if (isNew) changed();
  return child;
}

/** The tree was changed: shows it and keeps it. */
export function changed() {
  touched = true;
  version.value++;
  save();
}

/** Takes a node out, which can be undone. @param {GameNode} target */
export function deleteFrom(target) {
  const parent = target.parent;
  if (!parent) return;
  const at = parent.children.indexOf(target);
  const place = node.value;
  remove(target);
  if (place.path().includes(target)) node.value = parent;
  changed();
  toast(`Deleted from ${target.san}`, "Undo", () => {
    restore(target, at);
    node.value = place;
    changed();
  });
}

/** @returns {StoredGame} */
export function stored() {
  const path = node.value.path().map(({ uci }) => uci);
  return { id: gameId.value, pgn: writePgn(tree.value), path, play: play.value, review: review.value, mode: mode.value, orientation: orientation.value, touched };
}

/** A game without a move is not worth a place in the list; only the tab remembers it. */
const isEmpty = () => tree.value.root.children.length === 0 && tree.value.isStandard;

/** What the list shows and finds, and what one's strengths are computed from. @returns {Omit<import("../store/games.js").Summary, "id" | "changed">} */
function summary() {
  const { headers } = tree.value;
  const [record, kept] = [play.value, review.value];
  const end = record ? tree.value.find(record.moves) : tree.value.end;
  const known = kept?.curve === CURVE ? report(kept.moves) : null;
  return {
    kind: record ? "own" : touched ? "study" : "seen", title: title.value, result: headers.get("Result") ?? "*", plies: end.ply,
    date: headers.get("Date"), opening: openingOf(end) || headers.get("Opening") || "", color: usersColor.value,
    accuracy: known ? { white: known.white.accuracy, black: known.black.accuracy } : undefined,
    curve: known ? CURVE : undefined,
    strength: kept && known && usersColor.value ? strengthOf([tree.value.root, ...end.path()].map(({ fen }) => fen), kept.moves, usersColor.value) : undefined,
  };
}
let warned = false;

/** The games that this page showed before, for Back and Undo where the browser keeps nothing. @type {Map<string, StoredGame>} */
export const opened = new Map();

export function save() {
  if (temporary) return;
  const game = stored();
  if (isEmpty()) return note(game);
  const { id } = game;
  saveGame(game, summary()).then((kept) => {
    if (kept === id) return;
    const before = opened.get(id);
    opened.delete(id);
    if (before) opened.set(kept, { ...before, id: kept });
    if (gameId.value !== id) return;
    gameId.value = kept;
    history.replaceState({ ...history.state, id: kept }, "", location.pathname + location.search);
    note(stored());
    toast("Another tab went on with this game. Both are kept.");
  }, (error) => {
    const full = error?.name === "QuotaExceededError";
    if (!warned) toast(full ? "The browser's storage is full: this game is not kept. Export games and delete some." : "This browser does not let the page keep games.");
    warned = !full;
  });
}

let placeTimer = 0;

/** Where one is in the game is kept too, but not at every step of a held key. */
function rememberPlace() {
  clearTimeout(placeTimer);
  placeTimer = window.setTimeout(() => temporary || note(stored()), 300);
}

/** Turns the board. */
export function flip() {
  orientation.value = orientation.value === "white" ? "black" : "white";
  rememberPlace();
}

let leave = () => {};

/** Says what is to be done before another game takes the page, and the one on it is kept. @param {() => void} run */
export function onLeave(run) {
  leave = run;
}

/**
 * Puts another game on the page. The one before is one step back in the browser's history, and in the message.
 * @param {{ tree: Tree, play?: PlayRecord | null, review?: KeptReview | null, path?: string[], id?: string, mode?: Mode, orientation?: "white" | "black", touched?: boolean }} game
 * @param {{ message?: string, problem?: string, history?: "push" | "replace" | "keep", temporary?: boolean }} [how] `message` is what Undo would undo;
 *   a `problem` is said in any case
 */
export function open(game, { message, problem, history: how = "push", temporary: passing = false } = {}) {
  leave();
  const before = isEmpty() || temporary ? null : stored();
  const passed = temporary;
  if (before) {
    save();
    opened.set(before.id, before);
  }
  temporary = passing;
  // An Undo that is still offered belongs to the game that is left.
  if (toasts.value?.label === "Undo") toasts.value = null;
  batch(() => {
    for (const state of ofOneGame) state.value = null;
    tree.value = game.tree;
    node.value = game.tree.find(game.path ?? []);
    play.value = game.play ?? null;
    review.value = game.review ?? null;
    gameId.value = game.id ?? newId();
    mode.value = game.mode ?? "analyse";
    touched = game.touched ?? false;
    orientation.value = game.orientation ?? game.play?.color ?? "white";
    version.value++;
  });
  save();
  // The step of a dialog that opens a game becomes that of the game.
  if (how === "push" && (before || passed) && !history.state?.dialog) history.pushState({ id: gameId.value }, "", location.pathname + location.search);
  else if (how !== "keep") history.replaceState({ id: gameId.value }, "", location.pathname + location.search);
  const said = problem || (before && message);
  if (said) toast(said, before ? "Undo" : undefined, before ? () => history.back() : undefined);
}

/**
 * Opens a game as it was kept.
 * @param {StoredGame} game @param {"push" | "replace" | "keep"} how @returns {boolean} false if it cannot be read
 */
export function openStored(game, how) {
  const [raw] = splitGames(game.pgn);
  try {
    open({ touched: true, ...game, tree: raw ? readGame(raw).tree : new Tree() }, { history: how });
    return true;
  } catch (error) {
    if (!(error instanceof ChessError)) throw error;
    toast(`A kept game is damaged. ${error.message}`, "Close", () => {});
    return false;
  }
}
