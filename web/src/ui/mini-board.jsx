// A small picture of a position, without events.

import { parseFen } from "chessops/fen";
import { makeSquare } from "chessops/util";

/**
 * @param {{ fen: string, orientation: "white" | "black", squares?: string[], arrows?: { uci: string, kind: "good" | "bad" }[] }} props
 */
export function MiniBoard({ fen, orientation, squares = [], arrows = [] }) {
  const board = parseFen(fen).unwrap().board;
  const place = (/** @type {string} */ square) => {
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    const [x, y] = orientation === "white" ? [file, 7 - rank] : [7 - file, rank];
    return { transform: `translate(${100 * x}%, ${100 * y}%)` };
  };
  /** The middle of a square, on a board of 8 by 8. @param {string} square */
  const middle = (square) => {
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    return orientation === "white" ? [file + 0.5, 7.5 - rank] : [7.5 - file, rank + 0.5];
  };
  /** An arrow as one outline, from the middle of a square to that of another. @param {string} uci */
  const outline = (uci) => {
    const [[x, y], [toX, toY]] = [middle(uci.slice(0, 2)), middle(uci.slice(2, 4))];
    const length = Math.hypot(toX - x, toY - y);
    const turn = `translate(${x} ${y}) rotate(${(Math.atan2(toY - y, toX - x) * 180) / Math.PI})`;
    return <path key={uci} transform={turn} d={`M0-.11H${length - 0.5}V-.36L${length} 0 ${length - 0.5} .36V.11H0Z`} />;
  };
  return (
    <div class="mini-board cg-wrap" aria-hidden="true">
      <cg-board>
        {squares.map((square) => <square class="last-move" key={square} style={place(square)} />)}
        {[...board].map(([at, piece]) => <piece class={`${piece.role} ${piece.color}`} key={at} style={place(makeSquare(at))} />)}
      </cg-board>
      {arrows.length > 0 && <svg class="mini-arrows" viewBox="0 0 8 8">{arrows.map(({ uci, kind }) => <g class={kind} key={kind}>{outline(uci)}</g>)}</svg>}
    </div>
  );
}
