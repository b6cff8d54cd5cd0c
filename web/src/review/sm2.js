// When a position comes back: spaced repetition by days.
// CITE: P. A. Wozniak, "Optimization of learning", 1990, algorithm SM-2.

/** @typedef {{ ease: number, repetitions: number, interval: number, due: number }} Schedule `interval` in days, `due` a day's number */

/** The least ease of SM-2, and that of a new card. */
const LEAST_EASE = 1.3;
const FIRST_EASE = 2.5;
/** Grades below this begin anew. */
const PASSED = 3;

/** The number of a day where the user is. @param {Date} date */
export const dayOf = (date) => Math.floor((date.getTime() - 60_000 * date.getTimezoneOffset()) / 86_400_000);

/** @param {number} today @returns {Schedule} */
export const fresh = (today) => ({ ease: FIRST_EASE, repetitions: 0, interval: 0, due: today });

/**
 * The schedule after an answer.
 * @param {Schedule} schedule @param {number} grade 0 to 5 @param {number} today @returns {Schedule}
 */
export function answered({ ease, repetitions, interval }, grade, today) {
  const next = Math.max(LEAST_EASE, ease + 0.1 - (5 - grade) * (0.08 + (5 - grade) * 0.02));
  // What was not known comes again on the next day, with the ease it had.
  if (grade < PASSED) return { ease, repetitions: 0, interval: 1, due: today + 1 };
  const days = repetitions === 0 ? 1 : repetitions === 1 ? 6 : Math.round(interval * ease);
  return { ease: next, repetitions: repetitions + 1, interval: days, due: today + days };
}

/** Whether a card is to be asked. One that was last asked after today is, too: the calendar was set back. @param {Schedule} schedule @param {number} today */
export const isDue = ({ due, interval }, today) => due <= today || due - interval > today;

/**
 * The deck after an answer. A card that another tab has asked meanwhile stays as it is: the first answer of a day counts.
 * @template {Schedule & { key: string }} Card
 * @param {Card[]} deck @param {Card} card as it was asked @param {number} grade 0 to 5 @param {number} today @returns {Card[]}
 */
export function withAnswer(deck, card, grade, today) {
  return deck.map((other) => (other.key === card.key && other.due === card.due ? { ...other, ...answered(card, grade, today) } : other));
}
