// The order of things when the page is opened: the board, then the game of last time, the engine, the service worker.

import { render } from "preact";
import { effect } from "@preact/signals";
import { startAnalysis } from "./app/analysis.js";
import { openReview } from "./app/challenge.js";
import { chosenGame } from "./app/choice.js";
import { watchMistakes } from "./app/deck.js";
import { queue } from "./app/engine.js";
import { gameId, mode, opened, openStored, play } from "./app/game.js";
import { listenForKeys } from "./app/keys.js";
import { listenForGames, loadText } from "./app/load.js";
import { toast } from "./app/notices.js";
import { workOffline } from "./app/offline.js";
import { loadOpenings } from "./app/openings.js";
import { finished, newGame, startPlaying, status } from "./app/play.js";
import { watchRival } from "./app/rival.js";
import { current as reviewed, startReview, watchGame } from "./app/review.js";
import { lastGame, loadGame } from "./store/games.js";
import { change, settings } from "./store/settings.js";
import { readHash } from "./store/share.js";
import { App } from "./ui/app.jsx";
import { keepFocus } from "./ui/focus.js";
import { INITIAL_FEN } from "chessops/fen";

/** Milliseconds that the browser's storage has for the game of last time. */
const STORAGE_TIME = 3000;

/** The game of the address, of this tab, or the newest one; else a new one. */
async function firstGame() {
  if (await openAddress()) return;
  const late = new Promise((done) => setTimeout(done, STORAGE_TIME));
  const kept = await Promise.race([rivalKnown.then(() => lastGame().catch(() => undefined)), late]);
  if (kept && openStored(kept, "replace")) return;
  // Two people begin their game themselves.
  if (settings.value.opponent === "both") change({ opponent: "sleight" });
  newGame({ ...chosenGame(), color: "white", fen: INITIAL_FEN }, { quiet: true });
}

/** @returns {Promise<boolean>} whether the address named a game */
async function openAddress() {
  const { hash } = location;
  if (!hash) return false;
  // The browser has made an entry in its history for the link. It becomes that of the game: Back must not open the link again.
  history.replaceState({ id: gameId.value }, "", location.pathname + location.search);
  if (hash.startsWith("#review=")) {
    const problem = await openReview(hash);
    if (problem) toast(problem, "Close", () => {});
    return !problem;
  }
  const [text, tooLong] = await readHash(hash).then((read) => [read, ""], (error) => [null, error.message]);
  const problem = text === null ? tooLong : await loadText(text, "replace");
  if (text === null || problem) {
    if (/^#(fen|pgn)=/.test(hash)) toast(problem || "The link is damaged.", "Close", () => {});
    return false;
  }
  return true;
}

effect(() => {
  const { theme, board, pieces } = settings.value;
  Object.assign(document.documentElement.dataset, { theme, board, pieces });
});

effect(() => {
  document.title = mode.value === "play" && status.value ? `${status.value} · Sleight` : "Sleight";
});

effect(() => {
  if (mode.value !== "play" || play.value?.end) loadOpenings();
});

// A review begins by itself when a game is over; a new game ends it.
effect(() => {
  if (finished.value > 0) setTimeout(() => play.value?.end && !reviewed.value && startReview(), 500);
});

const rivalKnown = watchRival();
const root = /** @type {HTMLElement} */ (document.getElementById("app"));
root.replaceChildren();
render(<App />, root);
await firstGame();
startPlaying();
startAnalysis();
watchGame();
keepFocus();
watchMistakes();
listenForKeys();
listenForGames();
addEventListener("hashchange", openAddress);
addEventListener("popstate", async ({ state }) => {
  if (!state?.id || state.id === gameId.value) return;
  const game = opened.get(state.id) ?? (await loadGame(state.id).catch(() => undefined));
  // Another step may have come meanwhile.
  if (game && history.state?.id === state.id) openStored(game, "keep");
});
document.documentElement.dataset.ready = "";
await queue.start();
workOffline();
