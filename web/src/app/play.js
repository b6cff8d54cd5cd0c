// A game against the engine: whose turn it is, clocks, offers, and the end.

import { computed, effect, signal, untracked } from "@preact/signals";
import { clockCommand, withCommand } from "../chess/comments.js";
import { boardEnd, endFor, nameOf, opposite, resultText, timeEnd } from "../chess/ends.js";
import { dateTag } from "../chess/pgn-write.js";
import { putFirst, remove, Tree, uciPosition } from "../chess/tree.js";
import { acceptsDraw } from "../review/judge.js";
import { announceMove } from "./announce.js";
import { Clock } from "./clock.js";
import { engineAlive, engineState, FULL_STRENGTH, queue } from "./engine.js";
import { note } from "../store/games.js";
import { changed, gameSignal, goTo, mode, node, onLeave, open, play, orientation, stored, tree, version } from "./game.js";
import { announce, dialog, toast } from "./notices.js";
import { thinkingTime } from "./pace.js";
import { tick } from "./sound.js";

/** @typedef {import("../chess/tree.js").GameNode} GameNode */
/** @typedef {import("../chess/ends.js").End} End */
/** @typedef {"white" | "black"} Color */
/** @typedef {import("../store/games.js").PlayRecord} PlayRecord */
/** @typedef {{ color: Color, level: number | null, clock: PlayRecord["clock"], fen: string, variant?: string }
 *   & Pick<PlayRecord, "both" | "turning" | "takebacks" | "seconds" | "rival">} GameChoice */

let clock = new Clock({ white: 0, black: 0 }, 0);
/** Changes ten times a second while a clock runs. */
export const clockTimes = signal({ white: 0, black: 0 });
/** The score and line of the engine's last move, for those who want to see them. */
export const lastSearch = gameSignal(/** @type {{ node: GameNode, lines: import("../engine-queue/uci.js").Line[] } | null} */ (null));

/** The last position of the game itself. */
export const tip = computed(() => {
  version.value;
  return play.value ? tree.value.find(play.value.moves) : null;
});

export const isRunning = computed(() => play.value !== null && play.value.end === null);
export const isUsersTurn = computed(() => isRunning.value && (play.value?.both || tip.value?.turn === play.value?.color) === true);
/** One's rival and another person are played without the engine's help. */
export const mayAskHint = computed(() => isUsersTurn.value && !play.value?.both && !play.value?.rival);

/** What the page says under the board in a game. */
export const status = computed(() => {
  const record = play.value;
  if (!record) return "";
  if (!record.end && mode.value !== "play") return record.clock ? "The clock is paused. Play goes on with the game" : "";
  if (record.end) return `${resultText(record.end.result)}: ${record.end.reason}`;
  if (engineState.value.phase === "failed") return "The engine has stopped";
  const move = record.both ? `${nameOf(tip.value?.turn ?? "white")} to move` : "Your move";
  if (isUsersTurn.value) return tip.value?.position.isCheck() ? `Check. ${move}` : move;
  return engineState.value.phase === "loading" ? "Sleight answers when it is loaded" : "Sleight is thinking";
});

/** The user has begun the game, which shows: before, the first screen lets them choose. */
export const started = gameSignal(/** @type {boolean | null} */ (null));

/** @param {Pick<PlayRecord, "level">} record */
export const levelName = (record) => (record.level === null ? "full strength" : String(record.level));

/**
 * @param {GameChoice} choice
 * @param {{ quiet?: boolean }} [how]
 */
