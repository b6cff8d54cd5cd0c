// The menu, the bar of moves, and the tabs.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { startDeck } from "../app/deck.js";
import { fileGames } from "../app/load.js";
import { first, flip, last, lineEnd, mode, next, node, play, previous } from "../app/game.js";
import { dialog } from "../app/notices.js";
import { askHint, isRunning, mayAskHint } from "../app/play.js";
import { endRetry, retry } from "../app/retry.js";
import { Icon, IconButton } from "./icons.jsx";
import { share } from "./load-dialogs.jsx";

const TABS = /** @type {const} */ ([["play", "Play"], ["review", "Review"], ["analyse", "Analyse"]]);

/** The dialog of each item, or what it does, and whether it is there. @type {(readonly [string, () => void, (() => boolean)?])[]} */
const ITEMS = [
  ["New game", () => (dialog.value = "new")],
  ["Change level", () => (dialog.value = "level"), () => isRunning.value && play.value?.both !== true && !play.value?.rival],
  ["Games", () => (dialog.value = "games")],
  ["Repeat mistakes", () => void startDeck()],
  ["Rival", () => (dialog.value = "rival")],
  ["Strengths", () => (dialog.value = "strengths")],
  ["Load PGN or FEN", () => (dialog.value = "load")],
  ["Games of the file", () => (dialog.value = "choose"), () => fileGames.value.length > 0],
  ["Export", () => (dialog.value = "export")],
  ["Copy link", () => void share()],
  ["Position editor", () => (dialog.value = "editor")],
  ["Settings", () => (dialog.value = "settings")],
  ["Keys", () => (dialog.value = "help")],
  ["About", () => (dialog.value = "about")],
];

/** @param {typeof mode.value} to */
function choose(to) {
  endRetry();
  mode.value = to;
}

export function Tabs() {
  return (
    <nav class="tabs" aria-label="Modes">
      {TABS.map(([name, text]) => (
        <button type="button" key={name} aria-current={mode.value === name ? "page" : undefined} onClick={() => choose(name)}>{text}</button>
      ))}
      <button type="button" class="new" onClick={() => (dialog.value = "new")} aria-label="New game"><Icon name="plus" /><span>New game</span></button>
      <Menu />
    </nav>
  );
}

function Menu() {
  const open = useSignal(false);
  const element = useRef(/** @type {HTMLDivElement | null} */ (null));
  const items = () => [...(element.current?.querySelectorAll("[role=menuitem]") ?? [])].map((item) => /** @type {HTMLElement} */ (item));
  const close = (refocus = true) => {
    open.value = false;
    if (refocus) element.current?.querySelector("button")?.focus();
  };
  useEffect(() => {
    const onPointer = (/** @type {PointerEvent} */ event) => {
      if (open.value && !element.current?.contains(/** @type {Node} */ (event.target))) open.value = false;
    };
    addEventListener("pointerdown", onPointer);
    return () => removeEventListener("pointerdown", onPointer);
  }, []);
  // Not after the next frame, as an effect: a key may come before.
  useLayoutEffect(() => {
    if (open.value) items()[0]?.focus();
  }, [open.value]);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (!open.value) return;
    const all = items();
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const target = { ArrowDown: (at + 1) % all.length, ArrowUp: (at - 1 + all.length) % all.length, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Escape") close();
    else if (event.key === "Tab") return close(false);
    else if (target !== undefined) all[target].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu" ref={element} onKeyDown={onKeyDown}>
      <button type="button" class="icon-button" aria-label="Menu" aria-haspopup="menu" aria-expanded={open.value} onClick={() => (open.value = !open.value)}><Icon name="menu" /></button>
      {open.value && (
        <div class="menu-list" role="menu" aria-label="Menu">
          {ITEMS.filter(([, , isThere]) => !isThere || isThere()).map(([text, run]) => (
            <button type="button" role="menuitem" tabIndex={-1} key={text} onClick={() => { close(); run(); }}>{text}</button>
          ))}
        </div>
      )}
    </div>
  );
}

export function NavBar() {
  const at = node.value;
  const busy = retry.value !== null;
  return (
    <div class="nav" role="group" aria-label="Through the game" tabIndex={-1}>
      <IconButton icon="first" label="Start of the game" onClick={first} disabled={busy || !at.parent} />
      <IconButton icon="previous" label="Previous move" onClick={previous} disabled={busy || !at.parent} />
      <IconButton icon="next" label="Next move" onClick={next} disabled={busy || at.children.length === 0} />
      <IconButton icon="last" label="End of the line" onClick={last} disabled={busy || at === lineEnd()} />
      {mode.value === "play" && <IconButton class="phone-only" icon="hint" label="Hint" onClick={() => void askHint()} disabled={!mayAskHint.value} />}
      <IconButton icon="flip" label="Turn the board" onClick={flip} />
    </div>
  );
}
