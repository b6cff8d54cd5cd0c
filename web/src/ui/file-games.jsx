// The games of a file with several: the list, and the way from each to the next.

import { useSignal } from "@preact/signals";
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

export function ChooseDialog() {
  const filter = useSignal("");
  const problem = useSignal("");
  const games = fileGames.value;
  const here = placeInFile.value;
  const wanted = filter.value.toLowerCase().split(/\s+/);
  const found = games.flatMap(({ words }, place) => (wanted.every((word) => words.includes(word)) ? [place] : []));
  const start = filter.value || here === undefined ? 0 : Math.max(0, here - BEFORE);
  const shown = found.slice(start, start + MOST_SHOWN);
  const more = found.length - shown.length;
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