export function newGame(choice, { quiet = false } = {}) {
  const headers = new Map([
    ["Event", "Casual game"],
    ["Site", "Sleight"],
    ["Date", dateTag(new Date())],
    ["Round", "-"],
    ["White", ""],
    ["Black", ""],
    ["Result", "*"],
  ]);
  if (choice.variant) headers.set("Variant", choice.variant);
  if (choice.clock) headers.set("TimeControl", `${choice.clock.initial / 1000}+${choice.clock.increment / 1000}`);
  const { initial = 0 } = choice.clock ?? {};
  const { fen, variant, ...kept } = choice;
  /** @type {PlayRecord} */
  const record = { ...kept, moves: [], times: [{ white: initial, black: initial }], scores: [], end: null, seed: Math.floor(Math.random() * 1e6) };
  headers.set(nameOf(choice.color), choice.both ? nameOf(choice.color) : "You");
  headers.set(nameOf(opposite(choice.color)), choice.both ? nameOf(opposite(choice.color)) : `Sleight ${levelName(record)}`);
  open({ tree: new Tree(choice.fen, headers), play: record, mode: "play" }, { message: quiet ? undefined : "New game" });
  started.value = !quiet;
  const begun = choice.both ? "New game for two." : `New game. You play ${choice.color}.`;
  const end = boardEnd(tree.value.root);
  if (end) finish(end, (text) => announce(`${begun} Game over. ${text}`));
  else announce(begun);
}

/** The same again with the other color, or at another level. @param {Partial<PlayRecord>} [changes] */
export function rematch(changes = {}) {
  const record = play.value;
  if (!record) return;
  const { level, clock: time, both, turning, takebacks, seconds } = record;
  const variant = tree.value.headers.get("Variant");
  newGame({ color: both ? "white" : opposite(record.color), level, clock: time, fen: tree.value.root.fen, variant, both, turning, takebacks, seconds, ...changes });
}

/** @param {Partial<PlayRecord>} changes */
function update(changes) {
  if (play.value) play.value = { ...play.value, ...changes };
}

/** A move of the user in the game. @param {string} uci @returns {boolean} */
export function userMove(uci) {
  return isUsersTurn.value && makeMove(uci);
}

/** @param {string} uci @param {string} [after] what is announced behind the move @param {number[]} [scores] the engine's */
function makeMove(uci, after = "", scores = []) {
  watchClock();
  if (!isRunning.value) return false;
  const from = tip.value;
  const record = play.value;
  const child = from?.play(uci);
  if (!from || !record || !child) return false;
  // The game is the main line, whatever was tried in analysis.
  putFirst(child);
  const follows = node.value === from || node.value.parent === from;
  if (record.clock) {
    if (child.ply >= 2) clock.press(from.turn);
    if (!isInSight()) clock.stop();
    child.comments = withCommand(child.comments, clockCommand(clock.left(from.turn)));
    clockTimes.value = clock.now();
  }
  update({ moves: [...record.moves, child.uci], times: [...record.times, clock.now()], scores: [...record.scores, ...scores] });
  hint.value = null;
  tick(child.san.includes("x"));
  if (follows || mode.value === "play") goTo(child, false);
  const end = boardEnd(child);
  if (!end) turnToMover();
  if (end) finish(end, (text) => announceMove(child, text));
  else {
    announceMove(child, after);
    changed();
  }
  return true;
}

/** Turns the board to the one of two people who is to move. */
function turnToMover() {
  if (play.value?.both && play.value.turning && tip.value && mode.value === "play") orientation.value = tip.value.turn;
}

/** Counts the games that have ended on this page. */
export const finished = signal(0);

/**
 * @param {End} end
 * @param {(text: string) => void} [say] says how it ended together with what led there: of two texts at once only the last is heard
 */
function finish(end, say = announce) {
  clock.stop();
  queue.stop();
  hint.value = null;
  tree.value.headers.set("Result", end.result);
  if (end.termination) tree.value.headers.set("Termination", end.termination);
  update({ end });
  changed();
  finished.value++;
  say(`${end.result.replace("1/2-1/2", "Draw")}: ${end.reason}`);
}

export function resign() {
  watchClock();
  const record = play.value;
  const loser = record?.both ? tip.value?.turn : record?.color;
  if (loser && isRunning.value) finish(endFor(opposite(loser), `${nameOf(loser)} resigns, ${nameOf(opposite(loser))} wins`));
}

