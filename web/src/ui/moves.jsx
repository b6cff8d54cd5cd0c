// The moves of the game, with variations, comments and glyphs; each move is a button.

import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { changed, deleteFrom, goTo, mode, node, play, tree, version } from "../app/game.js";
import { visible } from "../chess/comments.js";
import { glyph, glyphName, MOVE_GLYPHS, toggleGlyph } from "../chess/glyphs.js";
import { layout } from "../chess/layout.js";
import { promote } from "../chess/tree.js";
import { isRunning } from "../app/play.js";
import { sanInWords } from "../app/announce.js";
import { retry } from "../app/retry.js";
import { CommentDialog } from "./comment-dialog.jsx";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */

const MOST_INDENT = 6;
const NAMES = ["", "good", "mistake", "excellent", "blunder", "interesting", "inaccuracy"];

/** @param {{ at: GameNode, number?: boolean }} props */
function Move({ at, number = false }) {
  version.value;
  const spoken = `${at.moveNumber} ${at.mover === "white" ? "White" : "Black"} ${sanInWords(at.san)}${at.nags.map((nag) => `, ${glyphName(nag)}`).join("")}`;
  const sign = at.nags.find((nag) => MOVE_GLYPHS.includes(nag));
  return (
    <button type="button" class={`move ${sign ? NAMES[sign] : ""}`} data-node={at.id}>
      <span class="hidden">{spoken}</span>
      {number && <span class="number" aria-hidden="true">{at.moveNumber}{at.mover === "white" ? "." : "…"}</span>}
      <span class="san" aria-hidden="true">{at.san}</span>
      {at.nags.length > 0 && <span class="glyph" aria-hidden="true">{at.nags.map(glyph).join(" ")}</span>}
    </button>
  );
}

/** @param {{ at: GameNode }} props */
function Comments({ at }) {
  const text = at.comments.map(visible).filter(Boolean).join(" ");
  return text ? <p class="comment">{text}</p> : null;
}

/** @param {{ nodes: GameNode[], depth: number }} props */
function Variation({ nodes, depth }) {
  return (
    <div class="variation" style={{ "--depth": Math.min(depth, MOST_INDENT) }}>
      {nodes.map((at, index) => (
        <span key={at.id}>
          {at.startingComments.map(visible).filter(Boolean).map((text) => <span class="comment" key={text}>{text} </span>)}
          <Move at={at} number={index === 0 || at.mover === "white" || nodes[index - 1].comments.some(visible)} />
          {at.comments.map(visible).filter(Boolean).map((text) => <span class="comment" key={text}> {text} </span>)}
        </span>
      ))}
    </div>
  );
}

/** Finds a node of the tree by its id. @param {number} id */
function byId(id) {
  for (const other of tree.value.nodes()) if (other.id === id) return other;
  return null;
}

export function Moves() {
  const list = useRef(/** @type {HTMLDivElement | null} */ (null));
  const edited = useSignal(/** @type {GameNode | null} */ (null));
  useEffect(() => {
    const show = () => highlight(list.current, node.value.id);
    const stop = effect(() => {
      void [version.value, node.value];
      requestAnimationFrame(show);
    });
    // What opens below the list, or a phone that is turned, leaves the move in sight, too.
    const resized = new ResizeObserver(show);
    if (list.current) resized.observe(list.current);
    return () => {
      stop();
      resized.disconnect();
    };
  }, []);
  const onClick = (/** @type {MouseEvent} */ event) => {
    const target = /** @type {HTMLElement} */ (event.target).closest("[data-node]");
    const found = target && byId(Number(target.getAttribute("data-node")));
    if (found && !retry.value) goTo(found);
  };
  version.value;
  const empty = tree.value.root.children.length === 0;
  return (
    <div class="moves">
      <div class="move-list" ref={list} onClick={onClick} role="group" aria-label="Moves">
        {empty && <p class="quiet">{!play.value ? "Move a piece, or paste a PGN or FEN" : mode.value === "play" ? "Make a move, or choose color, level and clock in New game. A PGN or FEN can be pasted anywhere." : "No moves yet"}</p>}
        <Blocks />
      </div>
      <HereComment />
      {mode.value !== "play" && <NodeTools onComment={(at) => (edited.value = at)} />}
      {edited.value && <CommentDialog at={edited.value} onClose={() => (edited.value = null)} />}
    </div>
  );
}

/** The comment of the move on the board, where the moves are one row. */
function HereComment() {
  version.value;
  const { startingComments, comments } = node.value;
  const text = [...startingComments, ...comments].map(visible).filter(Boolean).join(" ");
  return text ? <p class="comment here-comment">{text}</p> : null;
}

function Blocks() {
  version.value;
  return (
    <>
      {layout(tree.value.root).map((block) => {
        if (block.kind === "comment") return <Comments at={block.node} key={block.key} />;
        if (block.kind === "line") return <Variation nodes={block.nodes} depth={block.depth} key={block.key} />;
        return (
          <div class="row" key={block.key}>
            <span class="number">{block.number}</span>
            {block.white ? <Move at={block.white} /> : <span class="gap">…</span>}
            {block.black && <Move at={block.black} />}
          </div>
        );
      })}
    </>
  );
}

/** Marks the move on the board and brings it into sight. @param {HTMLElement | null} list @param {number} id */
function highlight(list, id) {
  if (!list) return;
  const old = list.querySelector("[aria-current]");
  const current = /** @type {HTMLElement | null} */ (list.querySelector(`[data-node="${id}"]`));
  if (old !== current) old?.removeAttribute("aria-current");
  current?.setAttribute("aria-current", "true");
  const area = list.getBoundingClientRect();
  if (!current) return void list.scrollTo({ top: 0, left: 0 });
  const place = current.getBoundingClientRect();
  if (place.top < area.top || place.bottom > area.bottom) list.scrollTop += place.top - area.top - area.height / 2;
  if (place.left < area.left || place.right > area.right) list.scrollLeft += place.left - area.left - area.width / 2;
}

/** What can be done with the move on the board. @param {{ onComment(at: GameNode): void }} props */
function NodeTools({ onComment }) {
  const at = node.value;
  if (isRunning.value && play.value) return null;
  const sign = (/** @type {number} */ nag) => {
    at.nags = toggleGlyph(at.nags, nag);
    changed();
  };
  return (
    <details class="tools">
      <summary>Edit</summary>
      <div class="tool-row" role="group" aria-label="Annotation">
        {MOVE_GLYPHS.map((nag) => (
          <button type="button" key={nag} aria-label={glyphName(nag)} aria-pressed={at.nags.includes(nag)} disabled={!at.parent} onClick={() => sign(nag)}>{glyph(nag)}</button>
        ))}
      </div>
      <div class="tool-row">
        <button type="button" onClick={() => onComment(at)}>Comment</button>
        <button type="button" disabled={at.isMainline} onClick={() => (promote(at, false), changed())}>Promote</button>
        <button type="button" disabled={at.isMainline} onClick={() => (promote(at, true), changed())}>Main line</button>
        <button type="button" disabled={!at.parent} onClick={() => deleteFrom(at)}>Delete</button>
      </div>
    </details>
  );
}

