// The squares of a board as a grid over it, for keyboards and screen readers.

import { useSignal } from "@preact/signals";
import { squareInWords } from "../app/announce.js";
import { orientation } from "../app/game.js";

const FILES = "abcdefgh";

/**
 * @param {{ id: string, board: import("chessops/board").Board, selected: string | undefined, onSelect(square: string | null): void }} props
 *   `id` begins the ids of the squares; `onSelect` gets null for none
 */
export function SquareGrid({ id, board, selected, onSelect }) {
  const focused = useSignal("e2");
  const white = orientation.value === "white";
  const ranks = white ? [8, 7, 6, 5, 4, 3, 2, 1] : [1, 2, 3, 4, 5, 6, 7, 8];
  const files = white ? [...FILES] : [...FILES].reverse();
  const move = (/** @type {number} */ right, /** @type {number} */ down) => {
    const file = files.indexOf(focused.value[0]) + right;
    const rank = ranks.indexOf(Number(focused.value[1])) + down;
    if (!files[file] || !ranks[rank]) return;
    focused.value = `${files[file]}${ranks[rank]}`;
    document.getElementById(`${id}-${focused.value}`)?.focus({ preventScroll: true });
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-8, 0], End: [8, 0] }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (step && Math.abs(step[0]) < 8) move(step[0], step[1]);
    else if (step) move((step[0] < 0 ? 0 : 7) - files.indexOf(focused.value[0]), 0);
    else if (event.key === "Enter" || event.key === " ") onSelect(focused.value);
    else if (event.key === "Escape" && selected) onSelect(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="square-grid" role="grid" aria-label="Board" onKeyDown={onKeyDown}>
      {ranks.map((rank) => (
        <div role="row" key={rank}>
          {files.map((file) => {
            const square = `${file}${rank}`;
            return (
              <div
                role="gridcell" id={`${id}-${square}`} key={square} tabIndex={square === focused.value ? 0 : -1}
                aria-label={squareInWords(board, square)} aria-selected={square === selected}
                onFocus={() => (focused.value = square)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}
