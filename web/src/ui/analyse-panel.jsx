// The panel of analysis: engine, opening, moves, and the graph.

import { EngineHead, EngineLines, EngineTrouble } from "./lines.jsx";
import { FilePlace } from "./file-games.jsx";
import { Graph } from "./graph.jsx";
import { Moves } from "./moves.jsx";
import { reviewing } from "../app/review.js";
import { Progress } from "./review-parts.jsx";
import { node, version } from "../app/game.js";
import { openingOf } from "../app/openings.js";

export function Opening() {
  version.value;
  const opening = openingOf(node.value);
  if (!opening) return null;
  const [code, ...name] = opening.split(" ");
  return <p class="opening"><span>{code}</span> {name.join(" ")}</p>;
}

export function AnalysePanel() {
  return (
    <div class="panel-analyse">
      <EngineTrouble />
      <FilePlace />
      <EngineHead />
      {reviewing.value ? <><p class="quiet busy">The engine reviews the game. It analyses this position after that.</p><Progress /></> : <EngineLines />}
      <Opening />
      <Moves />
      <Graph />
    </div>
  );
}
