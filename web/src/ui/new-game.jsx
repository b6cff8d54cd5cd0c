// The dialog for a new game, preset to the last choice.

import { useSignal } from "@preact/signals";
import { INITIAL_FEN } from "chessops/fen";
import { chosenGame } from "../app/choice.js";
import { node, tree } from "../app/game.js";
import { dialog } from "../app/notices.js";
import { isRunning, newGame } from "../app/play.js";
import { rivalLevel } from "../app/rival.js";
import { chess960Fen } from "../chess/chess960.js";
import { isChess960 } from "../chess/position.js";
import { change, settings } from "../store/settings.js";
import { Choice, Dialog, Toggle } from "./dialog.jsx";
import { LevelChoice, withinLevels } from "./level.jsx";
import { MiniBoard } from "./mini-board.jsx";

export const CLOCKS = /** @type {const} */ ([["none", "No clock"], ["5+3", "5+3"], ["10+5", "10+5"], ["15+10", "15+10"], ["custom", "Custom"]]);
export const COLORS = /** @type {const} */ ([["white", "White"], ["random", "Random"], ["black", "Black"]]);
const OPPONENTS = /** @type {const} */ ([["sleight", "Sleight"], ["rival", "Rival"], ["both", "Two players"]]);
const STARTS = /** @type {const} */ ([["standard", "Standard"], ["960", "Chess960"], ["this", "This position"]]);

/** @param {{ name: "minutes" | "increment" | "moveSeconds", label: string, min: number, max: number, step: number }} props */
function NumberChoice({ name, label, ...range }) {
  const onChange = (/** @type {Event} */ { currentTarget }) => {
    const input = /** @type {HTMLInputElement} */ (currentTarget);
    if (input.validity.valid) change({ [name]: Number(input.value) });
  };
  return <label>{label} <input type="number" {...range} required value={settings.value[name]} onChange={onChange} /></label>;
}

export function NewGameDialog() {
  const { color, level, full, clock, opponent, takebacks, turning } = settings.value;
  const start = useSignal(/** @type {"standard" | "960" | "this"} */ ("standard"));
  const number = useSignal(Math.floor(960 * Math.random()));
  const begin = (/** @type {Event} */ event) => {
    event.preventDefault();
    const side = opponent === "both" ? "white" : color === "random" ? (Math.random() < 0.5 ? "white" : "black") : color;
    const fen = { standard: INITIAL_FEN, 960: chess960Fen(number.value), this: node.value.fen }[start.value];
    const variant = start.value === "960" || (start.value === "this" && isChess960(node.value.position)) ? "Chess960" : undefined;
    dialog.value = null;
    // Only the ordinary position tells a rating.
    const choice = chosenGame();
    newGame({ ...choice, level: choice.level && withinLevels(choice.level), rival: choice.rival && fen === INITIAL_FEN, color: side, fen, variant });
  };
  return (
    <Dialog title="New game" class="new-game">
      <form onSubmit={begin}>
        <Choice name="opponent" label="Opponent" value={opponent} options={OPPONENTS} onChange={(value) => change({ opponent: value })} />
        {opponent !== "both" && <Choice name="color" label="You play" value={color} options={COLORS} onChange={(value) => change({ color: value })} />}
        {opponent === "sleight" && <LevelChoice level={level} full={full} onChange={change} />}
        {opponent === "rival" && <p class="quiet small">At {rivalLevel.value}, your own rating, which the result moves. Without takebacks and hints.</p>}
        <Choice name="clock" label="Clock" value={clock} options={/** @type {any} */ (CLOCKS)} onChange={(value) => change({ clock: String(value) })} />
        {clock === "custom" && (
          <div class="two">
            <NumberChoice name="minutes" label="Minutes" min={0.5} max={180} step={0.5} />
            <NumberChoice name="increment" label="Increment, seconds" min={0} max={60} step={1} />
          </div>
        )}
        {clock === "none" && opponent !== "both" && <div class="two"><NumberChoice name="moveSeconds" label="Seconds a move" min={0.5} max={600} step={0.5} /></div>}
        {opponent === "both" && <Toggle label="Turn the board after each move" checked={turning} onChange={(value) => change({ turning: value })} />}
        {opponent !== "rival" && <Toggle label="Takebacks" checked={takebacks} onChange={(value) => change({ takebacks: value })} />}
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
