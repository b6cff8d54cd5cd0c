// A small picture of a position, without events.

import { parseFen } from "chessops/fen";
import { makeSquare } from "chessops/util";

/** @param {{ fen: string, orientation: "white" | "black", squares?: string[] }} props */
export function MiniBoard({ fen, orientation, squares = [] }) {
  const board = parseFen(fen).unwrap().board;
  const place = (/** @type {string} */ square) => {
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    const [x, y] = orientation === "white" ? [file, 7 - rank] : [7 - file, rank];
    return { transform: `translate(${100 * x}%, ${100 * y}%)` };
  };
  return (
    <div class="mini-board cg-wrap" aria-hidden="true">
      <cg-board>
        {squares.map((square) => <square class="last-move" key={square} style={place(square)} />)}
        {[...board].map(([at, piece]) => <piece class={`${piece.role} ${piece.color}`} key={at} style={place(makeSquare(at))} />)}
      </cg-board>
    </div>
  );
}
