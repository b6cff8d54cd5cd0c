// The deck: the mistakes of all own games, one position at a time, on the days that SM-2 says.

import { computed, effect, signal, untracked } from "@preact/signals";
import { Tree } from "../chess/tree.js";
import { repetitionKey } from "../chess/position.js";
import { CURVE } from "../review/accuracy.js";
import { dayOf, fresh, isDue, withAnswer } from "../review/sm2.js";
import { changeDeck, readDeck } from "../store/training.js";
import { gameId, open, openStored, play, stored, title, usersColor } from "./game.js";
import { toast } from "./notices.js";
import { pauseClock } from "./play.js";
import { current, moments } from "./review.js";
import { askCard, retry } from "./retry.js";

/** @typedef {import("../store/training.js").Card} Card */

/** Positions in one sitting. */
const SITTING = 20;

const deck = signal(/** @type {Card[]} */ ([]));
const today = () => dayOf(new Date());
export const deckSize = computed(() => deck.value.length);
export const due = computed(() => deck.value.filter((card) => isDue(card, today()) && mistakeOf(card)).sort((a, b) => a.due - b.due));

/** Reads the deck, which another tab may have changed. */
const read = () => readDeck().then((cards) => (deck.value = cards), () => {});

/** Puts the mistakes of an own game into the deck when it is reviewed. A position that is there already stays as it is. */
export function watchMistakes() {
  read();
  effect(() => {
    const own = usersColor.value;
    if (!current.value || !play.value?.end || !own) return;
    const found = moments.value.filter(({ at, judgement, best }) => at.mover === own && judgement !== "inaccuracy" && best);
    const cards = found.flatMap(({ at, best, white, why }) => (at.parent ? [{
      key: repetitionKey(at.parent.fen), fen: at.parent.fen, uci: at.uci, best, percent: white, curve: CURVE, why, game: gameId.value, title: title.value, ...fresh(today()),
    }] : []));
    if (cards.length > 0) untracked(() => keep((all) => [...all, ...cards.filter(({ key }, index) => ![...all, ...cards.slice(0, index)].some((other) => other.key === key))]));
  });
}

/** @param {(deck: Card[]) => Card[]} change */
function keep(change) {
  changeDeck(change).then((cards) => (deck.value = cards), () => (deck.value = change(deck.value)));
}

/** The mistake of a card on a board of its own; null where the card is damaged. @param {Card} card */
function mistakeOf({ fen, uci }) {
  try {
    const tree = new Tree(fen);
    const error = tree.root.play(uci);
    return error && { tree, error };
  } catch {
    return null;
  }
}

/** Asks for the positions that are due, and then shows the game that was on the page. */
export async function startDeck() {
  await read();
  if (retry.value?.card) return;
  const cards = due.value.slice(0, SITTING);
  if (cards.length === 0) return toast(deck.value.length > 0 ? "No mistake is due today." : "No mistakes yet: play a game, and review it.");
  pauseClock();
  const before = stored();
  let right = 0;
  const leave = () => {
    openStored(before, "keep");
    if (cards.length > 0) toast(`${right} of ${cards.length} known. They come back in their time.`);
  };
  const ask = (/** @type {number} */ index) => {
    const card = cards[index];
    if (!card) return leave();
    const found = mistakeOf(card);
    if (!found) return ask(index + 1);
    open({ tree: found.tree, mode: "review" }, { history: "keep", temporary: true });
    let graded = false;
    askCard(found.error, {
      number: index + 1, count: cards.length, percent: card.curve === CURVE ? card.percent : null, best: card.best, why: card.why, title: card.title,
      next: () => ask(index + 1),
      leave,
      // Only the first answer counts.
      grade(grade) {
        if (graded) return;
        graded = true;
        if (grade >= 3) right++;
        keep((all) => withAnswer(all, card, grade, today()));
      },
    });
  };
  ask(0);
}

/** Takes the cards of deleted games out. @param {string[]} games @returns {() => void} puts them back */
export function dropCards(games) {
  const gone = deck.value.filter(({ game }) => games.includes(game));
  if (gone.length === 0) return () => {};
  keep((all) => all.filter(({ game }) => !games.includes(game)));
  return () => keep((all) => [...all, ...gone.filter(({ key }) => !all.some((other) => other.key === key))]);
}
