// What the page says: the message that is shown, and the live region. A modal dialog takes all that is outside of it from
// pointers and screen readers, so each dialog has a place for both.

import { signal } from "@preact/signals";
import { spoken, toasts } from "../app/notices.js";

/** The dialogs that are open, the newest last; `since` is the key of the message that was there before. */
export const openDialogs = signal(/** @type {{ id: symbol, since: number }[]} */ ([]));

/** @param {{ dialog?: symbol }} props the dialog that it is in, none for the page itself */
export function Toast({ dialog }) {
  const shown = toasts.value;
  // A message of before the dialog stays behind it, with its action: Back, for one, would only close the dialog.
  const place = openDialogs.value.findLast(({ since }) => shown !== null && since < shown.key)?.id;
  if (!shown || place !== dialog) return null;
  const run = () => {
    toasts.value = null;
    shown.action?.();
  };
  return (
    <div class="toast" key={shown.key} role="status">
      <span>{shown.text}</span>
      {shown.label && <button type="button" onClick={run}>{shown.label}</button>}
    </div>
  );
}

/** @param {{ id?: string }} props */
export const Spoken = ({ id }) => <div class="hidden" aria-live="polite" id={id}>{spoken.value}</div>;
