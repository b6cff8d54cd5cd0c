// Short messages: the one that is shown, and the one that is spoken.

import { signal } from "@preact/signals";

/** @typedef {{ text: string, label?: string, action?: () => void, key: number }} Toast */

export const toasts = signal(/** @type {Toast | null} */ (null));
/** The text of the live region. */
export const spoken = signal("");
/** The dialog that is open. */
export const dialog = signal(/** @type {string | null} */ (null));

let key = 0;
let timer = 0;

/** Shows a message for some seconds. @param {string} text @param {string} [label] @param {() => void} [action] */
export function toast(text, label, action) {
  toasts.value = { text, label, action, key: ++key };
  clearTimeout(timer);
  timer = window.setTimeout(() => (toasts.value = null), label ? 12_000 : 6000);
}

/** @param {string} text */
export function announce(text) {
  // A text that is said again has to differ to be heard.
  spoken.value = spoken.value === text ? `${text} ` : text;
}
