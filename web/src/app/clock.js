// A chess clock: the time of both sides, one of which may be running.

import { opposite } from "../chess/ends.js";

/** @typedef {"white" | "black"} Color */
/** @typedef {{ white: number, black: number }} Times milliseconds */

export class Clock {
  /** @param {Times} times @param {number} increment milliseconds */
  constructor(times, increment) {
    this.times = { ...times };
    this.increment = increment;
    /** @type {Color | null} */
    this.running = null;
    this.since = 0;
  }

  /** @param {Color} color @returns {number} milliseconds, not below 0 */
  left(color) {
    const spent = this.running === color ? performance.now() - this.since : 0;
    return Math.max(0, this.times[color] - spent);
  }

  /** @returns {Times} */
  now() {
    return { white: this.left("white"), black: this.left("black") };
  }

  stop() {
    this.times = this.now();
    this.running = null;
  }

  /** @param {Color} color */
  start(color) {
    this.stop();
    this.running = color;
    this.since = performance.now();
  }

  /** The side moved: its time gets the increment, and the other side's runs. @param {Color} color */
  press(color) {
    const ran = this.running === color;
    this.stop();
    if (ran) this.times[color] += this.increment;
    this.start(opposite(color));
  }
}

/** @param {number} ms */
export function clockText(ms) {
  if (ms < 10_000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(ms / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
