// The report of a whole game, computed here. Each position is searched by itself, with the same number of nodes, so that the
// same game has the same report wherever and whenever it is made.

import { computed, effect, signal, untracked } from "@preact/signals";
import { evalCommand, evalIn, withCommand } from "../chess/comments.js";
import { boardEnd, percentOf } from "../chess/ends.js";
import { lineOf } from "../chess/position.js";
import { uciPosition } from "../chess/tree.js";
import { CURVE, winPercent } from "../review/accuracy.js";
import { judgementsOf, report as judgeAll, withJudgement } from "../review/judge.js";
import { why } from "../review/why.js";
import { engineAlive, engineName, queue, repeatable, REVIEW_NODES } from "./engine.js";
import { changed, node, play, review, tree, version } from "./game.js";
import { announce } from "./notices.js";
import { isNamed, loadOpenings } from "./openings.js";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */
/** @typedef {import("../engine-queue/uci.js").Line} Line */
/** @typedef {import("../review/judge.js").Judgement} Judgement */
/** @typedef {Line | null} Found the engine's line in a position; null where the game is over */
/** @typedef {{ nodes: GameNode[], percents: number[], best: string[], result: ReturnType<typeof judgeAll> }} Report `nodes` from the
 *   start on, White's win percent in each, and the engine's move there, "" if there is none */

/** Half moves of the best line that become a variation. */
const LINE_LENGTH = 8;

export const progress = signal(/** @type {{ done: number, total: number } | null} */ (null));
export const reviewing = computed(() => progress.value !== null);
let run = 0;

/** The positions of the game itself: moves that analysis added after its end do not count. @returns {GameNode[]} */
export function gameNodes() {
  version.value;
  const moves = play.value?.moves;
  if (!moves) return tree.value.root.mainline();
  const end = tree.value.find(moves);
  return [tree.value.root, ...end.path()];
}

/** The report of the game on the page, made from what is kept of it. */
export const current = computed(() => {
  const kept = review.value;
  const nodes = gameNodes();
  // A move may have been taken out, or another one have taken its place.
  const isOfGame = kept && kept.curve === CURVE && kept.percents.length === nodes.length && (!kept.line || nodes.slice(1).every(({ uci }, at) => uci === kept.line?.[at]));
  return isOfGame ? { ...kept, nodes, result: judgeAll(kept.moves) } : null;
});

/** The game was reviewed by an older version, whose chances are none of now: its signs stay, its report is made anew. */
export const outdated = computed(() => review.value !== null && review.value.curve !== CURVE);

/** White's win percent along the game, for the graph: from the report, from the engine, or as read from the PGN. */
export const curve = computed(() => {
  version.value;
  progress.value;
  const known = current.value;
  const nodes = gameNodes();
  return nodes.map((at, index) => {
    return known ? known.percents[index] : knownPercent(at, index === nodes.length - 1);
  });
});

/** @param {GameNode} at @param {boolean} isLast the game ends here @returns {number | null} */
function knownPercent(at, isLast) {
  // Where it went on after a repetition or fifty moves, it was no end. And asking every position of a long game takes long.
  const end = isLast ? boardEnd(at) : null;
  if (end) return percentOf(end.result);
  const line = at.analysis?.lines[0];
  if (line) return winPercent(line.score, at.turn);
  const read = evalIn(at.comments);
  return read && winPercent(read, "white");
}

export function cancelReview() {
  run++;
  progress.value = null;
  queue.stop();
}

/** Reviews the game on the page. @param {keyof typeof REVIEW_NODES} [kind] */
export async function startReview(kind = "usual") {
  const mine = ++run;
  const game = tree.value;
  const nodes = gameNodes();
  if (nodes.length < 2) return;
  const budget = REVIEW_NODES[kind];
  const goesOn = () => mine === run && tree.value === game && engineAlive.value;
  progress.value = { done: 0, total: nodes.length };
  const names = loadOpenings();
  /** @type {Found[]} */
  const found = [];
  for (const [at, position] of nodes.entries()) {
    const isLast = at === nodes.length - 1;
    found.push(isLast && boardEnd(position) ? null : await searchPosition(position, budget, goesOn));
    if (!goesOn()) break;
    progress.value = { done: at + 1, total: nodes.length };
  }
  await names;
  if (mine !== run) return;
  progress.value = null;
  if (goesOn()) conclude(nodes, found, { engine: engineName(), nodes: budget });
}

/** Another game on the page ends the review of the one before. */
export function watchGame() {
  effect(() => {
    tree.value;
    if (untracked(() => reviewing.value)) untracked(cancelReview);
  });
}

/**
 * What the engine finds in a position. A search that something else breaks off is asked again from its start.
 * @param {GameNode} at @param {number} budget nodes @param {() => boolean} goesOn @returns {Promise<Found>}
 */
async function searchPosition(at, budget, goesOn) {
  while (goesOn()) {
    const { lines: [line], stopped } = await queue.search(repeatable(uciPosition(at), budget)).answer;
    if (stopped) continue;
    if (line && (!at.analysis || at.analysis.depth <= line.depth)) at.analysis = { lines: [line], depth: line.depth };
    return line ?? null;
  }
  return null;
}

