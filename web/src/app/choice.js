// The game that the user has chosen: on the first screen, in the dialog for a new game, and on the visits before.

import { settings } from "../store/settings.js";
import { rivalLevel } from "./rival.js";

/** @param {string} clock @param {number} minutes @param {number} increment */
export function clockOf(clock, minutes, increment) {
  if (clock === "none") return null;
  const [initial, seconds] = clock === "custom" ? [minutes, increment] : clock.split("+").map(Number);
  return { initial: 60_000 * initial, increment: 1000 * seconds };
}

/** All of the choice but color and position. @returns {Omit<import("./play.js").GameChoice, "color" | "fen">} */
export function chosenGame() {
  const { opponent, level, full, clock, minutes, increment, turning, takebacks, moveSeconds } = settings.value;
  const time = clockOf(clock, minutes, increment);
  if (opponent === "both") return { level: null, clock: time, both: true, turning, takebacks };
  const rest = { clock: time, seconds: moveSeconds };
  return opponent === "rival" ? { level: rivalLevel.value, ...rest, takebacks: false, rival: true } : { level: full ? null : level, ...rest, takebacks };
}
