// White's chances over the whole game, to click through.

import { computed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { goTo, node } from "../app/game.js";
import { current, curve, gameNodes } from "../app/review.js";

const WIDTH = 600;
const HEIGHT = 120;

/**
 * The parts of the game whose chances are known, from the first to the last position of each: what lies between is not drawn.
 * @param {(number | null)[]} percents @returns {[number, number][]}
 */
function knownParts(percents) {
  /** @type {[number, number][]} */
  const parts = [];
  percents.forEach((percent, at) => {
    const part = parts.at(-1);
    if (percent === null) return;
    if (part && part[1] === at - 1) part[1] = at;
    else parts.push([at, at]);
  });
  return parts;
}

/** The curve as drawn, which a step through the game does not change; null if no chances are known. */
const drawing = computed(() => {
  const percents = curve.value;
  const nodes = gameNodes();
  const moves = nodes.length - 1;
  const x = (/** @type {number} */ index) => (WIDTH * index) / moves;
  const y = (/** @type {number} */ percent) => HEIGHT - (HEIGHT * percent) / 100;
  const known = knownParts(percents);
  if (moves < 1 || known.length === 0) return null;
  const parts = known.map(([from, to]) => {
    // One position alone has the width of a move.
    const margin = from === to ? 0.5 : 0;
    const [left, right] = [Math.max(0, x(from - margin)), Math.min(WIDTH, x(to + margin))];
    const tops = percents.slice(from, to + 1).map((percent) => y(/** @type {number} */ (percent)).toFixed(1));
    const points = margin ? [`${left},${tops[0]}`, `${right},${tops[0]}`] : tops.map((top, at) => `${x(from + at).toFixed(1)},${top}`);
    return { left, right, path: points.join("L") };
  });
  const marks = (current.value?.result.judgements ?? []).flatMap((judgement, index) => {
    const percent = percents[index + 1];
    return judgement && percent !== null ? [{ judgement, path: `M${x(index + 1)},${y(percent)}h0.01` }] : [];
  });
  return { percents, nodes, moves, x, parts, marks };
});

export function Graph() {
  const element = useRef(/** @type {SVGSVGElement | null} */ (null));
  if (!drawing.value) return null;
  const { percents, nodes, moves, x, parts, marks } = drawing.value;
  const at = nodes.indexOf(node.value);

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
      class="graph" ref={element} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="slider" tabIndex={0} aria-label="Evaluation graph"
      aria-valuemin={0} aria-valuemax={moves} aria-valuenow={Math.max(0, at)} aria-valuetext={`${san}${value}`}
      onPointerDown={onPointer} onPointerMove={onPointer} onKeyDown={onKeyDown}
    >
      {parts.map(({ left, right }) => <path class="known" key={left} d={`M${left},0V${HEIGHT}H${right}V0Z`} />)}
      {parts.map(({ left, right, path }) => <path class="area" key={left} d={`M${left},${HEIGHT}L${path}L${right},${HEIGHT}Z`} />)}
      <path class="middle" d={`M0,${HEIGHT / 2}H${WIDTH}`} />
      {parts.map(({ left, path }) => <path class="line" key={left} d={`M${path}`} />)}
      {marks.map(({ judgement, path: place }) => <path class={`mark ${judgement}`} key={place} d={place} />)}
      {at >= 0 && <path class="here" d={`M0,0V${HEIGHT}`} style={{ transform: `translateX(${x(at)}px)` }} />}
    </svg>
  );
}
