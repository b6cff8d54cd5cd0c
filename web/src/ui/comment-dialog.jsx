// The comment of a move.

import { useSignal } from "@preact/signals";
import { changed } from "../app/game.js";
import { visible, withText } from "../chess/comments.js";
import { Dialog } from "./dialog.jsx";

/** @param {{ at: import("../chess/tree.js").GameNode, onClose(): void }} props */
export function CommentDialog({ at, onClose }) {
  const text = useSignal(at.comments.map(visible).filter(Boolean).join("\n"));
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    at.comments = withText(at.comments, text.value);
    changed();
    onClose();
  };
  return (
    <Dialog title={at.san ? `Comment on ${at.moveNumber}${at.mover === "white" ? "." : "…"} ${at.san}` : "Comment on the game"} onClose={onClose}>
      <form onSubmit={save}>
        <textarea aria-label="Comment" rows={5} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
        <div class="actions"><button type="submit" class="primary">Save</button></div>
      </form>
    </Dialog>
  );
}