/** Writes the report into the tree. @param {GameNode[]} nodes @param {Found[]} found @param {import("../review/judge.js").ReviewedBy} by */
function conclude(nodes, found, by) {
  const percents = nodes.map((at, index) => {
    const line = found[index];
    return line ? winPercent(line.score, at.turn) : (knownPercent(at, index === nodes.length - 1) ?? 50);
  });
  const best = found.map((line) => line?.pv[0] ?? "");
  // On the way to a named position, moves are known too, though not every one of them has a name.
  const lastNamed = nodes.findLastIndex(isNamed);
  const moves = nodes.slice(1).map((at, index) => {
    const before = nodes[index];
    const legal = [...before.position.allDests().values()].reduce((sum, dests) => sum + dests.size(), 0);
    const played = best[index] === at.uci;
    return { mover: at.mover, before: percents[index], after: percents[index + 1], book: index < lastNamed, only: legal === 1, best: played };
  });
  const { judgements } = judgeAll(moves);
  const before = review.value ? judgementsOf(review.value) : [];
  nodes.forEach((at, index) => annotate(at, found[index], judgements[index - 1] ?? "", before[index - 1] ?? ""));
  nodes.slice(0, -1).forEach((at, index) => judgements[index] && addBestLine(at, found[index]));
  nameReviewer(tree.value, by);
  const words = nodes.map((at, index) => (judgements[index - 1] ? whyBad(nodes[index - 1], at, found[index - 1], found[index]) : ""));
  review.value = { curve: CURVE, percents, moves, best, why: words, by, line: nodes.slice(1).map(({ uci }) => uci) };
  changed();
  announce(`Review ready. ${summary("white")} ${summary("black")}`);
}

/** Why a move is bad, in words. @param {GameNode} from @param {GameNode} at @param {Found} best @param {Found} reply what was found in both */
function whyBad(from, at, best, reply) {
  return why({ position: from.position, move: at.uci, best: best?.pv ?? [], reply: reply?.pv ?? [], score: best?.score, replyScore: reply?.score });
}

/**
 * Writes the engine's score to a node, and the sign of its move in place of that of the review before.
 * @param {GameNode} at @param {Found} line @param {Judgement | ""} judgement @param {Judgement | ""} before
 */
function annotate(at, line, judgement, before) {
  if (line) {
    const sign = at.turn === "white" ? 1 : -1;
    const score = "cp" in line.score ? { cp: sign * line.score.cp } : { mate: sign * line.score.mate };
    if (at.parent) at.comments = withCommand(at.comments, evalCommand(score));
  }
  at.nags = withJudgement(at.nags, judgement, before);
}

/** Who made the report, for people. @param {import("../review/judge.js").ReviewedBy} by */
export const reviewer = ({ engine, nodes }) => `${engine}, ${nodes.toLocaleString("en")} nodes a position`;

/**
 * Names the reviewer in PGN's tag for who annotated a game: one report replaces the one before, and people stay.
 * @param {import("../chess/tree.js").Tree} game @param {import("../review/judge.js").ReviewedBy} by
 */
export function nameReviewer({ headers }, by) {
  const others = (headers.get("Annotator") ?? "").split("; ").filter((name) => name && name !== "?" && !name.endsWith(" nodes a position"));
  headers.set("Annotator", [...others, reviewer(by)].join("; "));
}

/** The engine's line as a variation, unless its first move is in the tree. @param {GameNode} from @param {Found} line */
function addBestLine(from, line) {
  const pv = line?.pv ?? [];
  if (pv.length === 0 || from.children.some((child) => child.uci === pv[0])) return;
  let at = from;
  for (const { uci } of lineOf(from.position, pv, LINE_LENGTH)) at = at.play(uci) ?? at;
}

/** The report of a side in a sentence. @param {"white" | "black"} color */
export function summary(color) {
  const side = current.value?.result[color];
  if (!side) return "";
  const accuracy = side.accuracy === null ? "" : ` accuracy ${Math.round(side.accuracy)} %,`;
  return `${color === "white" ? "White" : "Black"}:${accuracy} ${side.inaccuracy} inaccuracies, ${side.mistake} mistakes, ${side.blunder} blunders.`;
}

/** The errors of a side, or of both. @param {"white" | "black"} [color] @returns {GameNode[]} */
export function mistakes(color) {
  const known = current.value;
  if (!known) return [];
  return known.nodes.filter((at, index) => index > 0 && known.result.judgements[index - 1] && (!color || at.mover === color));
}

/** The moves with a sign as they are told: what they cost of the mover's chances, what was better, and why. */
export const moments = computed(() => {
  const known = current.value;
  if (!known) return [];
  return known.nodes.flatMap((at, index) => {
    const judgement = index > 0 ? known.result.judgements[index - 1] : "";
    if (!judgement) return [];
    const own = (/** @type {number} */ percent) => Math.round(at.mover === "white" ? percent : 100 - percent);
    return [{ at, judgement, before: own(known.percents[index - 1]), after: own(known.percents[index]), best: known.best[index - 1], white: known.percents[index - 1], why: known.why?.[index] ?? "" }];
  });
});

/** The next move with a sign after the one on the board, from the start again at the end. */
export function nextMistake() {
  const all = mistakes();
  const ply = node.value.ply;
  return all.find((at) => at.ply > ply) ?? all[0] ?? null;
}
