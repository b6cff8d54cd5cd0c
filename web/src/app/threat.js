// The threat: what the other side would do, were it its turn.

import { passedFen } from "../chess/tree.js";
import { FULL_STRENGTH, queue } from "./engine.js";
import { gameSignal, node } from "./game.js";
import { announce } from "./notices.js";

/** @typedef {{ node: import("../chess/tree.js").GameNode, fen: string, line: import("../engine-queue/uci.js").Line | null }} Threat `fen` after
 *   the side to move has passed; `line` null while it is searched */

/** Milliseconds. */
const SEARCH_TIME = 1000;

const asked = gameSignal(/** @type {Threat | null} */ (null));

/** The threat in the position on the board, if the user asked for it. */
export const threat = () => (asked.value?.node === node.value ? asked.value : null);
export const isSeekingThreat = () => threat()?.line === null;

/** In check there is no threat: the check is one. */
export const mayAskThreat = () => !node.value.position.isEnd() && passedFen(node.value.position) !== null;

/** Shows the threat, or hides it. */
export async function askThreat() {
  const at = node.value;
  if (threat()) return void (asked.value = null);
  const fen = passedFen(at.position);
  if (fen === null || at.position.isEnd()) return;
  asked.value = { node: at, fen, line: null };
  const { answer } = queue.search({ position: `fen ${fen}`, go: `movetime ${SEARCH_TIME}`, options: { ...FULL_STRENGTH, MultiPV: 1 } });
  const { move, lines: [line], stopped } = await answer;
  if (asked.value?.node !== at || asked.value.line) return;
  asked.value = stopped || !move || !line ? null : { node: at, fen, line };
  if (threat()) announce(`Threat: ${move.slice(0, 2)} to ${move.slice(2, 4)}`);
}
