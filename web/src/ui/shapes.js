// Arrows and signs on the board: the engine's moves, a hint, the glyph of the last move.

import { computed } from "@preact/signals";
import { hoveredLine } from "./hover.js";
import { lines, mayShow, wantsAnalysis } from "../app/analysis.js";
import { mode, node, version } from "../app/game.js";
import { hint } from "../app/play.js";
import { retry } from "../app/retry.js";
import { threat } from "../app/threat.js";
import { glyph, MOVE_GLYPHS } from "../chess/glyphs.js";
import { readFen, readUci, squaresOf } from "../chess/position.js";
import { settings } from "../store/settings.js";

/** @typedef {import("@lichess-org/chessground/draw").DrawShape} DrawShape */
/** @typedef {import("@lichess-org/chessground/types").Key} Key */

/** @type {Record<number, string>} */
const COLORS = { 1: "#22823c", 2: "#b35900", 3: "#0f7d8a", 4: "#c02626", 5: "#8a3fbf", 6: "#3a6fc4" };

/** @param {string} uci @param {string} brush @param {number} width @param {string | null} [fen] of another position @returns {DrawShape[]} */
function arrow(uci, brush, width, fen) {
  const position = fen ? readFen(fen) : node.value.position;
  const move = readUci(position, uci);
  if (!move) return [];
  const [orig, dest] = /** @type {Key[]} */ (squaresOf(position, move));
  return [{ orig, dest, brush, modifiers: { lineWidth: width } }];
}

/** @returns {DrawShape[]} */
function engineArrows() {
  if (!settings.value.arrows || !mayShow.value || !wantsAnalysis.value || mode.value === "play") return [];
  // As many as there are lines beside the board: a review shows one.
  return lines.value
    .slice(0, mode.value === "review" ? 1 : settings.value.lines)
    .toReversed()
    .flatMap((line) => (line.pv[0] ? arrow(line.pv[0], line.index === 0 ? "paleBlue" : "paleGrey", Math.max(4, 13 - 3 * line.index)) : []));
}

/** @returns {DrawShape[]} */
function signs() {
  const at = node.value;
  const nag = at.nags.find((other) => MOVE_GLYPHS.includes(other));
  const square = at.squares[at.squares.length - 1];
  return nag && square ? [{ orig: /** @type {Key} */ (square), label: { text: glyph(nag), fill: COLORS[nag] } }] : [];
}

export const shapes = computed(() => {
  version.value;
  const at = node.value;
  if (retry.value) {
    const { refutation, stage, errors, at: index } = retry.value;
    if (stage === "bad" && refutation) return arrow(refutation, "red", 10);
    return stage === "ask" ? arrow(errors[index].uci, "paleRed", 8) : [];
  }
  if (hint.value?.node === at) {
    const { uci, stage } = hint.value;
    return stage === 2 ? arrow(uci, "green", 10) : [{ orig: /** @type {Key} */ (uci.slice(0, 2)), brush: "green" }];
  }
  const hovered = hoveredLine.value?.node === at ? arrow(hoveredLine.value.uci, "green", 10) : [];
  const threatened = threat()?.line?.pv[0];
  const threats = threatened ? arrow(threatened, "red", 10, threat()?.fen) : [];
  return [...engineArrows(), ...threats, ...hovered, ...signs()];
});
