// The comment of a move, and its arrows and circles as text.

import { useSignal } from "@preact/signals";
import { changed } from "../app/game.js";
import { readShape, shapesIn, shapeText, visible, withShapes, withText } from "../chess/comments.js";
import { Dialog } from "./dialog.jsx";

/** @param {{ at: import("../chess/tree.js").GameNode, onClose(): void }} props */
export function CommentDialog({ at, onClose }) {
  const text = useSignal(at.comments.map(visible).filter(Boolean).join("\n"));
  const shapes = useSignal(shapesIn(at.comments).map(shapeText).join(" "));
  const drawn = shapes.value.split(/[\s,]+/).filter(Boolean).map((word) => ({ word, shape: readShape(word) }));
  const bad = drawn.find(({ shape }) => !shape);
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (bad) return;
    at.comments = withText(withShapes(at.comments, drawn.flatMap(({ shape }) => shape ?? [])), text.value);
    changed();
    onClose();
  };
  return (
    <Dialog title={at.san ? `Comment on ${at.moveNumber}${at.mover === "white" ? "." : "…"} ${at.san}` : "Comment on the game"} onClose={onClose}>
      <form onSubmit={save}>
        <textarea aria-label="Comment" rows={5} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
        <label for="comment-shapes">Arrows and circles: G, R, Y or B, and squares, such as Ge2e4 Rd5</label>
        <input id="comment-shapes" class="mono" autocomplete="off" spellcheck={false} value={shapes.value} onInput={(event) => (shapes.value = event.currentTarget.value)} />
        {bad && <p class="problem" role="status">{bad.word} is none.</p>}
        <div class="actions"><button type="submit" class="primary" disabled={Boolean(bad)}>Save</button></div>
      </form>
    </Dialog>
  );
}
