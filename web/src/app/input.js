// A move of the user, wherever it comes from: board, keyboard, text field, or a line of the engine.

import { makeUci, parseUci } from "chessops/util";
import { playSan } from "../chess/pgn-read.js";
import { readUci } from "../chess/position.js";
import { remove } from "../chess/tree.js";
import { enterMove, mode, node, play, usersColor } from "./game.js";
import { isRunning, isUsersTurn, tip, userMove } from "./play.js";
import { retry, tryMove } from "./retry.js";

/** The side whose pieces may be moved on the board; undefined if none. */
export function movableColor() {
  if (retry.value) return retry.value.stage === "ask" ? retry.value.color : undefined;
  if (mode.value !== "play" || !play.value) return node.value.turn;
  if (!isRunning.value || node.value !== tip.value) return undefined;
  return usersColor.value ?? node.value.turn;
}

/** @param {string} uci @returns {boolean} false if it cannot be played now */
export function enter(uci) {
  const move = readUci(node.value.position, uci);
  return move !== undefined && enterLegal(makeUci(move));
}

/** @param {string} uci @returns {boolean} */
function enterLegal(uci) {
  if (retry.value) {
    if (retry.value.stage !== "ask") return false;
    tryMove(uci);
    return true;
  }
  if (mode.value === "play" && play.value) return node.value === tip.value && isUsersTurn.value && userMove(uci);
  return enterMove(uci) !== null;
}

/**
 * Reads a move as text, in standard notation or that of UCI, for the position on the board.
 * @param {string} text @returns {string | null} in the notation of UCI
 */
export function readMove(text) {
  const typed = text.trim();
  const position = node.value.position;
  if (parseUci(typed.toLowerCase()) && readUci(position, typed.toLowerCase())) return typed.toLowerCase();
  for (const san of [typed, typed[0]?.toUpperCase() + typed.slice(1), typed.toLowerCase()]) {
    if (!san || san === "--") continue;
    const before = node.value.children.length;
    const child = playSan(node.value, san);
    if (!child) continue;
    if (node.value.children.length > before) remove(child);
    return child.uci;
  }
  return null;
}
