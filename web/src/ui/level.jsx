// The choice of a level, and its change within a game.

import { useSignal } from "@preact/signals";
import { levels } from "../app/engine.js";
import { play } from "../app/game.js";
import { dialog } from "../app/notices.js";
import { changeLevel } from "../app/play.js";
import { settings } from "../store/settings.js";
import { Dialog, Toggle } from "./dialog.jsx";

const STEP = 50;

/** A level as far as the engine has it. @param {number} level */
export const withinLevels = (level) => Math.max(levels.value.min, Math.min(levels.value.max, level));

/** @param {{ level: number, full?: boolean, onChange(change: { level?: number, full?: boolean }): void }} props without `full`
 *   there is no choice of full strength */
export function LevelChoice({ level, full, onChange }) {
  const { min, max } = levels.value;
  return (
    <div class="level">
      <label for="level">Level <output>{full ? "full strength" : withinLevels(level)}</output></label>
      <input
        id="level" type="range" min={min} max={max} step={STEP} value={withinLevels(level)} disabled={full}
        onInput={(event) => onChange({ level: Number(event.currentTarget.value) })}
      />
      {full !== undefined && <Toggle label="Full strength" checked={full} onChange={(value) => onChange({ full: value })} />}
    </div>
  );
}

export function LevelDialog() {
  const now = play.value?.level ?? null;
  const choice = useSignal({ level: now ?? settings.value.level, full: now === null });
  const { level, full } = choice.value;
  const change = (/** @type {Event} */ event) => {
    event.preventDefault();
    dialog.value = null;
    changeLevel(full ? null : withinLevels(level));
  };
  return (
    <Dialog title="Level of this game">
      <form onSubmit={change}>
        <LevelChoice level={level} full={full} onChange={(changes) => (choice.value = { ...choice.value, ...changes })} />
        <p class="quiet small">From the next move on. The game says so.</p>
        <div class="actions"><button type="submit" class="primary wide">Play on</button></div>
      </form>
    </Dialog>
  );
}
