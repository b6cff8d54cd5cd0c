// The choice of a piece at the square where a pawn arrived.

import { useLayoutEffect, useRef } from "preact/hooks";
import { orientation } from "../app/game.js";

const ROLES = /** @type {const} */ ([["q", "queen"], ["n", "knight"], ["r", "rook"], ["b", "bishop"]]);

/** @param {{ from: string, to: string, color: "white" | "black", onChoose(role: string): void }} props `onChoose` gets "" for none */
export function PromotionMenu({ to, color, onChoose }) {
  const menu = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => menu.current?.querySelector("button")?.focus(), []);
  const file = "abcdefgh".indexOf(to[0]);
  const column = orientation.value === "white" ? file : 7 - file;
  const above = (to[1] === "8") === (orientation.value === "white");
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const buttons = [...(menu.current?.querySelectorAll("button") ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") onChoose("");
    else if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="promotion-cover" onClick={() => onChoose("")}>
      <div
        class="promotion" role="menu" aria-label="Promote to" ref={menu} onKeyDown={onKeyDown}
        style={{ left: `${12.5 * column}%`, [above ? "top" : "bottom"]: "0", flexDirection: above ? "column" : "column-reverse" }}
      >
        {ROLES.map(([letter, role]) => (
          <button
            type="button" role="menuitem" key={role} aria-label={role}
            onClick={(event) => {
              event.stopPropagation();
              onChoose(letter);
            }}
          >
            <span class="cg-wrap"><piece class={`${role} ${color}`} /></span>
          </button>
        ))}
      </div>
    </div>
  );
}
