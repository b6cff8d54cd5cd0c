// Text from outside, a PGN or FEN, as games on the page. A game is only replaced by one that has something in it.

import { computed, signal } from "@preact/signals";
import { ChessError, countsTooHigh, MOST_COUNTED, readFen } from "../chess/position.js";
import { isMoveText, LONGEST_GAME, MOST_MOVES, readSteps, splitSteps } from "../chess/pgn-read.js";
import { Tree } from "../chess/tree.js";
import { gameId, open, opened, openStored } from "./game.js";
import { dialog, toast, toasts } from "./notices.js";

/** @typedef {import("../chess/pgn-read.js").RawGame} RawGame */
/** @typedef {import("../chess/pgn-read.js").Problem} Problem */

/** The games of the last file with several, which stay at hand. */
export const fileGames = signal(/** @type {RawGame[]} */ ([]));
/** Which of them each game is that was on the page, by its id. */
const places = signal(/** @type {Map<string, number>} */ (new Map()));
/** Which of them is on the page; undefined if none. */
export const placeInFile = computed(() => places.value.get(gameId.value));

/** Files above this are no games of a person, and reading them stops the page for long. */
const LARGEST_FILE = 64 * 2 ** 20;

/** Milliseconds of reading between two looks at what the user does, and until a message says that it takes a while. */
const SLICE = 40;
const PATIENCE = 300;
/** Counts what was loaded: the newest wins. */
let loads = 0;

/**
 * Reads without stopping the page.
 * @template T @param {Generator<void, T>} steps @param {number} load @returns {Promise<T | null>} null if another text came, or the user cancelled
 */
async function inSlices(steps, load) {
  const started = performance.now();
  let told = false;
  for (let slice = started; ; ) {
    const { done, value } = steps.next();
    if (done) {
      if (told) toasts.value = null;
      return value;
    }
    if (performance.now() - slice < SLICE) continue;
    if (!told && slice - started > PATIENCE) {
      told = true;
      toast("Reading a long text", "Cancel", () => loads++);
    }
    await new Promise((go) => setTimeout(go));
    if (load !== loads) return null;
    slice = performance.now();
  }
}

/**
 * @param {string} text
 * @param {"push" | "replace"} [how] "replace": the browser's history has an entry for the game already
 * @returns {Promise<string>} what is wrong with the text, "" if it was loaded or its games are listed
 */
export async function loadText(text, how = "push") {
  const load = ++loads;
  const trimmed = text.trim();
  if (!trimmed) return "There is nothing to load.";
  if (text.includes("\0")) return "This is no text.";
  try {
    if (looksLikeFen(trimmed)) {
      const problem = countsTooHigh(trimmed) ? `Counters above ${MOST_COUNTED.toLocaleString("en")} are read as that.` : "";
      open({ tree: new Tree(trimmed), mode: "analyse" }, { message: "Position loaded", problem, history: how });
      dialog.value = null;
      return "";
    }
    const games = await inSlices(splitSteps(text), load);
    if (!games) return "";
    if (games.length > 1) {
      fileGames.value = games;
      places.value = new Map();
      dialog.value = "choose";
      return "";
    }
    return games.length === 1 ? await loadGame(games[0], how) : "There is no game in this text.";
  } catch (error) {
    if (error instanceof ChessError) return error.message;
    throw error;
  }
}

/** @param {string} text */
export const looksLikeFen = (text) => !text.includes("\n") && /^\s*[1-8pnbrqk]+(\/[1-8pnbrqk]+){2,}/i.test(text);

/**
 * @param {RawGame} raw @param {"push" | "replace"} [how] as for `loadText` @param {string} [message] what Undo would undo, "" for none
 * @returns {Promise<string>} what is wrong with the game, "" if it was loaded
 */
