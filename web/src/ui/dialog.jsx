// A modal dialog with a title and a button that closes it.

import { useLayoutEffect, useRef } from "preact/hooks";
import { gameId } from "../app/game.js";
import { dialog, toasts } from "../app/notices.js";
import { IconButton } from "./icons.jsx";
import { openDialogs, Spoken, Toast } from "./messages.jsx";

/** Makes a step of the browser's history, so that Back closes the dialog, as it does on a phone, and not the page. */
function makeStep() {
  if (!history.state?.dialog) history.pushState({ ...history.state, dialog: true }, "");
}

let leaving = false;

/** Takes the step of a dialog back, unless another dialog or the game that it opened has taken it over. */
function leaveStep() {
  if (leaving || !history.state?.dialog || document.querySelector("dialog[open]")) return;
  leaving = true;
  history.back();
}

// The step back is not the user's. What came meanwhile, a game or another dialog, is still to have its own.
globalThis.addEventListener?.("popstate", (event) => {
  if (!leaving) return;
  leaving = false;
  event.stopImmediatePropagation();
  if (history.state?.id !== gameId.value) history.forward();
  else if (document.querySelector("dialog[open]")) makeStep();
});

/** Where a dialog is begun: in its form, or else at its title. Not at the button that closes it. @param {HTMLElement | null} dialog */
function firstField(dialog) {
  const field = dialog?.querySelector("form :is(textarea, input:checked), form input:not([type=file])");
  return /** @type {HTMLElement | null | undefined} */ (field ?? dialog?.querySelector("h2"));
}

/**
 * @param {{ title: string, children: import("preact").ComponentChildren, onClose?: () => void, class?: string }} props
 */
export function Dialog({ title, children, onClose = () => (dialog.value = null), class: name = "" }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const closing = useRef(onClose);
  closing.current = onClose;
  const pressedOutside = useRef(false);
  const id = useRef(Symbol("dialog")).current;
  // Not after the next frame, as an effect: a key may come before.
  useLayoutEffect(() => {
    const opener = /** @type {HTMLElement | null} */ (document.activeElement);
    const shown = element.current;
    shown?.showModal();
    firstField(shown)?.focus({ preventScroll: true });
    openDialogs.value = [...openDialogs.value, { id, since: toasts.value?.key ?? 0 }];
    makeStep();
    const onBack = () => closing.current();
    addEventListener("popstate", onBack);
    return () => {
      removeEventListener("popstate", onBack);
      setTimeout(leaveStep);
      openDialogs.value = openDialogs.value.filter((other) => other.id !== id);
      // The page is inert as long as the dialog is open.
      shown?.close();
      if (opener?.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);
  const isOutside = (/** @type {Event} */ event) => event.target === element.current;
  const onPointerDown = (/** @type {PointerEvent} */ event) => (pressedOutside.current = isOutside(event));
  // A text that is marked or a piece that is dragged from inside to outside ends in a click on the dialog, too.
  const onClick = (/** @type {MouseEvent} */ event) => pressedOutside.current && isOutside(event) && onClose();
  // Escape closes at once: the event of closing comes later, and a key or a paste may come between. A field for files has
  // an event of the same name.
  const onCancel = (/** @type {Event} */ event) => {
    if (event.target !== element.current) return;
    event.preventDefault();
    onClose();
  };
  return (
    <dialog
      ref={element} class={name} aria-labelledby="dialog-title" onCancel={onCancel} onClose={() => element.current && onClose()}
      onPointerDown={onPointerDown} onClick={onClick}
    >
      <div class="dialog-body" tabIndex={-1}>
        <header>
          <h2 id="dialog-title" tabIndex={-1}>{title}</h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
      <Toast dialog={id} />
      <Spoken />
    </dialog>
  );
}

/**
 * A choice of few, as a row of radio buttons.
 * @template {string | number} T
 * @param {{ name: string, label: string, value: T, options: readonly (readonly [T, string])[], onChange(value: T): void }} props
 */
export function Choice({ name, label, value, options, onChange }) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="options">
        {options.map(([option, text]) => (
          <label key={option}>
            <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** @param {{ label: string, checked: boolean, onChange(checked: boolean): void }} props */
export function Toggle({ label, checked, onChange }) {
  return (
    <label class="toggle">
      <input type="checkbox" role="switch" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
