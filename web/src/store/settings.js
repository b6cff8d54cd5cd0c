// What the user chose, kept in localStorage where the browser allows it.

import { effect, signal } from "@preact/signals";

/** @typedef {import("@preact/signals").Signal} Signal */

const phone = typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;

const DEFAULTS = {
  theme: /** @type {"auto" | "light" | "dark"} */ ("auto"),
  board: /** @type {"brown" | "green" | "grey"} */ ("brown"),
  pieces: /** @type {"classic" | "plain"} */ ("classic"),
  sound: false,
  /** The user has been asked whether there are to be sounds. */
  soundAsked: false,
  /** Lines, arrows and the bar in analysis. */
  lines: phone ? 1 : 3,
  arrows: true,
  bar: true,
  threads: Math.max(1, Math.min(4, Math.floor((globalThis.navigator?.hardwareConcurrency ?? 2) / 2))),
  hash: phone ? 16 : 64,
  /** The switch of analysis. */
  engine: true,
  /** Analysis stops by itself at a depth or after some seconds. */
  depth: 30,
  seconds: 15,
  /** The engine's score and line are shown in play. */
  spoilers: false,
  /** The bar has three parts: win, draw, loss. */
  wdl: false,
  /** The last choice of the dialog for a new game. */
  opponent: /** @type {"sleight" | "rival" | "both"} */ ("sleight"),
  color: /** @type {"white" | "black" | "random"} */ ("white"),
  level: 1500,
  full: false,
  clock: "none",
  minutes: 10,
  increment: 5,
  /** Without a clock. */
  moveSeconds: 1,
  takebacks: true,
  /** The board turns to the one of two people who is to move. */
  turning: true,
};

/** @typedef {typeof DEFAULTS} Settings */

/** @returns {Settings} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem("settings") ?? "{}");
    const known = Object.entries(DEFAULTS).filter(([name, value]) => typeof kept[name] === typeof value);
    return { ...DEFAULTS, ...Object.fromEntries(known.map(([name]) => [name, kept[name]])) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = signal(read());

/** @param {Partial<Settings>} changes */
export function change(changes) {
  settings.value = { ...settings.value, ...changes };
}

effect(() => {
  const text = JSON.stringify(settings.value);
  try {
    localStorage.setItem("settings", text);
  } catch {
    // Without storage the choice lives as long as the page.
  }
});
