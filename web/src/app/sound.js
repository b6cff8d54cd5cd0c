// Two ticks made by Web Audio, off unless the user wants them.

import { settings } from "../store/settings.js";

/** @type {AudioContext | undefined} */
let context;

/** @param {boolean} capture */
export function tick(capture) {
  if (!settings.value.sound) return;
  context ??= new AudioContext();
  const start = context.currentTime;
  const [oscillator, gain] = [context.createOscillator(), context.createGain()];
  oscillator.type = "triangle";
  oscillator.frequency.setValueAtTime(capture ? 220 : 340, start);
  oscillator.frequency.exponentialRampToValueAtTime(capture ? 90 : 160, start + 0.06);
  gain.gain.setValueAtTime(0.25, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.09);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + 0.1);
}