export function offerDraw() {
  watchClock();
  const record = play.value;
  if (!record || !tip.value || !isRunning.value) return;
  if (record.both || acceptsDraw(record.scores, tip.value.position.fullmoves)) finish(endFor(undefined, "draw by agreement"));
  else {
    toast("Sleight declines the draw.");
    announce("Sleight declines the draw.");
  }
}

/**
 * Has the engine play on at another level, which the PGN says.
 * @param {number | null} level
 */
export function changeLevel(level) {
  const record = play.value;
  if (!record || !tip.value || !isRunning.value || record.level === level) return;
  const [side, name] = [nameOf(opposite(record.color)), levelName({ level })];
  const { headers } = tree.value;
  headers.set(side, record.moves.length > 0 ? `${headers.get(side)}, ${name}` : `Sleight ${name}`);
  const note = (/** @type {string} */ comment) => /^Level .* from here$/.test(comment);
  if (record.moves.length > 0) tip.value.comments = [...tip.value.comments.filter((comment) => !note(comment)), `Level ${name} from here`];
  // What it thinks of at the old level is asked for again.
  asked = null;
  queue.stop();
  update({ level });
  changed();
  announce(`Level ${name}`);
}

export const mayTakeBack = computed(() => {
  const record = play.value;
  if (!record || !isRunning.value || record.takebacks === false) return false;
  return record.moves.length > (record.both || record.color === tree.value.root.turn ? 0 : 1);
});

/** Takes the user's last move back, and the answer to it. */
export function takeBack() {
  watchClock();
  const record = play.value;
  if (!record || !tip.value || !mayTakeBack.value) return;
  const count = record.moves.length - (isUsersTurn.value && !record.both ? 2 : 1);
  if (count < 0) return;
  // Also where the first move is taken back: the game is not to end on the first screen.
  started.value = true;
  queue.stop();
  const target = tree.value.find(record.moves.slice(0, count));
  const gone = tree.value.find(record.moves.slice(0, count + 1));
  const answers = record.moves.slice(count).filter((_, at) => ((count + at) % 2 === 0) !== (tree.value.root.turn === record.color)).length;
  remove(gone);
  const times = record.times.slice(0, count + 1);
  update({ moves: record.moves.slice(0, count), times, scores: record.scores.slice(0, record.scores.length - answers) });
  hint.value = null;
  lastSearch.value = null;
  goTo(target, false);
  turnToMover();
  changed();
  announceMove(target, "Taken back. Your move.");
  startClock();
}

/** Sets the clock by the record and lets it run, once both sides have moved. */
function startClock() {
  const record = play.value;
  clock.stop();
  if (!record?.clock) return;
  clock = new Clock(record.times[record.times.length - 1], record.clock.increment);
  clockTimes.value = clock.now();
  if (isRunning.value && isInSight() && tip.value && record.moves.length >= 2) clock.start(tip.value.turn);
}

/** A clock runs only where it is seen: in the game's tab, and not behind a dialog. */
const isInSight = () => mode.value === "play" && dialog.value === null;

/** Stops the clock of a game that goes on later, with the time that is left. */
export function pauseClock() {
  if (!clock.running || !play.value) return;
  clock.stop();
  update({ times: play.value.times.with(-1, clock.now()) });
}

/** What the PGN says of a pause: another tab may have shown what the engine thinks. */
const PAUSED = "Clock paused";

/** Stops the clock where it is out of sight, and notes it in the game. */
function pauseOutOfSight() {
  if (!clock.running || !isRunning.value || !tip.value) return;
  pauseClock();
  if (!tip.value.comments.includes(PAUSED)) tip.value.comments.push(PAUSED);
  changed();
}

/**
 * Shows the time that is left, and ends the game where there is none. Also asked before a move, an offer or a takeback: a
 * browser runs the timers of a busy or hidden page late.
 */
function watchClock() {
  if (!clock.running || !tip.value) return;
  clockTimes.value = clock.now();
  if (clock.left(clock.running) === 0 && isRunning.value) finish(timeEnd(tip.value, clock.running));
}

