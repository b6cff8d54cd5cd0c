// Keys of the whole page, as players know them.

import { engineOn, playBest, switchEngine } from "./analysis.js";
import { first, flip, goTo, last, mode, next, previous, sibling } from "./game.js";
import { enter } from "./input.js";
import { dialog } from "./notices.js";
import { askHint, isRunning } from "./play.js";
import { nextMistake } from "./review.js";
import { endRetry, retry } from "./retry.js";
import { askThreat } from "./threat.js";

function best() {
  const uci = mode.value === "play" ? null : playBest();
  if (uci) enter(uci);
}

function goToMistake() {
  const target = nextMistake();
  if (target && mode.value !== "play") goTo(target);
}

/** What each key does, with its words for the help. @type {{ keys: string[], shown: string, text: string, run(): void }[]} */
export const KEYS = [
  { keys: ["ArrowLeft"], shown: "←", text: "previous move", run: previous },
  { keys: ["ArrowRight"], shown: "→", text: "next move", run: next },
  { keys: ["Home"], shown: "Home", text: "start of the game", run: first },
  { keys: ["End"], shown: "End", text: "end of the line", run: last },
  { keys: ["ArrowUp"], shown: "↑", text: "variation before", run: () => sibling(-1) },
  { keys: ["ArrowDown"], shown: "↓", text: "variation after", run: () => sibling(1) },
  { keys: [" "], shown: "Space", text: "play the engine's best move", run: best },
  { keys: ["f"], shown: "f", text: "turn the board", run: flip },
  { keys: ["e"], shown: "e", text: "engine on or off", run: switchEngine },
  { keys: ["t"], shown: "t", text: "show the threat", run: () => mode.value !== "play" && engineOn.value && void askThreat() },
  { keys: ["h"], shown: "h", text: "hint in a game", run: () => mode.value === "play" && askHint() },
  { keys: ["n"], shown: "n", text: "next mistake", run: goToMistake },
  { keys: ["m"], shown: "m", text: "type a move", run: () => document.getElementById("san")?.focus() },
  { keys: ["?"], shown: "?", text: "this list", run: () => (dialog.value = "help") },
];

/** The keys that do not lead away from the mistake that is retried. */
const IN_RETRY = ["f", "m", "?"];

export function listenForKeys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || dialog.value) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("dialog, [role=menu]")) return;
    if (event.key === "Escape" && retry.value) return endRetry();
    if (target.closest("input, textarea, select")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    if (retry.value && !IN_RETRY.includes(event.key)) return;
    const key = KEYS.find(({ keys }) => keys.includes(event.key));
    if (!key) return;
    event.preventDefault();
    key.run();
  });
}

/** The wheel over the board steps through the game. @param {WheelEvent} event */
export function onWheel(event) {
  if (event.ctrlKey || retry.value || (mode.value === "play" && isRunning.value)) return;
  event.preventDefault();
  if (event.deltaY > 0) next();
  else if (event.deltaY < 0) previous();
}
