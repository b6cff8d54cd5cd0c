// The games of a file with several: the list, and the way from each to the next.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fileGames, placeInFile, showInFile } from "../app/load.js";
import { dialog, toast } from "../app/notices.js";
import { Dialog } from "./dialog.jsx";
import { IconButton } from "./icons.jsx";

/** @typedef {import("../chess/pgn-read.js").RawGame} RawGame */

const MOST_SHOWN = 100;
/** Games before that on the page with which the list begins. */
const BEFORE = 10;

/** @param {RawGame} game */
const nameOf = ({ headers }) => `${headers.get("White") ?? "?"} – ${headers.get("Black") ?? "?"}`;

/** @param {RawGame} game */
const detailsOf = ({ headers }) => ["Result", "Event", "Date"].map((name) => headers.get(name)).filter((text) => text && text !== "?" && text !== "????.??.??").join(" · ");

/** Games that are looked at between two looks at the time, and milliseconds of search between two looks at what the user does. */
const STEP = 500;
const SLICE = 20;

/**
 * The places of the games that have all words; null if there are no words.
 * @param {RawGame[]} games @param {string} text @param {() => boolean} goesOn
 */
async function search(games, text, goesOn) {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return null;
  /** @type {number[]} */
  const places = [];
  for (let [at, slice] = [0, performance.now()]; at < games.length && goesOn(); at += STEP) {
    games.slice(at, at + STEP).forEach(({ words }, index) => wanted.every((word) => words.includes(word)) && places.push(at + index));
    if (performance.now() - slice < SLICE) continue;
    await new Promise((go) => setTimeout(go));
    slice = performance.now();
  }
  return places;
}

export function ChooseDialog() {
  const filter = useSignal("");
  const problem = useSignal("");
  const games = fileGames.value;
  const here = placeInFile.value;
  const found = useSignal(/** @type {number[] | null} */ (null));
  useEffect(() => {
    let goes = true;
    search(games, filter.value, () => goes).then((places) => goes && (found.value = places));
    return () => {
      goes = false;
    };
  }, [games, filter.value]);
  const places = found.value ?? games.map((_, place) => place);
  const start = found.value || here === undefined ? 0 : Math.max(0, here - BEFORE);
  const shown = places.slice(start, start + MOST_SHOWN);
  const more = places.length - shown.length;
  return (
    <Dialog title={`${games.length} games`} class="games">
      <input type="search" aria-label="Find" placeholder="Find a name, event or year" value={filter.value} onInput={(event) => (filter.value = event.currentTarget.value)} />
      {problem.value && <p class="problem" role="alert">{problem.value}</p>}
      <ul class="game-list">
        {shown.map((place) => (
          <li key={place} class={place === here ? "current" : ""}>
            <button type="button" class="game" aria-current={place === here ? "true" : undefined} onClick={async () => (problem.value = await showInFile(place))}>
              <span>{nameOf(games[place])}</span>
              <small>{detailsOf(games[place])}</small>
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">{more} more: type to find them.</p>}
    </Dialog>
  );
}

/** Where the game on the page is in its file. */
export function FilePlace() {
  const place = placeInFile.value;
  const { length } = fileGames.value;
  if (place === undefined) return null;
  const go = async (/** @type {number} */ to) => {
    const problem = await showInFile(to);
    if (problem) toast(problem, "Close", () => {});
  };
  return (
    <div class="file-place" role="group" aria-label="Games of the file" tabIndex={-1}>
      <IconButton icon="previous" label="Game before" onClick={() => void go(place - 1)} disabled={place === 0} />
      <button type="button" onClick={() => (dialog.value = "choose")}>Game {place + 1} of {length}</button>
      <IconButton icon="next" label="Next game" onClick={() => void go(place + 1)} disabled={place === length - 1} />
    </div>
  );
}
