// The rows above and below the board: who plays, what was taken, and the clock.

import { useComputed } from "@preact/signals";
import { clockText } from "../app/clock.js";
import { node, orientation, play, tree, version } from "../app/game.js";
import { clockTimes, isRunning, tip } from "../app/play.js";
import { clockIn } from "../chess/comments.js";
import { nameOf, opposite } from "../chess/ends.js";

/** @typedef {"white" | "black"} Color */

const VALUES = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9 };
const ORDER = /** @type {const} */ (["queen", "rook", "bishop", "knight", "pawn"]);

/** What a side has more than the other one. @param {import("chessops/board").Board} board @param {Color} color */
function advantage(board, color) {
  /** @type {(keyof typeof VALUES)[]} */
  const pieces = [];
  let points = 0;
  for (const role of ORDER) {
    const more = board.pieces(color, role).size() - board.pieces(opposite(color), role).size();
    points += more * VALUES[role];
    for (let count = 0; count < more; count++) pieces.push(role);
  }
  return { pieces, points };
}

/** The time on a side's clock at the node on the board, as the PGN has it. @param {Color} color */
function readClock(color) {
  for (let at = /** @type {import("../chess/tree.js").GameNode | null} */ (node.value); at; at = at.parent) {
    const time = at.mover === color && at.parent ? clockIn(at.comments) : null;
    if (time !== null) return time;
  }
  return null;
}

/** @param {{ top?: boolean }} props */
export function PlayerRow({ top = false }) {
  const color = top ? opposite(orientation.value) : orientation.value;
  const material = useComputed(() => {
    const side = top ? opposite(orientation.value) : orientation.value;
    return advantage(node.value.position.board, side);
  });
  version.value;
  const atTip = play.value?.clock && node.value === tip.value && isRunning.value;
  const time = atTip ? clockTimes.value[color] : readClock(color);
  const runs = isRunning.value && tip.value?.turn === color;
  const { pieces, points } = material.value;
  const name = tree.value.headers.get(nameOf(color));
  const rating = tree.value.headers.get(`${nameOf(color)}Elo`);
  return (
    <div class={`player ${top ? "top" : "bottom"}`}>
      <span class={`dot ${color}`} aria-hidden="true" />
      <span class="name">{!name || name === "?" ? nameOf(color) : name}{rating && /^\d+$/.test(rating) ? ` (${rating})` : ""}</span>
      <span class="material cg-wrap" aria-hidden="true">
        {pieces.map((role, at) => <piece class={`${role} white ${pieces[at - 1] === role ? "same" : ""}`} key={at} />)}
        {points > 0 && <span class="points">+{points}</span>}
      </span>
      {time !== null && (
        <span class={`clock ${runs ? "runs" : ""} ${time < 10_000 && runs ? "low" : ""}`} role="timer" aria-label={`${nameOf(color)}'s clock`}>
          {clockText(time)}
        </span>
      )}
    </div>
  );
}
