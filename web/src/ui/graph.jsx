// White's chances over the whole game, to click through.

import { useRef } from "preact/hooks";
import { goTo, node } from "../app/game.js";
import { current, curve, gameNodes } from "../app/review.js";

const WIDTH = 600;
const HEIGHT = 80;

export function Graph() {
  const element = useRef(/** @type {SVGSVGElement | null} */ (null));
  const percents = curve.value;
  const nodes = gameNodes();
  const moves = nodes.length - 1;
  if (moves < 1 || !percents.some((percent) => percent !== null)) return null;
  const x = (/** @type {number} */ index) => (WIDTH * index) / moves;
  const y = (/** @type {number} */ percent) => HEIGHT - (HEIGHT * percent) / 100;
  const at = nodes.indexOf(node.value);
  const points = percents.flatMap((percent, index) => (percent === null ? [] : [[x(index), y(percent)]]));
  const path = points.map(([left, top]) => `${left.toFixed(1)},${top.toFixed(1)}`).join("L");
  const [start, end] = [points[0][0], points[points.length - 1][0]];
  const judgements = current.value?.result.judgements ?? [];

  const go = (/** @type {number} */ index) => goTo(nodes[Math.max(0, Math.min(moves, index))]);
  const onPointer = (/** @type {PointerEvent} */ event) => {
    if (!element.current || (event.type === "pointermove" && event.buttons === 0)) return;
    const box = element.current.getBoundingClientRect();
    go(Math.round((moves * (event.clientX - box.left)) / box.width));
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const target = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: moves, PageUp: at + 10, PageDown: at - 10 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    go(target);
  };
  const value = at >= 0 && percents[at] !== null ? `, White ${Math.round(/** @type {number} */ (percents[at]))} %` : "";
  const san = at > 0 ? `${nodes[at].moveNumber}${nodes[at].mover === "white" ? "." : "…"} ${nodes[at].san}` : "start";
  return (
    <svg
      class="graph" ref={element} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="slider" tabIndex={0} aria-label="Chances over the game"
      aria-valuemin={0} aria-valuemax={moves} aria-valuenow={Math.max(0, at)} aria-valuetext={`${san}${value}`}
      onPointerDown={onPointer} onPointerMove={onPointer} onKeyDown={onKeyDown}
    >
      <path class="area" d={`M${start},${HEIGHT}L${path}L${end},${HEIGHT}Z`} />
      <path class="middle" d={`M0,${HEIGHT / 2}H${WIDTH}`} />
      <path class="line" d={`M${path}`} />
      {judgements.map((judgement, index) => judgement && percents[index + 1] !== null && (
        <path class={`mark ${judgement}`} key={index} d={`M${x(index + 1)},${y(/** @type {number} */ (percents[index + 1]))}h0.01`} />
      ))}
      {at >= 0 && <path class="here" d={`M${x(at)},0V${HEIGHT}`} />}
    </svg>
  );
}