/** A hint: first the piece, then the move. */
export const hint = gameSignal(/** @type {{ node: GameNode, uci: string, stage: 1 | 2 } | null} */ (null));

export async function askHint() {
  const at = tip.value;
  if (!at || !mayAskHint.value) return;
  if (hint.value?.node === at) {
    hint.value = { ...hint.value, stage: 2 };
    return announce(`Hint: ${hint.value.uci.slice(0, 2)} to ${hint.value.uci.slice(2, 4)}`);
  }
  const { answer } = queue.search({ position: uciPosition(at), go: "movetime 800", options: { ...FULL_STRENGTH, MultiPV: 1 } });
  const { move, stopped } = await answer;
  if (stopped || !move || tip.value !== at) return;
  hint.value = { node: at, uci: move, stage: 1 };
  announce(`Hint: the piece on ${move.slice(0, 2)}`);
}

/** For which position and level the engine is to make a move; each search is another one. @type {{ at: GameNode } | null} */
let asked = null;

/** Has the engine make its move. @param {GameNode} at @param {PlayRecord} record */
async function answer(at, record) {
  if (asked?.at === at) return;
  const mine = { at };
  asked = mine;
  const started = performance.now();
  const limits = record.level === null ? FULL_STRENGTH : { UCI_LimitStrength: true, UCI_Elo: record.level };
  const search = queue.search({ position: uciPosition(at), go: goCommand(record), options: { ...limits, MultiPV: 1 }, newGame: record.moves.length < 2 });
  const result = await search.answer;
  if (!result.stopped && record.level !== null) await pause(at, record, started);
  if (asked !== mine) return;
  asked = null;
  if (result.stopped || !result.move || tip.value !== at || !isRunning.value || mode.value !== "play") return;
  const [line] = result.lines;
  const score = line && ("cp" in line.score ? line.score.cp : Math.sign(line.score.mate) * 10_000);
  if (!makeMove(result.move, "Your move.", line ? [score] : [])) return;
  lastSearch.value = { node: at, lines: result.lines };
}

/** Waits as a person would think. @param {GameNode} at @param {PlayRecord} record @param {number} started */
function pause(at, record, started) {
  const position = at.position;
  const legalMoves = [...position.allDests().values()].reduce((sum, dests) => sum + dests.size(), 0);
  const left = record.clock && clock.left(at.turn);
  const time = thinkingTime({
    legalMoves, left, seconds: record.seconds, increment: record.clock?.increment ?? 0, ply: at.ply, seed: record.seed, isRecapture: at.san.includes("x"),
  });
  return new Promise((done) => setTimeout(done, Math.max(0, time - (performance.now() - started))));
}

/** @param {PlayRecord} record */
function goCommand(record) {
  if (!record.clock) return `movetime ${Math.round(1000 * (record.seconds ?? 1))}`;
  const { white, black } = clock.now();
  const { increment } = record.clock;
  const time = (/** @type {number} */ ms) => Math.max(1, Math.round(ms));
  return `wtime ${time(white)} btime ${time(black)} winc ${increment} binc ${increment}`;
}

/** The engine answers whenever it is its turn and the game is on the page. */
export function startPlaying() {
  onLeave(pauseClock);
  setInterval(watchClock, 100);
  const seed = computed(() => play.value?.seed);
  effect(() => {
    seed.value;
    tree.value;
    if (!isInSight()) untracked(pauseOutOfSight);
    queueMicrotask(startClock);
  });
  effect(() => {
    const record = play.value;
    const at = tip.value;
    if (!engineAlive.value || mode.value !== "play" || !record || record.end || record.both || !at || at.turn === record.color) return;
    queueMicrotask(() => tip.value === at && mode.value === "play" && isRunning.value && answer(at, record));
  });
  effect(() => {
    const at = tip.value;
    if (mode.value === "play" && at && isRunning.value) untracked(() => goTo(at, false));
  });
  addEventListener("pagehide", () => {
    pauseClock();
    if (isRunning.value) note(stored());
  });
  addEventListener("pageshow", ({ persisted }) => persisted && startClock());
}
