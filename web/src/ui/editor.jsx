// The position editor: pieces are dragged, or set with the chosen one; turn and castling rights; FEN in and out.

import { Chessground } from "@lichess-org/chessground";
import { useSignal } from "@preact/signals";
import { Castles } from "chessops/chess";
import { INITIAL_FEN, makeFen, parseBoardFen, parseFen } from "chessops/fen";
import { useEffect, useRef } from "preact/hooks";
import { chosenGame } from "../app/choice.js";
import { flip, node, open, orientation } from "../app/game.js";
import { fenProblem } from "../app/load.js";
import { dialog } from "../app/notices.js";
import { newGame } from "../app/play.js";
import { makeSquare } from "chessops/util";
import { opposite } from "../chess/ends.js";
import { chess960Fen } from "../chess/chess960.js";
import { withField } from "../chess/position.js";
import { Tree } from "../chess/tree.js";
import { Choice, Dialog } from "./dialog.jsx";
import { SquareGrid } from "./square-grid.jsx";

/** @typedef {import("@lichess-org/chessground/types").Piece} Piece */

const ROLES = /** @type {const} */ (["king", "queen", "rook", "bishop", "knight", "pawn"]);
const RIGHTS = /** @type {const} */ ([["K", "White short"], ["Q", "White long"], ["k", "Black short"], ["q", "Black long"]]);

/**
 * The squares behind a pawn that may have just made two steps, next to one that can take it.
 * @param {import("chessops/setup").Setup} setup @returns {number[]}
 */
function passantSquares({ board, turn }) {
  const [step, rank] = turn === "white" ? [8, 5] : [-8, 2];
  const isEmpty = (/** @type {number} */ square) => board.get(square) === undefined;
  const isPawn = (/** @type {number} */ square, /** @type {"white" | "black"} */ color) => board[color].has(square) && board.pawn.has(square);
  return Array.from({ length: 8 }, (_, file) => 8 * rank + file).filter((square) => {
    const file = square % 8;
    const takers = [file - 1, file + 1].filter((other) => other >= 0 && other < 8).map((other) => square - step + other - file);
    return isEmpty(square) && isEmpty(square + step) && isPawn(square - step, opposite(turn)) && takers.some((taker) => isPawn(taker, turn));
  });
}

/** Drops rights without king and rook in place, and a square of en passant without its pawns, and writes KQkq where that is clear. @param {string} fen */
function tidy(fen) {
  return parseFen(fen).unwrap((setup) => {
    const epSquare = passantSquares(setup).find((square) => square === setup.epSquare);
    return makeFen({ ...setup, castlingRights: Castles.fromSetup(setup).castlingRights, epSquare });
  }, () => fen);
}

/** The names of the squares where en passant can be set. @param {string} fen @returns {string[]} */
const passantNames = (fen) => parseFen(fen).unwrap((setup) => passantSquares(setup).map(makeSquare), () => []);

