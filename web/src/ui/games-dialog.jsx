// The list of games: own ones, and those that were loaded or entered and changed.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { dropCards } from "../app/deck.js";
import { gameId, openStored } from "../app/game.js";
import { dialog, toast } from "../app/notices.js";
import { pointsOf, resultText } from "../chess/ends.js";
import { dateTag } from "../chess/pgn-write.js";
import { deleteGames, listGames, loadGame, loadGames } from "../store/games.js";
import { Dialog } from "./dialog.jsx";
import { IconButton } from "./icons.jsx";

/** @typedef {import("../store/games.js").Summary} Summary */

const MOST_SHOWN = 200;
const SECTIONS = /** @type {const} */ ([["own", "Your games"], ["study", "Loaded and analysed"]]);

/** How a game ended for the user, in a word; "" where it was not theirs, or goes on. @param {Summary} game */
export function outcome({ color, result }) {
  if (!color || result === "*") return "";
  return { 1: "won", 0.5: "drawn", 0: "lost" }[pointsOf(/** @type {import("../chess/ends.js").End["result"]} */ (result), color)] ?? "";
}

/** One for all: each takes a browser long to make. */
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
export const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** @param {Summary} game @param {Intl.DateTimeFormat} [when] */
export function details(game, when = WHEN) {
  const { result, plies, changed, accuracy, color, opening, copy } = game;
  const own = color && accuracy?.[color];
  return [
    resultText(result), plies > 2 ? `${Math.ceil(plies / 2)} moves` : plies > 0 ? "1 move" : "position", typeof own === "number" && `${Math.round(own)} % accuracy`,
    copy && "went on in another tab, too", opening?.replace(/^[A-E]\d\d /, ""), when.format(changed),
  ].filter(Boolean).join(" · ");
}

/** What each game is found by. @type {WeakMap<Summary, string>} */
const texts = new WeakMap();

/** True if each word of the search is in what is known of a game. @param {Summary} game @param {string} words */
function matches(game, words) {
  const text = texts.get(game) ?? `${game.title} ${game.result} ${details(game)} ${outcome(game)} ${game.opening} ${game.date} ${dateTag(new Date(game.changed))}`.toLowerCase();
  texts.set(game, text);
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(/^\d{4}-\d/.test(word) ? word.replaceAll("-", ".") : word));
}

/** @param {string} id */
export async function showGame(id) {
  const game = id === gameId.value ? null : await loadGame(id);
  if (game === undefined) return toast("This game is no longer kept.");
  dialog.value = null;
  if (game) openStored(game, "push");
}

/** @param {string[]} ids */
async function save(ids) {
  const pgn = (await loadGames(ids)).map((game) => game.pgn.trim()).join("\n\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([pgn, "\n"], { type: "application/x-chess-pgn" }));
  link.download = ids.length === 1 ? "game.pgn" : `games-${dateTag(new Date())}.pgn`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function GamesDialog() {
  const games = useSignal(/** @type {Summary[] | null} */ (null));
  const words = useSignal("");
  const chosen = useSignal(/** @type {Set<string>} */ (new Set()));
  const read = () => listGames().then((list) => (games.value = list), () => (games.value = []));
  useEffect(() => void read(), []);
  const found = (games.value ?? []).filter((game) => matches(game, words.value.trim()));
  const ids = found.filter(({ id }) => chosen.value.has(id)).map(({ id }) => id);
  const others = ids.filter((id) => id !== gameId.value);
  const choose = (/** @type {string} */ id, /** @type {boolean} */ on) => {
    const next = new Set(chosen.value);
    if (on) next.add(id);
    else next.delete(id);
    chosen.value = next;
  };
  const remove = async (/** @type {string[]} */ gone) => {
    const undo = await deleteGames(gone);
    const undoCards = dropCards(gone);
    chosen.value = new Set();
    await read();
    // The button that was pressed is gone.
    document.getElementById("find-game")?.focus();
    toast(gone.length === 1 ? "Game deleted" : `${gone.length} games deleted`, "Undo", () => void undo().then(() => (undoCards(), read())));
  };
  return (
    <Dialog title="Games" class="games">
      {games.value?.length === 0 && <p class="quiet">No games yet. They are kept in this browser: your own, and those that you load and change.</p>}
      {games.value && games.value.length > 0 && (
        <div class="game-tools">
          <input id="find-game" type="search" aria-label="Find games" placeholder="Name, opening, result, date" value={words.value} onInput={(event) => (words.value = event.currentTarget.value)} />
          <label class="check"><input type="checkbox" checked={ids.length > 0 && ids.length === found.length} onChange={(event) => (chosen.value = new Set(event.currentTarget.checked ? found.map(({ id }) => id) : []))} /><span>All</span></label>
          <button type="button" disabled={found.length === 0} onClick={() => save(ids.length > 0 ? ids : found.map(({ id }) => id))}>{ids.length > 0 ? `Save ${ids.length} as PGN` : "Save all as PGN"}</button>
          <button type="button" disabled={others.length === 0} onClick={() => remove(others)}>Delete{others.length > 0 && ` ${others.length}`}</button>
        </div>
      )}
      {SECTIONS.map(([kind, text]) => {
        const some = found.filter((game) => game.kind === kind);
        return some.length > 0 && (
          <section key={kind} aria-label={text}>
            <h3>{text} <span class="quiet">{some.length}</span></h3>
            <ul class="game-list">
              {some.slice(0, MOST_SHOWN).map((game) => (
                <li key={game.id} class={game.id === gameId.value ? "current" : ""}>
                  <label class="check"><input type="checkbox" aria-label={`Select ${game.title}`} checked={chosen.value.has(game.id)} onChange={(event) => choose(game.id, event.currentTarget.checked)} /></label>
                  <button type="button" class="game" onClick={() => showGame(game.id)}>
                    <span>{game.title}</span>
                    <small>{details(game)}</small>
                  </button>
                  <IconButton icon="trash" label={`Delete ${game.title}`} onClick={() => remove([game.id])} disabled={game.id === gameId.value} />
                </li>
              ))}
            </ul>
            {some.length > MOST_SHOWN && <p class="quiet">{some.length - MOST_SHOWN} more: type to find them.</p>}
          </section>
        );
      })}
      {games.value && games.value.length > 0 && found.length === 0 && <p class="quiet">No game has all of these words.</p>}
      {found.length > 0 && <p class="quiet small">All stay until you delete them. Loaded games that you only looked at are not listed.</p>}
    </Dialog>
  );
}