export async function loadGame(raw, how = "push", message = "Game loaded") {
  const load = ++loads;
  if (raw.text.length > LONGEST_GAME) {
    return `This game is ${Math.round(raw.text.length / 1e6)} MB of text. Games are read up to ${LONGEST_GAME / 1e6} MB.`;
  }
  try {
    const read = await inSlices(readSteps(raw), load);
    if (!read) return "";
    const { tree, problems } = read;
    const [problem] = problems;
    const hasMoves = tree.root.children.length > 0;
    if (problem && !hasMoves) return `No game was loaded. ${problemText(problem)}`;
    if (!hasMoves && raw.headers.size === 0) return "There is no game in this text.";
    open({ tree, mode: hasMoves ? "review" : "analyse" }, { message, problem: loadedText(problems), history: how });
    dialog.value = null;
    return "";
  } catch (error) {
    if (error instanceof ChessError) return error.message;
    throw error;
  }
}

/**
 * Shows a game of the file, as it was left if it was on the page before.
 * @param {number} place @returns {Promise<string>} what is wrong with it, as for `loadGame`
 */
export async function showInFile(place) {
  const [id] = [...places.value].find(([, other]) => other === place) ?? [];
  const known = id !== undefined && opened.get(id);
  if (id !== undefined && id === gameId.value) dialog.value = null;
  else if (known) {
    dialog.value = null;
    openStored(known, "push");
  } else {
    const before = gameId.value;
    const problem = await loadGame(fileGames.value[place], "push", "");
    if (gameId.value !== before) places.value = new Map([...places.value, [gameId.value, place]]);
    return problem;
  }
  return "";
}

/** What is wrong with a game that was loaded: where it ends too soon, and then where variations do. @param {Problem[]} problems */
export function loadedText(problems) {
  const main = problems.find(({ variation }) => !variation);
  const cut = problems.filter(({ variation }) => variation);
  const texts = [];
  if (main) texts.push(`Loaded up to there. ${problemText(main)}`);
  if (cut.length > 0) texts.push(`${cut.length === 1 ? "A variation was" : `${cut.length} variations were`} cut. ${problemText(cut[0])}`);
  return texts.join(" ");
}

/** @param {Problem} problem */
function problemText({ line, text, where, tooLong }) {
  if (tooLong) return `Line ${line}: the game is longer than ${MOST_MOVES.toLocaleString("en")} half moves.`;
  const shown = text.length > 20 ? `${text.slice(0, 20)}…` : text;
  return `Line ${line}: “${shown}” ${isMoveText(text) ? "is not a legal move" : "was not understood"} ${where}.`;
}

/** Bytes of a file that are read at once. */
const PIECE = 2 ** 20;

/** The text of a file: UTF-8, UTF-16 or, as the PGN standard has it and old programs write, Latin-1. @param {File} file */
async function decode(file) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  // By its mark, or by the zero of a first letter that has none.
  const isLittle = (first === 0xff && second === 0xfe) || (first > 0 && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second > 0);
  const utf16 = isLittle ? "utf-16le" : isBig ? "utf-16be" : null;
  try {
    return await decodeAs(file, utf16 ?? "utf-8");
  } catch {
    return decodeAs(file, "windows-1252");
  }
}

/** @param {File} file @param {string} encoding @throws {TypeError} if the file is none in this encoding */
async function decodeAs(file, encoding) {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let text = "";
  for (let at = 0; at < file.size; at += PIECE) text += decoder.decode(await file.slice(at, at + PIECE).arrayBuffer(), { stream: true });
  return text + decoder.decode();
}

/** @param {File} file @returns {Promise<string>} what is wrong with the file, as for `loadText` */
export async function loadFile(file) {
  return file.size > LARGEST_FILE ? "This file is larger than 64 MB." : loadText(await decode(file));
}

/** @param {string} fen @returns {string} what is wrong with it, "" if not */
export function fenProblem(fen) {
  try {
    readFen(fen);
    return "";
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/** Files that are dropped on the page and text that is pasted outside of fields. */
export function listenForGames() {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    const text = event.dataTransfer?.getData("text/plain");
    if (file) loadFile(file).then(report);
    else if (text) loadText(text).then(report);
  });
  addEventListener("paste", (event) => {
    const target = /** @type {Element | null} */ (event.target);
    if (target?.closest?.("input, textarea") || dialog.value) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData("text/plain");
    if (file) loadFile(file).then(report);
    else if (text) loadText(text).then(report);
  });
}

/** @param {string} problem */
function report(problem) {
  if (problem) toast(problem, "Close", () => {});
}
