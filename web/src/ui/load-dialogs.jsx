// Dialogs for what comes in and goes out: PGN and FEN, the games of a file, and links.

import { signal, useSignal } from "@preact/signals";
import { node, play, tree } from "../app/game.js";
import { reviewLink } from "../app/challenge.js";
import { fileGames, loadFile, loadText, looksLikeFen, placeInFile, showInFile } from "../app/load.js";
import { dialog, toast } from "../app/notices.js";
import { fileName, writePgn } from "../chess/pgn-write.js";
import { fenHash, pgnHash } from "../store/share.js";
import { Dialog, Toggle } from "./dialog.jsx";

export function LoadDialog() {
  const text = useSignal("");
  const problem = useSignal("");
  const load = async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem.value = await loadText(text.value);
  };
  const read = async (/** @type {HTMLInputElement} */ input) => {
    const [file] = input.files ?? [];
    // The same file can be chosen again.
    input.value = "";
    if (file) problem.value = await loadFile(file);
  };
  // A FEN is one line, and Enter ends it; a PGN has many.
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey || looksLikeFen(text.value.trim()))) load(event);
  };
  return (
    <Dialog title="Load a game or position">
      <form onSubmit={load}>
        <label for="load-text">PGN, with one game or many, or FEN</label>
        <textarea id="load-text" class="mono" rows={8} spellcheck={false} value={text.value} onKeyDown={onKeyDown} onInput={(event) => { text.value = event.currentTarget.value; problem.value = ""; }} />
        {problem.value && <p class="problem" role="alert">{problem.value}</p>}
        <div class="actions">
          <button type="submit" class="primary">Load</button>
          <label class="button">From a file<input type="file" accept=".pgn,.fen,.txt,text/plain,application/x-chess-pgn" onChange={(event) => read(event.currentTarget)} /></label>
        </div>
        <p class="quiet small">A file can also be dropped on the page, and text pasted anywhere.</p>
      </form>
    </Dialog>
  );
}

/** @param {string} text @param {string} what @param {() => void} [show] shows the text, and what to do, where it is not to be seen yet */
async function copy(text, what, show) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    if (show) show();
    else toast("The browser does not let the page copy. Mark the text and copy it.");
  }
}

export function ExportDialog() {
  const plain = useSignal(false);
  const pgn = writePgn(tree.value, plain.value, play.value?.moves);
  const fen = node.value.fen;
  const file = fileName(tree.value.headers);
  return (
    <Dialog title="Export">
      <label for="export-fen">FEN of this position</label>
      <div class="copy-row"><input id="export-fen" class="mono" readOnly value={fen} onFocus={(event) => event.currentTarget.select()} /><button type="button" onClick={() => copy(fen, "FEN")}>Copy</button></div>
      <label for="export-pgn">PGN of the game</label>
      <textarea id="export-pgn" class="mono" rows={8} readOnly value={pgn} />
      <Toggle label="Only the moves of the game" checked={plain.value} onChange={(value) => (plain.value = value)} />
      <div class="actions">
        <button type="button" class="primary" onClick={() => copy(pgn, "PGN")}>Copy PGN</button>
        <a class="button" download={file} href={`data:application/x-chess-pgn;charset=utf-8,${encodeURIComponent(pgn)}`}>Save PGN</a>
      </div>
    </Dialog>
  );
}

const link = signal("");

/** The link, where the browser does not let the page copy it. */
export function LinkDialog() {
  return (
    <Dialog title="Link">
      <label for="link-text">The browser does not let the page copy. Mark this link and copy it.</label>
      <input id="link-text" class="mono" readOnly value={link.value} onFocus={(event) => event.currentTarget.select()} />
    </Dialog>
  );
}

/** Copies a link to the reviewed game, to the game, or to the position where there are no moves. */
export async function share() {
  const here = location.href.replace(/#.*$/, "");
  const hasMoves = tree.value.root.children.length > 0;
  const reviewed = await reviewLink();
  const text = here + (reviewed?.hash ?? (hasMoves ? await pgnHash(writePgn(tree.value)) : fenHash(node.value.fen)));
  const what = reviewed?.mistake ? "Link to the mistake and the review" : reviewed ? "Link to the game and its review" : hasMoves ? "Link to the game" : "Link to the position";
  await copy(text, what, () => {
    link.value = text;
    dialog.value = "link";
  });
}
