// The engine's lines: score and moves, each of which can be played; under the pointer a small board shows where it leads.

import { analysed, beyond, engineOn, lines, live, mayShow, scoreText, switchEngine, wantsAnalysis } from "../app/analysis.js";
import { engineState, maxThreads, queue, reconfigure } from "../app/engine.js";
import { enterMove, node, orientation, version } from "../app/game.js";
import { askThreat, mayAskThreat, threat } from "../app/threat.js";
import { boardEnd } from "../chess/ends.js";
import { lineOf, readFen, readUci, squaresOf } from "../chess/position.js";
import { settings } from "../store/settings.js";
import { hoveredLine } from "./hover.js";
import { MiniBoard } from "./mini-board.jsx";

const MOVES_SHOWN = 16;
const THREAT_MOVES = 5;

/** @param {number} count */
function short(count) {
  return count < 1000 ? String(count) : count < 1e6 ? `${(count / 1e3).toFixed(0)} k` : `${(count / 1e6).toFixed(1)} M`;
}

/** The switch, and what the engine is doing. */
export function EngineHead() {
  const [best] = lines.value;
  const state = engineState.value;
  analysed.value;
  const running = live.value?.node === node.value;
  const threads = Math.min(settings.value.threads, maxThreads.value);
  const canGoOn = best && !running && wantsAnalysis.value;
  return (
    <div class="engine-head">
      <label class="toggle">
        <input type="checkbox" role="switch" checked={engineOn.value} onChange={switchEngine} />
        <span>Engine</span>
      </label>
      <span class="engine-facts">
        {state.phase === "loading"
          ? <span>loading {Math.round(100 * state.fraction)} %</span>
          : <span>{best && `depth ${best.depth}`}<span class="more">{best && " · "}{threads} {threads > 1 ? "threads" : "thread"}</span></span>}
        {best && <span>{short(best.nodes)}<span class="more"> nodes</span>{running && <> · {short(best.nps)}/s<span class="more"> · hash {Math.round(best.hashfull / 10)} %</span></>}</span>}
      </span>
      {canGoOn && <button type="button" onClick={() => (beyond.value = node.value)}>Go on</button>}
      {beyond.value === node.value && <button type="button" onClick={() => (beyond.value = null)}>Stop</button>}
    </div>
  );
}

/** Plays a line up to one of its moves. @param {string[]} moves */
function playLine(moves) {
  for (const uci of moves) if (!enterMove(uci)) return;
}

/** @param {{ line: import("../engine-queue/uci.js").Line }} props */
function EngineLine({ line }) {
  const at = node.value;
  const moves = lineOf(at.position, line.pv, MOVES_SHOWN);
  const preview = (/** @type {number} */ index, /** @type {Event} */ event) => {
    const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const { fen } = moves[index];
    hoveredLine.value = { node: at, uci: moves[0].uci, fen, squares: squaresBefore(moves, index, at), x: box.left, y: box.bottom };
  };
  const score = scoreText(line.score, at.turn);
  return (
    <li>
      <strong class={`line-score ${score.startsWith("−") ? "black" : "white"}`}>{score}</strong>
      <span class="line-moves">
        {moves.map(({ san, number }, index) => (
          <button
            type="button" class="line-move" key={index} onClick={() => playLine(moves.slice(0, index + 1).map(({ uci }) => uci))}
            onPointerEnter={(event) => preview(index, event)} onFocus={(event) => preview(index, event)}
            onPointerLeave={() => (hoveredLine.value = null)} onBlur={() => (hoveredLine.value = null)}
          >
            {number && <span class="number">{number}</span>}{san}
          </button>
        ))}
      </span>
    </li>
  );
}

/** The squares of a line's move. @param {{ uci: string, fen: string }[]} moves @param {number} index @param {import("../chess/tree.js").GameNode} at */
function squaresBefore(moves, index, at) {
  const uci = moves[index].uci;
  if (index > 0) return [uci.slice(0, 2), uci.slice(2, 4)];
  const move = readUci(at.position, uci);
  return move ? squaresOf(at.position, move) : [];
}

/** What the other side threatens, if the user asks. */
function ThreatLine() {
  const shown = threat();
  if (!mayAskThreat()) return null;
  const moves = shown?.line ? lineOf(readFen(shown.fen), shown.line.pv, THREAT_MOVES) : [];
  return (
    <p class="threat">
      <button type="button" aria-pressed={shown !== null} onClick={() => void askThreat()}>Threat</button>
      {shown && !shown.line && <span class="quiet">Searching</span>}
      {shown?.line && <span><strong>{scoreText(shown.line.score, readFen(shown.fen).turn)}</strong> {moves.map(({ number, san }) => `${number} ${san}`.trim()).join(" ")}</span>}
    </p>
  );
}

/** @param {{ most?: number }} props */
export function EngineLines({ most = 5 }) {
  version.value;
  if (!mayShow.value) return null;
  const end = boardEnd(node.value);
  const reason = end && <p class="quiet lines-end">{end.reason[0].toUpperCase() + end.reason.slice(1)}</p>;
  if (node.value.position.isEnd() || !engineOn.value) return reason;
  const count = Math.max(1, Math.min(most, settings.value.lines, lines.value.length || settings.value.lines));
  return (
    <>
      {reason}
      <ol class="lines" style={{ "--lines": count }}>
        {lines.value.slice(0, Math.min(most, settings.value.lines)).map((line) => <EngineLine line={line} key={line.index} />)}
        {lines.value.length === 0 && <li class="quiet">{engineState.value.phase === "loading" ? "The engine is being loaded" : "Searching"}</li>}
      </ol>
      <ThreatLine />
    </>
  );
}

/** The board that shows where a line leads. */
export function Preview() {
  const hovered = hoveredLine.value;
  if (!hovered || hovered.node !== node.value) return null;
  const size = 200;
  const left = Math.max(8, Math.min(innerWidth - size - 8, hovered.x));
  const below = hovered.y + size + 12 < innerHeight;
  return (
    <div class="preview" style={{ left: `${left}px`, top: `${below ? hovered.y + 6 : hovered.y - size - 40}px` }}>
      <MiniBoard fen={hovered.fen} orientation={orientation.value} squares={hovered.squares} />
    </div>
  );
}

/** What is wrong with the engine, and what can be done. */
export function EngineTrouble() {
  const state = engineState.value;
  if (state.phase !== "failed") return null;
  return (
    <div class="trouble" role="alert">
      <p>The engine has stopped: {state.reason || "its worker ended"}. Your game is kept.</p>
      <button type="button" onClick={() => queue.restart()}>Start it again</button>
      <button type="button" onClick={() => reconfigure({ hash: 16, threads: 1 })}>Start it with a smaller hash</button>
    </div>
  );
}
