// The board: chessground, with a grid of squares over it for keyboards and screen readers.

import { Chessground } from "@lichess-org/chessground";
import { effect, useSignal } from "@preact/signals";
import { parseSquare } from "chessops/util";
import { useEffect, useRef } from "preact/hooks";
import { changed, node, orientation, play, tree, usersColor, version } from "../app/game.js";
import { enter, movableColor } from "../app/input.js";
import { onWheel } from "../app/keys.js";
import { announce, toast } from "../app/notices.js";
import { isUsersTurn } from "../app/play.js";
import { retry } from "../app/retry.js";
import { shapesIn, withShapes } from "../chess/comments.js";
import { destsOf } from "../chess/position.js";
import { shapes } from "./shapes.js";
import { PromotionMenu } from "./promotion.jsx";
import { SquareGrid } from "./square-grid.jsx";

/** @typedef {import("@lichess-org/chessground/api").Api} Api */
/** @typedef {import("@lichess-org/chessground/types").Key} Key */
/** @typedef {{ from: string, to: string, color: "white" | "black" }} Promotion */

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** What chessground shows: the node, and whose pieces may be moved. @returns {import("@lichess-org/chessground/config").Config} */
function configuration() {
  const at = node.value;
  const position = at.position;
  const color = movableColor();
  const mine = play.value && !retry.value && color === usersColor.value;
  return {
    fen: at.fen.split(" ")[0],
    orientation: orientation.value,
    turnColor: at.turn,
    check: position.isCheck() ? at.turn : false,
    lastMove: /** @type {Key[]} */ (at.squares),
    animation: { enabled: !still.matches, duration: 150 },
    movable: { free: false, color, dests: color === at.turn ? destsOf(position) : new Map(), showDests: true },
    premovable: { enabled: Boolean(mine) },
    drawable: { shapes: /** @type {import("@lichess-org/chessground/draw").DrawShape[]} */ (shapesIn(at.comments)) },
  };
}

/** Keeps the arrows and circles that the user draws. @param {import("@lichess-org/chessground/draw").DrawShape[]} shapes */
function keepShapes(shapes) {
  const at = node.value;
  const before = at.comments;
  at.comments = withShapes(before, /** @type {import("../chess/comments.js").Shape[]} */ (shapes));
  changed();
  // A click beside the pieces erases all.
  if (shapes.length === 0 && shapesIn(before).length > 1) toast("Arrows and circles erased", "Undo", () => ((at.comments = before), changed()));
}

/**
 * Draws the arrows once more, after what was about to be drawn: chessground makes new elements when the board is turned, but
 * a drawing that was due before still goes to the old ones, and the new ones are taken for drawn.
 * @param {Api} board
 */
function redrawShapes(board) {
  requestAnimationFrame(() => {
    board.state.drawable.prevSvgHash = "";
    board.state.dom.redrawNow();
  });
}

/** Scrolls a narrow page, where reports and moves are below the board, back to it. @param {HTMLElement | null} board */
function bringIntoSight(board) {
  const box = board?.getBoundingClientRect();
  if (box && box.top < -box.height / 3) scrollTo({ top: 0, behavior: still.matches ? "auto" : "smooth" });
}

/** True if a pawn's move between these squares becomes a piece. @param {string} from @param {string} to */
function isPromotion(from, to) {
  const role = node.value.position.board.getRole(/** @type {number} */ (parseSquare(from)));
  return role === "pawn" && /[18]$/.test(to);
}

export function Board() {
  const element = useRef(/** @type {HTMLDivElement | null} */ (null));
  const api = useRef(/** @type {Api | null} */ (null));
  const promotion = useSignal(/** @type {Promotion | null} */ (null));
  const selected = useSignal(/** @type {string | undefined} */ (undefined));
  const noteSelected = () => (selected.value = api.current?.state.selected);

  useEffect(() => {
    if (!element.current) return;
    const board = Chessground(element.current, {
      ...configuration(),
      coordinates: true,
      ranksPosition: "left",
      autoCastle: true,
      disableContextMenu: true,
      drawable: { enabled: true, eraseOnMovablePieceClick: false, onChange: keepShapes },
      draggable: { showGhost: true },
    });
    api.current = board;
    const reset = () => board.set({ ...configuration(), animation: { enabled: false } });
    board.set({
      movable: {
        events: {
          after: (from, to, { premove }) => {
            if (!isPromotion(from, to)) return void (enter(from + to) || reset());
            if (premove) return void (enter(`${from}${to}q`) || reset());
            promotion.value = { from, to, color: node.value.turn };
          },
        },
      },
      premovable: { events: { set: (from, to) => announce(`Premove ${from} to ${to}`) } },
    });
    let shown = tree.value;
    let before = node.value;
    const stopPosition = effect(() => {
      version.value;
      const config = configuration();
      promotion.value = null;
      if (shown !== tree.value) board.selectSquare(null);
      shown = tree.value;
      // A premove answers the opponent's move in the position in which it was set, and goes with everything else.
      const answers = node.value.parent === before && isUsersTurn.value;
      if (board.state.premovable.current && !answers && (node.value !== before || !config.premovable?.enabled)) board.cancelPremove();
      before = node.value;
      const turned = config.orientation !== board.state.orientation;
      board.set(config);
      noteSelected();
      bringIntoSight(element.current);
      if (turned) redrawShapes(board);
      if (answers) queueMicrotask(() => board.playPremove());
    });
    const stopShapes = effect(() => board.setAutoShapes(shapes.value));
    const wrap = element.current;
    wrap.addEventListener("wheel", onWheel, { passive: false });
    // After what chessground does with the same press.
    for (const type of ["pointerdown", "pointerup"]) wrap.addEventListener(type, () => requestAnimationFrame(noteSelected));
    return () => {
      stopPosition();
      stopShapes();
      board.destroy();
    };
  }, []);

  const choose = (/** @type {string} */ role) => {
    const wanted = promotion.value;
    promotion.value = null;
    if (!wanted || !role || !enter(wanted.from + wanted.to + role)) api.current?.set(configuration());
    document.getElementById(`square-${wanted?.to}`)?.focus({ preventScroll: true });
  };

  // Escape lets go of a piece first, and then of a premove.
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || !api.current?.state.premovable.current) return;
    api.current.cancelPremove();
    announce("No premove");
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="board" id="board" onKeyDown={onKeyDown}>
      <div class="cg-wrap" ref={element} />
      <SquareGrid id="square" board={node.value.position.board} selected={selected.value} onSelect={(square) => { api.current?.selectSquare(/** @type {Key | null} */ (square)); noteSelected(); }} />
      {promotion.value && <PromotionMenu {...promotion.value} onChoose={choose} />}
    </div>
  );
}
