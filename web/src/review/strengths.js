// What a player does well and badly, from the reviews of own games, as pure functions.

import { moveAccuracy } from "./accuracy.js";
import { judge } from "./judge.js";

/** @typedef {import("./judge.js").Move} Move */
/** @typedef {"opening" | "middlegame" | "endgame"} Phase */
/** @typedef {{ moves: number, accuracy: number, errors: number }} Part moves of the player, the sum of their accuracies, and mistakes and blunders */
/** @typedef {Record<Phase, Part>} Strength of one game */

export const PHASES = /** @type {const} */ (["opening", "middlegame", "endgame"]);

/** Knights, bishops, rooks and queens of both sides up to which it is an endgame, and above which it may be the opening. */
const ENDGAME_PIECES = 6;
const OPENING_PIECES = 10;
/** Fewer pieces than this on a side's first rank: it has left the opening. */
const HOME_PIECES = 4;

/**
 * The phase of a position.
 * CITE: the Divider of Lichess's scalachess, by its counts of pieces, without its measure of how the sides are mixed.
 * @param {string} fen @returns {Phase}
 */
export function phaseOf(fen) {
  const [board] = fen.split(" ");
  const pieces = board.match(/[nbrq]/gi)?.length ?? 0;
  if (pieces <= ENDGAME_PIECES) return "endgame";
  const ranks = board.split("/");
  const left = (ranks[0].match(/[nbrqk]/g)?.length ?? 0) < HOME_PIECES || (ranks[7].match(/[NBRQK]/g)?.length ?? 0) < HOME_PIECES;
  return pieces <= OPENING_PIECES || left ? "middlegame" : "opening";
}

/** @returns {Strength} */
const none = () => ({ opening: { moves: 0, accuracy: 0, errors: 0 }, middlegame: { moves: 0, accuracy: 0, errors: 0 }, endgame: { moves: 0, accuracy: 0, errors: 0 } });

/**
 * The strength of one game by phases.
 * @param {string[]} fens of its positions, the start first @param {Move[]} moves as its review has them @param {"white" | "black"} color
 */
export function strengthOf(fens, moves, color) {
  const strength = none();
  // A game does not go back to a phase, whatever is promoted.
  let phase = 0;
  moves.forEach((move, at) => {
    phase = Math.max(phase, PHASES.indexOf(phaseOf(fens[at])));
    if (move.mover !== color) return;
    const part = strength[PHASES[phase]];
    const own = (/** @type {number} */ percent) => (color === "white" ? percent : 100 - percent);
    const judgement = judge(move);
    part.moves++;
    part.accuracy += moveAccuracy(own(move.before), own(move.after));
    if (judgement === "mistake" || judgement === "blunder") part.errors++;
  });
  return strength;
}

/** @param {Strength} strength @returns {Part} */
export function whole(strength) {
  return PHASES.map((phase) => strength[phase]).reduce((sum, part) => ({ moves: sum.moves + part.moves, accuracy: sum.accuracy + part.accuracy, errors: sum.errors + part.errors }));
}

/** @typedef {{ name: string, games: number, accuracy: number | null, errors: number }} Row accuracy in percent, errors in a game */

/** @param {string} name @param {Part[]} parts each of one game @returns {Row} */
function row(name, parts) {
  const seen = parts.filter(({ moves }) => moves > 0);
  const sum = (/** @type {keyof Part} */ key) => seen.reduce((total, part) => total + part[key], 0);
  return { name, games: seen.length, accuracy: sum("moves") > 0 ? sum("accuracy") / sum("moves") : null, errors: seen.length > 0 ? sum("errors") / seen.length : 0 };
}

/** Openings that are listed. */
const MOST_OPENINGS = 8;

/**
 * All reviewed own games by color, phase and opening; the openings by how often they were played.
 * @param {{ color?: "white" | "black", opening?: string, strength?: Strength }[]} games
 */
export function strengths(games) {
  const reviewed = games.flatMap(({ strength, color, opening }) => (strength && color ? [{ strength, color, opening }] : []));
  const parts = (/** @type {typeof reviewed} */ some) => some.map(({ strength }) => whole(strength));
  // "B20 Sicilian Defense: Najdorf" belongs to "Sicilian Defense".
  /** @type {Map<string, typeof reviewed>} */
  const openings = new Map();
  for (const game of reviewed) {
    const name = game.opening?.replace(/^[A-E]\d\d /, "").split(":")[0];
    const some = openings.get(name ?? "") ?? [];
    some.push(game);
    if (name) openings.set(name, some);
  }
  return {
    all: row("All games", parts(reviewed)),
    colors: [row("White", parts(reviewed.filter(({ color }) => color === "white"))), row("Black", parts(reviewed.filter(({ color }) => color === "black")))],
    phases: PHASES.map((phase) => row(phase[0].toUpperCase() + phase.slice(1), reviewed.map(({ strength }) => strength[phase]))),
    openings: [...openings].map(([name, some]) => row(name, parts(some))).sort((a, b) => b.games - a.games || a.name.localeCompare(b.name)).slice(0, MOST_OPENINGS),
  };
}
