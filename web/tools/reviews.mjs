// Reviews the games of a PGN as the page does, with the page's engine in Node.js, and prints each move with a sign: what is
// said of it, and both lines of the engine, so that the words can be checked. Then counts, times and nodes.
//
// usage: node web/tools/reviews.mjs games.pgn [nodes a position] [signs after which it ends]     after `make web-engine`

import { readFileSync } from "node:fs";
import { TestEngine } from "../engine/testing.mjs";
import { openings } from "../openings.mjs";
import { readOpenings } from "../src/app/openings.js";
import { boardEnd, percentOf } from "../src/chess/ends.js";
import { readGame, splitGames } from "../src/chess/pgn-read.js";
import { lineOf, repetitionKey } from "../src/chess/position.js";
import { uciPosition } from "../src/chess/tree.js";
import { parseInfo } from "../src/engine-queue/uci.js";
import { winPercent } from "../src/review/accuracy.js";
import { report } from "../src/review/judge.js";
import { why } from "../src/review/why.js";

/** Half moves of a line that are printed. */
const SHOWN = 12;

const [file, budget = "100000", most = "Infinity"] = process.argv.slice(2);
const names = readOpenings(openings());
const engine = await TestEngine.start({ threaded: true });
await engine.ask(/^uciok/, "uci");
engine.send(...["UCI_ShowWDL value true", "UCI_Chess960 value true", "Threads value 1", "Hash value 16"].map((option) => `setoption name ${option}`));

/** The engine's line in a position, and its nodes. */
async function search(at) {
  engine.lines.length = 0;
  await engine.ask(/^bestmove/, "ucinewgame", `position ${uciPosition(at)}`, `go nodes ${budget}`);
  const infos = engine.lines.map(parseInfo).filter((line) => line?.index === 0);
  return infos.findLast((line) => !line.bound) ?? infos.at(-1);
}

const total = { games: 0, positions: 0, nodes: 0, seconds: 0, signs: 0, words: 0 };
const moves = (at, pv) => lineOf(at.position, pv, SHOWN).map(({ number, san }) => number + san).join(" ");
const score = (line) => (line ? Object.entries(line.score)[0].join(" ") : "over");

for (const raw of splitGames(readFileSync(file, "utf8"))) {
  if (total.signs >= Number(most)) break;
  const { tree } = readGame(raw);
  const nodes = tree.root.mainline();
  const started = performance.now();
  const found = [];
  for (const at of nodes) found.push(boardEnd(at) && at === nodes.at(-1) ? null : await search(at));
  total.seconds += (performance.now() - started) / 1000;
  total.games++;
  total.positions += nodes.length;
  total.nodes += found.reduce((sum, line) => sum + (line?.nodes ?? 0), 0);
  const percents = nodes.map((at, index) => (found[index] ? winPercent(found[index].score, at.turn) : percentOf(boardEnd(at).result)));
  const lastNamed = nodes.findLastIndex((at) => names.has(repetitionKey(at.fen)));
  const judged = nodes.slice(1).map((at, index) => {
    const legal = [...nodes[index].position.allDests().values()].reduce((sum, dests) => sum + dests.size(), 0);
    return { mover: at.mover, before: percents[index], after: percents[index + 1], book: index < lastNamed, only: legal === 1, best: found[index].pv[0] === at.uci };
  });
  report(judged).judgements.forEach((judgement, index) => {
    if (!judgement) return;
    const [from, at, best, reply] = [nodes[index], nodes[index + 1], found[index], found[index + 1]];
    const words = why({ position: from.position, move: at.uci, best: best.pv, reply: reply?.pv ?? [], score: best.score, replyScore: reply?.score });
    total.signs++;
    if (words) total.words++;
    console.log(`${words ? `#${total.words} ${words}` : "-"}\n   ${from.fen}\n   ${at.san} ${judgement}, White ${percents[index].toFixed(0)} % to ${percents[index + 1].toFixed(0)} %`);
    console.log(`   best  ${score(best)}: ${moves(from, best.pv)}\n   reply ${score(reply)}: ${reply ? moves(at, reply.pv) : ""}`);
  });
}
engine.terminate();
console.log(JSON.stringify(total));
