// A second set of pieces for the board, drawn for Sleight: plain shapes that stay clear on small boards.

/** The shapes, in a square of 45. */
const SHAPES = {
  pawn: `<path d="M17 34c0-6 3.5-8 3.5-12h4c0 4 3.5 6 3.5 12z"/><circle cx="22.5" cy="15.5" r="5.5"/>
    <path d="M17.5 21h10v2.5h-10zM13 34h19v4.5H13z"/>`,
  knight: `<path d="M13.5 34c0-6 8.5-9.5 9-15.5-3 .5-4.5 4-7.5 5.5-2 1-4.5-.5-4.5-3 0-3.5 4.5-5.5 5.5-9.5.5-2 1.5-3.5 3.5-4.500l.5-3.5 4.5 3c8 1 12 8 12 17 0 4.5-.5 7.5-1.5 10.500z"/>
    <circle cx="20" cy="13.5" r="1.2" fill="#111"/><path d="M11.5 34h24v4.500h-24z"/>`,
  bishop: `<circle cx="22.5" cy="8" r="2.5"/><path d="M22.5 10.500c6 4 8 8.5 8 12.5 0 4-3 6-3.5 8h-9c-.5-2-3.5-4-3.5-8 0-4 2-8.5 8-12.500z"/>
    <path d="M22.5 16v8m-4-4h8"/><path d="M16 31h13v3H16zM11.5 34h22v4.500h-22z"/>`,
  rook: `<path d="M13 9h4.500v3h2.500V9h5v3h2.500V9H32v7.500L29 19v11l2.5 4h-18l2.5-4V19l-3-2.500z"/><path d="M16 19h13M16 30h13"/>
    <path d="M11 34h23v4.500H11z"/>`,
  queen: `<path d="M11.5 31 8 14.500l6.5 7.500L17 10l4 11 1.5-12L24 21l4-11 2.5 12 6.5-7.500L33.5 31z"/>
    <g><circle cx="8" cy="13" r="2"/><circle cx="17" cy="9" r="2"/><circle cx="22.5" cy="7.5" r="2"/><circle cx="28" cy="9" r="2"/><circle cx="37" cy="13" r="2"/></g>
    <path d="M11.5 31h22v3h-22zM10 34h25v4.500H10z"/>`,
  king: `<path d="M22.5 12V4.500M19 7.500h7" stroke-width="2.5"/><path d="M22.5 12c3 0 4.5 3 3 7 3.5-4 11-3.5 11 3 0 4-3.5 6-5 9h-18c-1.5-3-5-5-5-9 0-6.5 7.5-7 11-3-1.5-4 0-7 3-7z"/>
    <path d="M22.5 19v12"/><path d="M13 31h19v3H13zM10 34h25v4.500H10z"/>`,
};

/** The fill of the two sides. */
const COLORS = { white: "#fff", black: "#4d4d4d" };

/** The style rules of the set, for a document whose root has `data-pieces="plain"`. */
export const pieces = () => Object.entries(COLORS).flatMap(([color, fill]) => Object.entries(SHAPES).map(([role, shape]) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="3 2 39 39"><g fill="${fill}" stroke="#111" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round">${shape.replaceAll(/\s+/g, " ")}</g></svg>`;
  return `[data-pieces="plain"] .cg-wrap piece.${role}.${color}{background-image:url("data:image/svg+xml,${encodeURIComponent(svg)}")}\n`;
})).join("");
