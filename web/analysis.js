// The lines, score and chances of a search, live.

const element = (id) => document.getElementById(id);

/** The fields of an `info` line with a score; null for other lines. */
export function parseInfo(line) {
  const score = /^info .* score (cp|mate) (-?\d+)/.exec(line);
  if (!score) return null;
  const number = (name) => Number(new RegExp(` ${name} (\\d+)`).exec(line)?.[1] ?? 0);
  return {
    kind: score[1],
    value: Number(score[2]),
    depth: number("depth"),
    index: number("multipv"),
    nodes: number("nodes"),
    nps: number("nps"),
    wdl: / wdl (\d+) (\d+) (\d+)/.exec(line)?.slice(1).map(Number),
    pv: / pv (.*)$/.exec(line)?.[1].split(" ") ?? [],
  };
}

/** A score from White's side. */
export function scoreText({ kind, value }, turn) {
  const white = turn === "white" ? value : -value;
  if (kind === "mate") return `${value === 0 && turn === "white" ? "-" : white < 0 ? "-" : ""}#${Math.abs(white)}`;
  return `${white > 0 ? "+" : ""}${(white / 100).toFixed(2)}`;
}

export function clearAnalysis() {
  element("pvs").replaceChildren();
  element("speed").textContent = "";
}

export function showInfo(info, game) {
  const items = element("pvs").children;
  while (items.length < info.index) element("pvs").append(document.createElement("li"));
  const score = document.createElement("strong");
  score.textContent = scoreText(info, game.turn);
  items[info.index - 1].replaceChildren(score, ` ${game.line(info.pv)}`);
  if (info.index > 1) return;
  element("speed").textContent = `depth ${info.depth}, ${Math.round(info.nps / 1000)} kN/s`;
  if (info.wdl) showChances(game.turn === "white" ? info.wdl : info.wdl.toReversed());
}

/** The chances of White, a draw and Black, in permille. */
function showChances(chances) {
  [...element("chances").children].forEach((part, at) => (part.style.width = `${chances[at] / 10}%`));
  element("chances").title = chances.map((chance) => `${(chance / 10).toFixed(1)} %`).join(", ");
}
