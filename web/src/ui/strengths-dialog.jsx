// Strengths by color, phase and opening, from the reviews of own games.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { strengths } from "../review/strengths.js";
import { listGames } from "../store/games.js";
import { Dialog } from "./dialog.jsx";

/** @param {{ title: string, rows: import("../review/strengths.js").Row[] }} props */
function Table({ title, rows }) {
  if (rows.length === 0) return null;
  return (
    <table class="strengths">
      <thead><tr><th scope="col">{title}</th><th scope="col">Games</th><th scope="col">Accuracy</th><th scope="col">Mistakes a game</th></tr></thead>
      <tbody>
        {rows.map(({ name, games, accuracy, errors }) => (
          <tr key={name}><th scope="row">{name}</th><td>{games}</td><td>{accuracy === null ? "–" : `${Math.round(accuracy)} %`}</td><td>{games > 0 ? errors.toFixed(1) : "–"}</td></tr>
        ))}
      </tbody>
    </table>
  );
}

export function StrengthsDialog() {
  const games = useSignal(/** @type {import("../store/games.js").Summary[]} */ ([]));
  useEffect(() => void listGames().then((list) => (games.value = list), () => {}), []);
  const { all, colors, phases, openings } = strengths(games.value);
  return (
    <Dialog title="Strengths">
      {all.games === 0 ? <p class="quiet">Play games against Sleight and have them reviewed: what you do well and badly is shown here.</p> : (
        <>
          <Table title="Color" rows={[all, ...colors]} />
          <Table title="Phase" rows={phases} />
          <Table title="Opening" rows={openings} />
          <p class="quiet small">From the reviews of your own games. Accuracy is the mean of your moves; mistakes and blunders are counted.</p>
        </>
      )}
    </Dialog>
  );
}
