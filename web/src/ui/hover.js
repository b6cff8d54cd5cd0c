// What the pointer or the focus rests on in the engine's lines.

import { signal } from "@preact/signals";

/** A move of a line: the node that the line starts from, its first move, and the position after the move. */
export const hoveredLine = signal(
  /** @type {{ node: import("../chess/tree.js").GameNode, uci: string, fen: string, squares: string[], x: number, y: number } | null} */ (null),
);
