// The rival: an opponent at one's own rating, which each result against it moves.

import { computed, effect, signal, untracked } from "@preact/signals";
import { pointsOf } from "../chess/ends.js";
import { rated } from "../review/elo.js";
import { settings } from "../store/settings.js";
import { changeRival, readRival } from "../store/training.js";
import { levels } from "./engine.js";
import { gameId, play } from "./game.js";
import { finished } from "./play.js";

/** @typedef {import("../store/training.js").Rival} Rival */

export const rival = signal(/** @type {Rival | null} */ (null));

/** One's rating: the level that one began at, moved by the games since. */
export const rating = computed(() => rival.value?.games.at(-1)?.rating ?? rival.value?.start ?? settings.value.level);

/** The level at which the engine plays the rival: one's rating, as far as there are such levels. */
export const rivalLevel = computed(() => Math.round(Math.max(levels.value.min, Math.min(levels.value.max, rating.value))));

/** The game on the page as it was rated: the rating before it, and after. */
export const ratedHere = computed(() => {
  const { start = 0, games = [] } = rival.value ?? {};
  const at = games.findIndex(({ game }) => game === gameId.value);
  return at < 0 ? null : { before: games[at - 1]?.rating ?? start, after: games[at].rating };
});

/** @param {(kept: Rival | null) => Rival | null} change */
function keep(change) {
  return changeRival(change).then((kept) => (rival.value = kept), () => (rival.value = change(rival.value)));
}

/** Forgets all results, and begins at a level. @param {number} start */
export const beginRival = (start) => keep(() => ({ start, games: [] }));

/** Counts the game that has just ended. */
function count() {
  const record = play.value;
  const game = gameId.value;
  if (!record?.rival || !record.end || record.level === null) return;
  const { level, color, end: { result } } = record;
  const score = pointsOf(result, color);
  keep((kept) => {
    const { start, games } = kept ?? { start: level, games: [] };
    if (games.some((other) => other.game === game)) return kept;
    const own = games.at(-1)?.rating ?? start;
    return { start, games: [...games, { game, level, score, rating: rated(own, level, score, games.length) }] };
  });
}

/** @returns {Promise<void>} when the rival's level is known */
export async function watchRival() {
  effect(() => {
    if (finished.value > 0) untracked(count);
  });
  await readRival().then((kept) => (rival.value = kept), () => {});
}
