// Text from outside, a PGN or FEN, as games on the page. A game is only replaced by one that has something in it.

import { signal } from "@preact/signals";
import { ChessError, readFen } from "../chess/position.js";
import { readGame, splitGames } from "../chess/pgn-read.js";
import { Tree } from "../chess/tree.js";
import { open } from "./game.js";
import { dialog, toast } from "./notices.js";

/** @typedef {import("../chess/pgn-read.js").RawGame} RawGame */

/** The games of a file with several. */
export const gamesToChoose = signal(/** @type {RawGame[]} */ ([]));

/** Files above this are no games of a person, and reading them stops the page for long. */
const LARGEST_FILE = 64 * 2 ** 20;

/** @param {string} text @returns {string} what is wrong with the text, "" if it was loaded or its games are listed */
export function loadText(text) {
  const trimmed = text.trim();
  if (!trimmed) return "There is nothing to load.";
  try {
    if (looksLikeFen(trimmed)) {
      open({ tree: new Tree(trimmed), mode: "analyse" }, { message: "Position loaded" });
      dialog.value = null;
      return "";
    }
    const games = splitGames(text);
    if (games.length > 1) {
      gamesToChoose.value = games;
      dialog.value = "choose";
      return "";
    }
    return games.length === 1 ? loadGame(games[0]) : "There is no game in this text.";
  } catch (error) {
    if (error instanceof ChessError) return error.message;
    throw error;
  }
}

/** @param {string} text */
export const looksLikeFen = (text) => !text.includes("\n") && /^\s*[1-8pnbrqk]+(\/[1-8pnbrqk]+){2,}/i.test(text);

/** @param {RawGame} raw @returns {string} what is wrong with the game, "" if it was loaded */
export function loadGame(raw) {
  try {
    const { tree, problems } = readGame(raw);
    const [problem] = problems;
    const hasMoves = tree.root.children.length > 0;
    if (problem && !hasMoves) return `No game was loaded. ${problemText(problem)}`;
    if (!hasMoves && raw.headers.size === 0) return "There is no game in this text.";
    open({ tree, mode: hasMoves ? "review" : "analyse" }, { message: problem ? `Loaded up to there. ${problemText(problem)}` : "Game loaded" });
    dialog.value = null;
    return "";
  } catch (error) {
    if (error instanceof ChessError) return error.message;
    throw error;
  }
}

/** @param {import("../chess/pgn-read.js").Problem} problem */
export function problemText({ line, text, where }) {
  const shown = text.length > 20 ? `${text.slice(0, 20)}…` : text;
  return `Line ${line}: “${shown}” is not a legal move ${where}.`;
}

/** @param {File} file */
export async function loadFile(file) {
  const problem = file.size > LARGEST_FILE ? "This file is larger than 64 MB." : loadText(await file.text());
  if (problem) toast(problem, "Close", () => {});
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
    if (file) loadFile(file);
    else if (text) report(loadText(text));
  });
  addEventListener("paste", (event) => {
    const target = /** @type {Element | null} */ (event.target);
    if (target?.closest?.("input, textarea") || dialog.value) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData("text/plain");
    if (file) loadFile(file);
    else if (text) report(loadText(text));
  });
}

/** @param {string} problem */
function report(problem) {
  if (problem) toast(problem, "Close", () => {});
}
