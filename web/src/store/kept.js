// What is kept in the browser as far as it is intact: it may be damaged, of another version of the page, or changed by hand,
// and the page is to start with it all the same.

import { CURVE } from "../review/accuracy.js";
import { PHASES } from "../review/strengths.js";

/** @typedef {"play" | "review" | "analyse"} Mode */
/**
 * @typedef {object} PlayRecord what is kept of a game against the engine, beside its tree
 * @property {"white" | "black"} color the user's
 * @property {number | null} level in Elo; null for full strength
 * @property {{ initial: number, increment: number } | null} clock in milliseconds
 * @property {string[]} moves the game's own, in the notation of UCI: analysis may add others to the tree
 * @property {{ white: number, black: number }[]} times left after each of them, the start first
 * @property {number[]} scores of the engine's moves, in its own centipawns
 * @property {import("../chess/ends.js").End | null} end
 * @property {number} seed
 * @property {boolean} [both] two people play, and the engine does not
 * @property {boolean} [turning] then the board turns to the side that is to move
 * @property {boolean} [takebacks] false where no move is taken back
 * @property {number} [seconds] that the engine takes for a move without a clock
 * @property {boolean} [rival] the result moves the rival's level
 */
/**
 * @typedef {{ id: string, pgn: string, path: string[], play: PlayRecord | null,
 *   review: import("../review/judge.js").KeptReview | null, mode: Mode, orientation?: "white" | "black", touched?: boolean }} StoredGame `touched`:
 *   something was done with a game that was loaded
 * @typedef {"own" | "study" | "seen"} Kind played here; loaded or entered, and changed; only looked at, and in no list
 * @typedef {{ id: string, kind: Kind, title: string, result: string, plies: number, changed: number, opening?: string, date?: string,
 *   copy?: boolean, curve?: string, color?: "white" | "black", accuracy?: { white: number | null, black: number | null }, strength?: import("../review/strengths.js").Strength }} Summary
 *   `changed` in ms since 1970, `date` as the PGN has it, `color` the user's, `copy`: another
 *   tab went on with the game that this one began as
 */
/**
 * @typedef {import("../review/sm2.js").Schedule & { key: string, fen: string, uci: string, best: string, percent: number, curve?: string, why: string,
 *   game: string, title: string }} Card a position before a mistake: `key` is what repetition compares, `uci` the mistake, `best` the
 *   engine's move, `percent` White's chances before it and by which curve, `game` the id of the game
 */
/**
 * @typedef {{ start: number, games: { game: string, level: number, score: number, rating: number }[] }} Rival the level one began at,
 *   and each game: its id, the rival's level, one's score, and one's rating after it
 */

const isText = (/** @type {any} */ value) => typeof value === "string";
const isNumber = (/** @type {any} */ value) => Number.isFinite(value);
/** @param {any} value @param {(item: any) => boolean} test */
const isListOf = (value, test) => Array.isArray(value) && value.every(test);
const isColor = (/** @type {any} */ value) => value === "white" || value === "black";

/** @param {any} play @returns {play is PlayRecord} */
function isPlay(play) {
  const { color, level, clock, moves, times, scores, end, seconds } = play ?? {};
  const isTimes = (/** @type {any} */ time) => isNumber(time?.white) && isNumber(time?.black);
  return isColor(color) && (level === null || isNumber(level)) && isListOf(moves, isText) && isListOf(times, isTimes) && isListOf(scores, isNumber)
    && (clock === null || (isNumber(clock?.initial) && isNumber(clock?.increment) && times.length > 0))
    && (end === null || (["1-0", "0-1", "1/2-1/2"].includes(end?.result) && isText(end.reason))) && (seconds === undefined || seconds > 0);
}

/** @param {any} review @returns {review is import("../review/judge.js").KeptReview} */
function isReview(review) {
  const { percents, moves, best, why, by, line } = review ?? {};
  const isMove = (/** @type {any} */ move) => isColor(move?.mover) && isNumber(move.before) && isNumber(move.after);
  return isListOf(percents, isNumber) && isListOf(moves, isMove) && isListOf(best, isText) && (review.curve === undefined || isText(review.curve)) && moves.length === percents.length - 1 && best.length === percents.length
    && (line === undefined || isListOf(line, isText)) && (why === undefined || isListOf(why, isText)) && (by === undefined || (isText(by?.engine) && isNumber(by.nodes)));
}

/**
 * A kept game without what is damaged in it; undefined where no PGN is.
 * @param {any} kept @returns {StoredGame | undefined}
 */
export function intactGame(kept) {
  const { id, pgn, path, play, review, mode, orientation, touched } = kept ?? {};
  if (!isText(id) || !isText(pgn)) return undefined;
  return {
    id, pgn, touched: touched !== false, path: isListOf(path, isText) ? path : [],
    play: isPlay(play) ? play : null, review: isReview(review) ? review : null,
    mode: ["play", "review", "analyse"].includes(mode) ? mode : "analyse",
    ...(isColor(orientation) && { orientation }),
  };
}

/**
 * What a summary may lack, and is without where it is damaged. Accuracy by chances of an older version cannot be compared with
 * that of now.
 * @type {Record<string, (value: any, entry: Summary) => boolean>}
 */
const OPTIONAL = {
  opening: isText, date: isText, color: isColor, accuracy: (value, { curve }) => curve === CURVE && typeof value === "object" && value !== null,
  strength: (value, { curve }) => curve === CURVE && PHASES.every((phase) => ["moves", "accuracy", "errors"].every((name) => isNumber(value?.[phase]?.[name]))),
};

/** The intact entries of the list of games. @param {any} list @returns {Summary[]} */
export function intactList(list) {
  const isIntact = (/** @type {any} */ entry) => isText(entry?.id) && isText(entry.title) && isText(entry.result) && isNumber(entry.changed) && isNumber(entry.plies);
  const intact = (/** @type {any} */ entry) => {
    const damaged = Object.keys(OPTIONAL).filter((name) => entry[name] !== undefined && !OPTIONAL[name](entry[name], entry));
    if (damaged.length === 0) return entry;
    const rest = { ...entry };
    for (const name of damaged) delete rest[name];
    return rest;
  };
  return Array.isArray(list) ? list.filter(isIntact).map(intact) : [];
}

/** The intact cards of the deck. @param {any} deck @returns {Card[]} */
export function intactDeck(deck) {
  const isIntact = (/** @type {any} */ card) => ["key", "fen", "uci", "best", "why", "title", "game"].every((name) => isText(card?.[name]))
    && ["percent", "ease", "repetitions", "interval", "due"].every((name) => isNumber(card[name]));
  return Array.isArray(deck) ? deck.filter(isIntact) : [];
}

/** The rival; null where it is damaged. @param {any} rival @returns {Rival | null} */
export function intactRival(rival) {
  const isIntact = (/** @type {any} */ game) => isText(game?.game) && [game.level, game.score, game.rating].every(isNumber);
  return isNumber(rival?.start) && Array.isArray(rival.games) ? { start: rival.start, games: rival.games.filter(isIntact) } : null;
}
