// A modal dialog with a title and a button that closes it.

import { useLayoutEffect, useRef } from "preact/hooks";
import { dialog } from "../app/notices.js";
import { IconButton } from "./icons.jsx";

/**
 * @param {{ title: string, children: import("preact").ComponentChildren, onClose?: () => void, class?: string }} props
 */
export function Dialog({ title, children, onClose = () => (dialog.value = null), class: name = "" }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const closing = useRef(onClose);
  closing.current = onClose;
  // Not after the next frame, as an effect: a key may come before.
  useLayoutEffect(() => {
    const opener = /** @type {HTMLElement | null} */ (document.activeElement);
    element.current?.showModal();
    const onBack = () => closing.current();
    addEventListener("popstate", onBack);
    return () => {
      removeEventListener("popstate", onBack);
      if (opener?.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);
  const onClick = (/** @type {MouseEvent} */ event) => event.target === element.current && onClose();
  // Escape closes at once: the event of closing comes later, and a key or a paste may come between. A field for files has
  // an event of the same name.
  const onCancel = (/** @type {Event} */ event) => {
    if (event.target !== element.current) return;
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={element} class={name} aria-labelledby="dialog-title" onCancel={onCancel} onClose={() => element.current && onClose()} onClick={onClick}>
      <div class="dialog-body">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
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

/** @param {{ label: string, checked: boolean, onChange(checked: boolean): void, note?: string }} props */
export function Toggle({ label, checked, onChange, note }) {
  return (
    <label class="toggle">
      <input type="checkbox" role="switch" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}{note && <small>{note}</small>}</span>
    </label>
  );
}
