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

/** What a choice may be, where not all of its type are: what is kept may be damaged, or of another version. @type {Record<string, (value: any) => boolean>} */
const ALLOWED = {
  theme: oneOf("auto", "light", "dark"), board: oneOf("brown", "green", "grey"), pieces: oneOf("classic", "plain"),
  opponent: oneOf("sleight", "rival", "both"), color: oneOf("white", "black", "random"), clock: (value) => /^(none|custom|[1-9]\d*\+\d+)$/.test(value),
  lines: within(1, 5), threads: within(1, 1024), hash: within(1, 4096), depth: within(1, 100), seconds: within(1, 3600),
  level: within(1, 5000), minutes: within(0.5, 180), increment: within(0, 60), moveSeconds: within(0.5, 600),
};

/** @param {...string} values @returns {(value: any) => boolean} */
function oneOf(...values) {
  return (value) => values.includes(value);
}

/** @param {number} least @param {number} most @returns {(value: any) => boolean} */
function within(least, most) {
  return (value) => value >= least && value <= most;
}

/** @returns {Settings} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem("settings") ?? "{}");
    const known = Object.entries(DEFAULTS).filter(([name, value]) => typeof kept[name] === typeof value && (ALLOWED[name]?.(kept[name]) ?? true));
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

// Another tab of the page chose: what it kept must not be undone by the next choice here.
globalThis.addEventListener?.("storage", ({ key }) => key === "settings" && (settings.value = read()));
