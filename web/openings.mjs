// The names of openings for the page: lichess-org/chess-openings (CC0), as the package chess-openings carries it, by position.
// docs/notes/programs.md says what later data has more.

import { createRequire } from "node:module";

const { eco } = createRequire(import.meta.url)("chess-openings/dist/chess/openings/eco.js");

/** A line for each named position: board, side, castling and en passant, a tab, the code of the Encyclopaedia, the name. */
export const openings = () => Object.entries(eco).map(([key, entry]) => `${key}\t${entry.eco} ${entry.name}\n`).join("");
