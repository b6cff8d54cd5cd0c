// The rival: its level, the results, and how they moved one's rating.

import { useSignal } from "@preact/signals";
import { beginRival, rating, rival, rivalLevel } from "../app/rival.js";
import { dialog } from "../app/notices.js";
import { change, settings } from "../store/settings.js";
import { Dialog } from "./dialog.jsx";
import { LevelChoice, withinLevels } from "./level.jsx";

const WIDTH = 600;
const HEIGHT = 120;

/** @param {{ ratings: number[] }} props the first is that before all games */
function History({ ratings }) {
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const x = (/** @type {number} */ at) => ((WIDTH * at) / (ratings.length - 1)).toFixed(1);
  const y = (/** @type {number} */ value) => (HEIGHT - 8 - ((HEIGHT - 16) * (value - low)) / Math.max(1, high - low)).toFixed(1);
  const text = `Your rating: ${Math.round(ratings[0])} at first, ${Math.round(ratings[ratings.length - 1])} after ${ratings.length - 1} games`;
  return (
    <figure class="history">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={text}><path d={`M${ratings.map((value, at) => `${x(at)},${y(value)}`).join("L")}`} /></svg>
      <figcaption class="quiet small">{text}. Lowest {Math.round(low)}, highest {Math.round(high)}.</figcaption>
    </figure>
  );
}

export function RivalDialog() {
  const { start = 0, games = [] } = rival.value ?? {};
  const level = useSignal(settings.value.level);
  const count = (/** @type {number} */ score) => games.filter((game) => game.score === score).length;
  const play = () => {
    change({ opponent: "rival" });
    dialog.value = "new";
  };
  return (
    <Dialog title="Rival">
      <p>Your rival plays at your own rating, which each result moves: now at <strong>{rivalLevel.value}</strong>.</p>
      {games.length > 0 && <p>{games.length === 1 ? "1 game" : `${games.length} games`}: {count(1)} won, {count(0.5)} drawn, {count(0)} lost.</p>}
      {games.length > 0 && <History ratings={[start, ...games.map((game) => game.rating)]} />}
      <div class="actions"><button type="button" class="primary" onClick={play}>Play the rival</button></div>
      <p class="quiet small">Without takebacks and hints. Your rating: {Math.round(rating.value)}.</p>
      <fieldset class="begin">
        <legend>{games.length > 0 ? "Begin anew at another level" : "Begin at another level"}</legend>
        <LevelChoice level={level.value} onChange={(changes) => (level.value = changes.level ?? level.value)} />
        <div class="actions"><button type="button" onClick={() => void beginRival(withinLevels(level.value))}>{games.length > 0 ? "Forget the results and begin" : "Begin"} at {withinLevels(level.value)}</button></div>
      </fieldset>
      <details class="quiet small">
        <summary>How a result moves the rating</summary>
        <p>By Elo's rule: you expect 1 / (1 + 10^((level − rating) / 400)) points, and each point more or less moves the rating by K = 40, after 30 games by 20, as FIDE has it.</p>
      </details>
    </Dialog>
  );
}