export function EditorDialog() {
  const element = useRef(/** @type {HTMLDivElement | null} */ (null));
  const api = useRef(/** @type {import("@lichess-org/chessground/api").Api | null} */ (null));
  const fen = useSignal(node.value.fen);
  const tool = useSignal(/** @type {Piece | "move" | "delete"} */ ("move"));
  const [pieces, turn = "w"] = fen.value.trim().split(/\s+/);
  const castling = (tidy(fen.value).trim().split(/\s+/)[2] ?? "-").replace("-", "");
  /** What stands on the board, where the text is none that can be read yet. */
  const placed = useSignal(pieces);
  const selected = useSignal(/** @type {string | undefined} */ (undefined));
  const problem = fenProblem(fen.value);
  const passant = passantNames(fen.value);
  const setField = (/** @type {number} */ at, /** @type {string} */ value) => {
    fen.value = tidy(withField(fen.value, at, value));
  };
  const show = (/** @type {string} */ text) => {
    fen.value = text;
    const [board] = text.trim().split(/\s+/);
    if (parseBoardFen(board).isErr) return;
    api.current?.set({ fen: board });
    placed.value = board;
  };
  const setRight = (/** @type {string} */ sign, /** @type {boolean} */ has) => {
    setField(2, has ? castling + sign : castling.replace(sign, "") || "-");
  };

  useEffect(() => {
    if (!element.current) return;
    const board = Chessground(element.current, {
      fen: pieces, orientation: orientation.value, coordinates: true, ranksPosition: "left", autoCastle: false,
      movable: { free: true, color: "both" }, premovable: { enabled: false }, drawable: { enabled: false },
      draggable: { deleteOnDropOff: true, showGhost: true }, selectable: { enabled: true }, highlight: { lastMove: false, check: false },
      animation: { enabled: false },
      events: { change: () => read() },
    });
    const read = () => {
      placed.value = board.getFen();
      fen.value = tidy(withField(fen.value, 0, placed.value));
    };
    board.set({
      events: {
        select: (key) => {
          if (tool.value === "move") return;
          board.setPieces(new Map([[key, tool.value === "delete" ? undefined : tool.value]]));
          board.selectSquare(null);
          read();
        },
      },
    });
    api.current = board;
    return () => board.destroy();
  }, []);
  const choose = (/** @type {typeof tool.value} */ choice) => {
    tool.value = choice;
    selected.value = undefined;
    api.current?.set({ draggable: { enabled: choice === "move" }, selected: undefined });
  };
  const select = (/** @type {string | null} */ square) => {
    api.current?.selectSquare(/** @type {import("@lichess-org/chessground/types").Key | null} */ (square));
    selected.value = tool.value === "move" ? api.current?.state.selected : undefined;
  };
  const isTool = (/** @type {string} */ color, /** @type {string} */ role) =>
    typeof tool.value === "object" && tool.value.color === color && tool.value.role === role;
  const analyse = () => {
    dialog.value = null;
    open({ tree: new Tree(fen.value), mode: "analyse" }, { message: "Position set" });
  };
  const playFrom = () => {
    dialog.value = null;
    newGame({ ...chosenGame(), clock: null, rival: false, color: turn === "w" ? "white" : "black", fen: fen.value });
  };
  // The key is not to press the button, too, that gets the focus when the dialog closes.
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || problem) return;
    event.preventDefault();
    analyse();
  };
  return (
    <Dialog title="Position editor" class="editor">
      <div class="editor-board">
        <div class="cg-wrap" ref={element} />
        <SquareGrid id="editor" board={parseBoardFen(placed.value).unwrap()} selected={selected.value} onSelect={select} />
      </div>
      <div class="spare" role="group" aria-label="Pieces">
        {(/** @type {const} */ (["white", "black"])).map((color) => ROLES.map((role) => (
          <button type="button" key={color + role} aria-label={`${color} ${role}`} aria-pressed={isTool(color, role)} onClick={() => choose(isTool(color, role) ? "move" : { color, role })}
            onPointerDown={(event) => { if (event.pointerType === "mouse") api.current?.dragNewPiece({ color, role }, event, true); }}>
            <span class="cg-wrap"><piece class={`${role} ${color}`} /></span>
          </button>
        )))}
        <button type="button" aria-pressed={tool.value === "move"} onClick={() => choose("move")}>Move</button>
        <button type="button" aria-pressed={tool.value === "delete"} onClick={() => choose("delete")}>Remove</button>
      </div>
      <Choice name="turn" label="To move" value={turn} options={[["w", "White"], ["b", "Black"]]} onChange={(value) => setField(1, value)} />
      {passant.length > 0 && (
        <Choice name="passant" label="En passant" value={tidy(fen.value).split(" ")[3]} options={["-", ...passant].map((square) => /** @type {const} */ ([square, square === "-" ? "None" : square]))} onChange={(value) => setField(3, value)} />
      )}
      <fieldset class="choice castling">
        <legend>Castling</legend>
        <div class="options">
          {RIGHTS.map(([sign, text]) => (
            <label key={sign}>
              <input type="checkbox" checked={castling.includes(sign)} onChange={(event) => setRight(sign, event.currentTarget.checked)} />
              <span>{text}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div class="actions">
        <button type="button" onClick={() => show(INITIAL_FEN)}>Start position</button>
        <button type="button" onClick={() => show("8/8/8/8/8/8/8/8 w - - 0 1")}>Empty board</button>
        <button type="button" onClick={() => show(tidy(chess960Fen(Math.floor(960 * Math.random()))))}>Chess960</button>
        <button type="button" onClick={() => { flip(); api.current?.set({ orientation: orientation.value }); }}>Turn the board</button>
      </div>
      <label for="editor-fen">FEN</label>
      <input id="editor-fen" class="mono" spellcheck={false} value={fen.value} onInput={(event) => show(event.currentTarget.value)}
        onKeyDown={onKeyDown} />
      {problem && <p class="problem" role="status">{problem}</p>}
      <div class="actions">
        <button type="button" class="primary" disabled={Boolean(problem)} onClick={analyse}>Analyse</button>
        <button type="button" disabled={Boolean(problem)} onClick={playFrom}>Play from here</button>
      </div>
    </Dialog>
  );
}
