// The panel in a game: what to do, offers, and the end.

import { EngineTrouble } from "./lines.jsx";
import { engineState, levels } from "../app/engine.js";
import { gameId, mode, node, play, usersColor } from "../app/game.js";
import { askHint, hint, isRunning, lastSearch, mayAskHint, mayTakeBack, offerDraw, rematch, resign, status, takeBack, tip } from "../app/play.js";
import { progress, startReview, current } from "../app/review.js";
import { ratedHere, rivalLevel } from "../app/rival.js";
import { dialog } from "../app/notices.js";
import { scoreText } from "../app/analysis.js";
import { pointsOf, resultText } from "../chess/ends.js";
import { lineOf } from "../chess/position.js";
import { change, settings } from "../store/settings.js";
import { Icon } from "./icons.jsx";
import { Moves } from "./moves.jsx";
import { isFirst, Start } from "./start.jsx";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** Levels are changed in such steps, in Elo. */
const STEP = 100;
/** Milliseconds within which two presses are one. */
const DOUBLE_CLICK = 500;

export function PlayPanel() {
  if (!play.value) {
    return (
      <div class="panel-play">
        <p class="quiet">This game is not being played against Sleight.</p>
        <button type="button" class="primary wide" onClick={() => (dialog.value = "new")}><Icon name="plus" /> New game</button>
        <Moves />
      </div>
    );
  }
  return (
    <div class="panel-play">
      <EngineTrouble />
      {isFirst() ? <Start /> : isRunning.value ? <Actions key={gameId.value} /> : <EndCard />}
      <SoundOffer />
      {settings.value.spoilers && <LastThoughts />}
      {!isFirst() && <Moves />}
    </div>
  );
}

/** Progress of loading, under the board. */
export function Loading() {
  const state = engineState.value;
  if (state.phase !== "loading") return null;
  const percent = Math.round(100 * state.fraction);
  return (
    <div class="loading">
      <progress max={100} value={percent} aria-label="Loading the engine" />
      <span>Loading engine {percent} %</span>
    </div>
  );
}

export function Status() {
  if (!play.value || (mode.value !== "play" && (play.value.end || !status.value))) return null;
  const away = mode.value === "play" && node.value !== tip.value && isRunning.value;
  return <p class="status">{away ? "Looking back. End returns to the game" : status.value}</p>;
}

function Actions() {
  const record = play.value;
  const sure = useSignal("");
  const begun = (record?.moves.length ?? 0) > 0;
  const pressed = useRef(-DOUBLE_CLICK);
  /** Asks first. @param {string} what @param {() => void} run @param {MouseEvent} event */
  const ask = (what, run, event) => {
    // Neither a double click nor a key that is held is an answer to the question.
    const again = event.detail > 1 || event.timeStamp - pressed.current < DOUBLE_CLICK;
    pressed.current = event.timeStamp;
    const asked = sure.value === what;
    if (again && asked) return;
    if (asked) run();
    sure.value = asked ? "" : what;
    if (!asked) setTimeout(() => (sure.value = ""), 4000);
  };
  const draw = (/** @type {MouseEvent} */ event) => (record?.both ? ask("draw", offerDraw, event) : offerDraw());
  return (
    <div class="play-actions" role="group" aria-label="Game">
      <button type="button" onClick={takeBack} disabled={!mayTakeBack.value}><Icon name="undo" /> Takeback</button>
      <button type="button" onClick={() => void askHint()} disabled={!mayAskHint.value}><Icon name="hint" /> {hint.value ? "Show move" : "Hint"}</button>
      <button type="button" class={sure.value === "draw" ? "danger" : ""} onClick={draw} disabled={!begun}><Icon name="draw" /> {sure.value === "draw" ? "Agreed?" : "Draw"}</button>
      <button type="button" class={sure.value === "resign" ? "danger" : ""} onClick={(event) => ask("resign", resign, event)} disabled={!begun}><Icon name="flag" /> {sure.value === "resign" ? "Sure?" : "Resign"}</button>
    </div>
  );
}

/** Sounds are offered once, from the first move of a game on. */
function SoundOffer() {
  if (settings.value.soundAsked || !isRunning.value || !play.value?.moves.length) return null;
  const answer = (/** @type {boolean} */ sound) => change({ sound, soundAsked: true });
  return (
    <div class="sound-offer" role="group" aria-label="Sounds">
      <span class="quiet">Moves can be heard.</span>
      <button type="button" onClick={() => answer(true)}>Sounds on</button>
      <button type="button" onClick={() => answer(false)}>No, thanks</button>
    </div>
  );
}

/** @param {"white" | "black"} color */
const accuracyOf = (color) => {
  const accuracy = current.value?.result[color].accuracy;
  return accuracy === null || accuracy === undefined ? "" : `${Math.round(accuracy)} %`;
};

/** @param {{ level: number | null, step: number }} props */
function RematchAt({ level, step }) {
  const { min, max } = levels.value;
  if (level === null || level + step < min || level + step > max) return null;
  return <button type="button" title={`Rematch at level ${level + step}`} onClick={() => rematch({ level: level + step })}><span class="hidden">Rematch at level </span>{step < 0 ? "▼" : "▲"} {level + step}</button>;
}

function EndCard() {
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  // On a phone it lies below the board.
  useEffect(() => card.current?.scrollIntoView({ block: "nearest" }), []);
  const record = play.value;
  if (!record?.end) return null;
  const own = usersColor.value;
  const { result } = record.end;
  const points = pointsOf(result, own ?? "white");
  // Where two people play, one of them has won.
  const outcome = points === 0.5 ? "drawn" : own && points === 0 ? "lost" : "won";
  const text = points === 0.5 ? "Draw" : own ? `You ${outcome}` : `${points === 1 ? "White" : "Black"} won`;
  const reviewing = progress.value;
  return (
    <section ref={card} class={`end-card ${outcome}`} aria-label="End of the game">
      <h2>{text} <span>{resultText(result)}</span></h2>
      <p>{record.end.reason[0].toUpperCase() + record.end.reason.slice(1)}.</p>
      {own && <p class="quiet">Your accuracy: {accuracyOf(own) || (reviewing ? `reviewing ${reviewing.done} of ${reviewing.total}` : "not reviewed yet")}</p>}
      {ratedHere.value && <p>Your rating: {Math.round(ratedHere.value.before)} → <strong>{Math.round(ratedHere.value.after)}</strong>. <button type="button" class="link" onClick={() => (dialog.value = "rival")}>History</button></p>}
      <div class="actions">
        <button type="button" class="primary" onClick={() => { mode.value = "review"; if (!current.value && !reviewing) startReview(); }}>Review</button>
        <button type="button" onClick={() => rematch(record.rival ? { rival: true, level: rivalLevel.value } : {})}>Rematch</button>
        {own && !record.rival && [-STEP, STEP].map((step) => <RematchAt level={record.level} step={step} key={step} />)}
        <button type="button" class="new" onClick={() => (dialog.value = "new")}>New game</button>
      </div>
    </section>
  );
}

/** What the engine thought of its last move, if the user wants to know. */
function LastThoughts() {
  const search = lastSearch.value;
  const line = search?.lines[0];
  if (!search || !line || search.node !== tip.value?.parent) return null;
  const moves = lineOf(search.node.position, line.pv, 8);
  return (
    <p class="thoughts"><strong>{scoreText(line.score, search.node.turn)}</strong> {moves.map(({ number, san }) => `${number} ${san}`).join(" ")}</p>
  );
}

