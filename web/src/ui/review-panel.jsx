// The report of a game.

import { EngineHead, EngineLines, EngineTrouble } from "./lines.jsx";
import { FilePlace } from "./file-games.jsx";
import { Graph } from "./graph.jsx";
import { Moves } from "./moves.jsx";
import { goTo, node, play, tree, usersColor, version } from "../app/game.js";
import { nameOf } from "../chess/ends.js";
import { current, mistakes, nextMistake, outdated, progress, startReview } from "../app/review.js";
import { again, endRetry, nextRetry, retry, showSolution, startRetry } from "../app/retry.js";
import { isRunning } from "../app/play.js";
import { Opening } from "./analyse-panel.jsx";
import { Challenge, Progress, ReviewedBy } from "./review-parts.jsx";
import { Moments, Ring, Turning } from "./moments.jsx";

const ERRORS = /** @type {const} */ ([["inaccuracy", "?!", "Inaccu\u00adracies"], ["mistake", "?", "Mistakes"], ["blunder", "??", "Blunders"]]);

export function ReviewPanel() {
  version.value;
  const noMoves = tree.value.root.children.length === 0;
  if (noMoves) return <p class="quiet">There is no game to review yet. Play one, or paste a PGN.</p>;
  if (isRunning.value && play.value) return <p class="quiet">The game is still being played. Its review comes when it is over.</p>;
  if (retry.value) return <RetryCard />;
  return (
    <div class="panel-review">
      <EngineTrouble />
      <FilePlace />
      <Challenge />
      <Graph />
      <Progress />
      {outdated.value && !progress.value && <p class="quiet">This review is of an older version of the page, which judged by other chances. Review the game again to see its report.</p>}
      {current.value ? <><Turning /><Report /><Moments /></> : !progress.value && <button type="button" class="primary wide" onClick={() => startReview()}>Review this game</button>}
      <Opening />
      <Moves />
      {!progress.value && <><EngineHead /><EngineLines most={1} /></>}
      <ReviewedBy />
    </div>
  );
}

/** @param {"white" | "black"} color */
function playerName(color) {
  const name = tree.value.headers.get(nameOf(color));
  return !name || name === "?" ? nameOf(color) : name;
}

/** @param {{ color: "white" | "black", children: import("preact").ComponentChildren }} props */
function RetryAll({ color, children }) {
  return <button type="button" class={usersColor.value ? "primary" : ""} onClick={() => startRetry(color)}>{children}</button>;
}

function Report() {
  const report = current.value;
  if (!report) return null;
  const { white, black } = report.result;
  const own = usersColor.value;
  const percent = (/** @type {number | null} */ accuracy) => (accuracy === null ? "–" : `${Math.round(accuracy)} %`);
  const count = (/** @type {"white" | "black"} */ color) => mistakes(color).length;
  const go = () => {
    const target = nextMistake();
    if (target) goTo(target);
  };
  return (
    <section class="report" aria-label="Report">
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">Accuracy</th>
            {ERRORS.map(([name, sign, text]) => <th scope="col" key={name}><span class={`glyph ${name}`} aria-hidden="true">{sign}</span><span class="word">{text}</span></th>)}
          </tr>
        </thead>
        <tbody>
          {(/** @type {const} */ ([["white", white], ["black", black]])).map(([color, side]) => (
            <tr key={color}>
              <th scope="row"><span class={`dot ${color}`} /><span class="name">{playerName(color)}</span></th>
              <td class="accuracy"><Ring percent={side.accuracy} /><span>{percent(side.accuracy)}</span></td>
              {ERRORS.map(([name]) => <td key={name}>{side[name]}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="actions">
        {mistakes().length > 0 && <button type="button" class={own ? "" : "primary"} onClick={go}>Next mistake</button>}
        {(/** @type {const} */ (["white", "black"])).filter((color) => own === color && count(color) > 0).map((color) => <RetryAll color={color} key={color}>Retry your mistakes</RetryAll>)}
        {!own && (/** @type {const} */ (["white", "black"])).filter((color) => count(color) > 0).map((color) => <RetryAll color={color} key={color}>Retry {nameOf(color)}'s mistakes</RetryAll>)}
      </div>
    </section>
  );
}

function RetryCard() {
  const state = retry.value;
  if (!state) return null;
  const error = state.errors[state.at];
  const { card } = state;
  const done = state.stage === "good" || state.stage === "shown";
  const played = `${error.moveNumber}${error.mover === "white" ? "." : "…"} ${error.san}`;
  const text = {
    ask: `${played} was not good. Find a better move for ${nameOf(state.color)}.`,
    check: "Checking your move",
    good: `${node.value.san}: Good move.`,
    bad: `${node.value.san}: Not good enough${state.refutation ? ", the arrow shows the answer" : ""}.`,
    shown: `The engine plays ${node.value.san}.`,
  }[state.stage];
  return (
    <section class={`retry ${state.stage}`} aria-label="Retry">
      <h2>{card ? `Position ${card.number} of ${card.count}` : `Mistake ${state.at + 1} of ${state.errors.length}`}</h2>
      {card && <p class="quiet small">{card.title}</p>}
      <EngineTrouble />
      <p>{text}</p>
      {card && done && card.why && <p class="why">{played}: {card.why}</p>}
      <div class="actions">
        {state.stage === "bad" && <button type="button" class="primary" onClick={again}>Try again</button>}
        {state.stage !== "shown" && state.stage !== "good" && <button type="button" onClick={showSolution}>Show the move</button>}
        <button type="button" class={state.stage === "good" || state.stage === "shown" ? "primary" : ""} onClick={() => nextRetry()}>
          {(card ? card.number < card.count : state.at + 1 < state.errors.length) ? "Next" : "Finish"}
        </button>
        <button type="button" onClick={endRetry}>Back to the game</button>
      </div>
      {!card && <p class="quiet">{state.solved} solved</p>}
    </section>
  );
}
