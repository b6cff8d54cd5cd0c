// The dialog for a new game, preset to the last choice.

import { useSignal } from "@preact/signals";
import { INITIAL_FEN } from "chessops/fen";
import { levels } from "../app/engine.js";
import { node, tree } from "../app/game.js";
import { dialog } from "../app/notices.js";
import { isRunning, newGame } from "../app/play.js";
import { chess960Fen } from "../chess/chess960.js";
import { isChess960 } from "../chess/position.js";
import { change, settings } from "../store/settings.js";
import { Choice, Dialog, Toggle } from "./dialog.jsx";
import { MiniBoard } from "./mini-board.jsx";

const STEP = 50;
export const CLOCKS = /** @type {const} */ ([["none", "No clock"], ["5+3", "5+3"], ["10+5", "10+5"], ["15+10", "15+10"], ["custom", "Custom"]]);
export const COLORS = /** @type {const} */ ([["white", "White"], ["random", "Random"], ["black", "Black"]]);
const STARTS = /** @type {const} */ ([["standard", "Standard"], ["960", "Chess960"], ["this", "This position"]]);

/** @param {string} clock @param {number} minutes @param {number} increment */
export function clockOf(clock, minutes, increment) {
  if (clock === "none") return null;
  const [initial, seconds] = clock === "custom" ? [minutes, increment] : clock.split("+").map(Number);
  return { initial: 60_000 * initial, increment: 1000 * seconds };
}

export function NewGameDialog() {
  const { color, level, full, clock, minutes, increment } = settings.value;
  const { min, max } = levels.value;
  const start = useSignal(/** @type {"standard" | "960" | "this"} */ ("standard"));
  const number = useSignal(Math.floor(960 * Math.random()));
  const elo = Math.max(min, Math.min(max, level));
  const begin = (/** @type {Event} */ event) => {
    event.preventDefault();
    const side = color === "random" ? (Math.random() < 0.5 ? "white" : "black") : color;
    const fen = { standard: INITIAL_FEN, 960: chess960Fen(number.value), this: node.value.fen }[start.value];
    const variant = start.value === "960" || (start.value === "this" && isChess960(node.value.position)) ? "Chess960" : undefined;
    dialog.value = null;
    newGame({ color: side, level: full ? null : elo, clock: clockOf(clock, minutes, increment), fen, variant });
  };
  return (
    <Dialog title="New game" class="new-game">
      <form onSubmit={begin}>
        <Choice name="color" label="You play" value={color} options={COLORS} onChange={(value) => change({ color: value })} />
        <div class="level">
          <label for="level">Level <output>{full ? "full strength" : elo}</output></label>
          <input
            id="level" type="range" min={min} max={max} step={STEP} value={elo} disabled={full}
            onInput={(event) => change({ level: Number(event.currentTarget.value) })}
          />
          <Toggle label="Full strength" checked={full} onChange={(value) => change({ full: value })} />
        </div>
        <Choice name="clock" label="Clock" value={clock} options={/** @type {any} */ (CLOCKS)} onChange={(value) => change({ clock: String(value) })} />
        {clock === "custom" && (
          <div class="two">
            <label>Minutes <input type="number" min="0.5" max="180" step="0.5" required value={minutes} onChange={(event) => { if (event.currentTarget.validity.valid) change({ minutes: Number(event.currentTarget.value) }); }} /></label>
            <label>Increment, seconds <input type="number" min="0" max="60" step="1" required value={increment} onChange={(event) => { if (event.currentTarget.validity.valid) change({ increment: Number(event.currentTarget.value) }); }} /></label>
          </div>
        )}
        <Choice name="start" label="Start" value={start.value} options={STARTS} onChange={(value) => (start.value = value)} />
        {start.value === "960" && (
          <div class="start-960">
            <label>Position <input type="number" min="0" max="959" step="1" required value={number.value} onInput={(event) => { if (event.currentTarget.validity.valid && event.currentTarget.value) number.value = Number(event.currentTarget.value); }} /></label>
            <button type="button" onClick={() => (number.value = Math.floor(960 * Math.random()))}>Random</button>
            <MiniBoard fen={chess960Fen(number.value)} orientation="white" />
          </div>
        )}
        {start.value === "this" && <MiniBoard fen={node.value.fen} orientation={color === "black" ? "black" : "white"} />}
        {isRunning.value && tree.value.root.children.length > 0 && <p class="quiet small">Your present game stays in the list of games.</p>}
        <div class="actions"><button type="submit" class="primary wide">Play</button></div>
      </form>
    </Dialog>
  );
}
