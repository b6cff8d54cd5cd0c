// The report as it is told: where the game turned, and each move with a sign as a card.

import { useEffect, useRef } from "preact/hooks";
import { goTo, node, usersColor } from "../app/game.js";
import { moments } from "../app/review.js";
import { startRetry } from "../app/retry.js";
import { nameOf } from "../chess/ends.js";
import { lineOf } from "../chess/position.js";
import { MiniBoard } from "./mini-board.jsx";

const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** @param {import("../chess/tree.js").GameNode} at */
const named = (at) => `${at.moveNumber}${at.mover === "white" ? "." : "…"} ${at.san}`;

/** Chances below which a game is as good as lost, and above which as good as won. */
const [LOST, WON] = [30, 70];

/** The move that cost most: of those at which the game turned, or of all where it was lost before or stayed won. */
export function Turning() {
  const turns = moments.value.filter(({ before, after }) => before >= LOST && after < WON);
  const all = turns.length > 0 ? turns : moments.value;
  if (all.length === 0) return null;
  const { at, before, after } = all.reduce((most, other) => (other.before - other.after > most.before - most.after ? other : most));
  return (
    <h2 class="turning">
      {turns.length > 0 ? "It turned at" : "The costliest move:"} <button type="button" class="link" onClick={() => goTo(at)}>{named(at)}</button>{" "}
      <span>{nameOf(at.mover)}'s chances: {before} % to {after} %</span>
    </h2>
  );
}

const RADIUS = 15;

/** @param {{ percent: number | null }} props */
export function Ring({ percent }) {
  if (percent === null) return null;
  const round = 2 * Math.PI * RADIUS;
  return (
    <svg class="ring" viewBox="0 0 36 36" aria-hidden="true">
      <circle cx="18" cy="18" r={RADIUS} />
      <circle class="part" cx="18" cy="18" r={RADIUS} stroke-dasharray={`${(round * percent) / 100} ${round}`} transform="rotate(-90 18 18)" />
    </svg>
  );
}

/** @param {{ moment: (typeof moments.value)[number] }} props */
function Card({ moment: { at, judgement, before, after, best, why } }) {
  const { parent } = at;
  if (!parent) return null;
  const [better] = lineOf(parent.position, best ? [best] : [], 1);
  const arrows = [{ uci: at.squares.join(""), kind: /** @type {const} */ ("bad") }, ...(better ? [{ uci: better.uci, kind: /** @type {const} */ ("good") }] : [])];
  const own = [undefined, at.mover].includes(usersColor.value);
  return (
    <li class={`moment ${judgement}`} aria-current={node.value === at ? "true" : undefined}>
      <button type="button" class="moment-board" aria-label={`Show ${named(at)}`} onClick={() => goTo(at)}>
        <MiniBoard fen={parent.fen} orientation={at.mover} arrows={arrows} />
      </button>
      <div class="moment-text">
        <h3>{named(at)} <span class={`glyph ${judgement}`}>{SIGNS[judgement]}</span></h3>
        <p class="quiet">{before} % to {after} %</p>
        {why && <p class="why">{why}</p>}
        {better && <p>Better: <strong>{better.san}</strong></p>}
        {own && <button type="button" onClick={() => startRetry(at.mover, at)}>Retry<span class="hidden"> {named(at)}</span></button>}
      </div>
    </li>
  );
}

export function Moments() {
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  const shown = node.value;
  // The card of the move on the board comes into view, and nothing but the row of cards moves for it.
  useEffect(() => {
    const row = list.current;
    const card = row?.querySelector(":scope > [aria-current]");
    if (!row || !card) return;
    const [box, outer] = [card.getBoundingClientRect(), row.getBoundingClientRect()];
    const margin = parseFloat(getComputedStyle(row).paddingLeft);
    if (box.left < outer.left || box.right > outer.right) row.scrollLeft += box.left - outer.left - margin;
  }, [shown]);
  if (moments.value.length === 0) return null;
  return <ul ref={list} class="moments" aria-label="Moments">{moments.value.map((moment) => <Card moment={moment} key={moment.at.id} />)}</ul>;
}
