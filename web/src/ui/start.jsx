// The first screen: what this is, the choice of a game, and what one has played and may repeat.

import { useSignal } from "@preact/signals";
import { INITIAL_FEN } from "chessops/fen";
import { useEffect } from "preact/hooks";
import { chosenGame } from "../app/choice.js";
import { deckSize, due, startDeck } from "../app/deck.js";
import { play, tree } from "../app/game.js";
import { dialog } from "../app/notices.js";
import { isRunning, newGame, started } from "../app/play.js";
import { rivalLevel } from "../app/rival.js";
import { listGames } from "../store/games.js";
import { change, settings } from "../store/settings.js";
import { Choice } from "./dialog.jsx";
import { DAY, details, showGame } from "./games-dialog.jsx";
import { CLOCKS, COLORS } from "./new-game.jsx";

const LEVELS = [800, 1200, 1500, 2000];
const FULL = "full";
const RIVAL = "rival";
const LAST_GAMES = 3;

/** True before the first move of a game that nobody has begun. */
export const isFirst = () => isRunning.value && play.value?.moves.length === 0 && !started.value && tree.value.isStandard;

/** The game on the board as it is chosen. @param {"white" | "black"} color @param {boolean} quiet */
function begin(color, quiet) {
  newGame({ ...chosenGame(), color, fen: INITIAL_FEN }, { quiet });
}

/** The user's choice, and the game on the board, which a move begins with White, follows it. @param {Partial<import("../store/settings.js").Settings>} changes */
function choose(changes) {
  change(changes);
  begin("white", true);
}

export function Start() {
  const { color, level, full, clock, opponent } = settings.value;
  const games = useSignal(/** @type {import("../store/games.js").Summary[]} */ ([]));
  const isKnown = useSignal(false);
  useEffect(() => void listGames().then((list) => (games.value = list.slice(0, LAST_GAMES)), () => {}).then(() => (isKnown.value = true)), []);
  const levels = [...new Set([...LEVELS, level])].sort((a, b) => a - b).map((elo) => /** @type {[string, string]} */ ([String(elo), String(elo)]));
  const chooseLevel = (/** @type {string} */ value) => {
    if (value === RIVAL) choose({ opponent: "rival" });
    else choose({ opponent: "sleight", full: value === FULL, ...(value !== FULL && { level: Number(value) }) });
  };
  const go = () => {
    begin(color === "random" ? (Math.random() < 0.5 ? "white" : "black") : color, false);
    document.getElementById("square-e2")?.focus({ preventScroll: true });
  };
  return (
    <section class="start" aria-label="Start">
      <h2 class="wordmark">Sleight</h2>
      {games.value.length === 0 && <p>Play, and see where it went wrong. On your computer, nowhere else.</p>}
      {due.value.length > 0 && <button type="button" class="wide due" onClick={() => void startDeck()}>Repeat your mistakes: {due.value.length} due</button>}
      <Choice name="start-level" label="Level, in Elo" value={opponent === "rival" ? RIVAL : full ? FULL : String(level)} options={[...levels, [FULL, "Full strength"], [RIVAL, `Rival ${rivalLevel.value}`]]} onChange={chooseLevel} />
      <Choice name="start-color" label="You play" value={color} options={COLORS} onChange={(value) => change({ color: value })} />
      <Choice name="start-clock" label="Clock" value={clock} options={/** @type {any} */ (CLOCKS.filter(([value]) => value !== "custom" || clock === "custom"))} onChange={(value) => choose({ clock: String(value) })} />
      <button type="button" class="primary wide" onClick={go}>Play</button>
      {deckSize.value > 0 && due.value.length === 0 && <p class="quiet small">No mistake to repeat today.</p>}
      <button type="button" class="wide" onClick={() => (dialog.value = "load")}>Load a game <span class="quiet">or paste or drop it anywhere</span></button>
      {isKnown.value && games.value.length === 0 && (
        <ul class="promises">
          <li>Each game is reviewed: where it turned, and in words why.</li>
          <li>Your mistakes come back, a few each day, until you know them.</li>
          <li>A rival at your own rating goes up and down with you.</li>
        </ul>
      )}
      {games.value.length > 0 && (
        <>
          <h3>Last games</h3>
          <ul class="game-list">
            {games.value.map((game) => <li key={game.id}><button type="button" class="game" onClick={() => showGame(game.id)}><span>{game.title}</span><small>{details(game, DAY)}</small></button></li>)}
          </ul>
        </>
      )}
    </section>
  );
}
