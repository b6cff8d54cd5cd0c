// Settings of the look and of the engine.

import { engineState, maxThreads, reconfigure } from "../app/engine.js";
import { change, settings } from "../store/settings.js";
import { Choice, Dialog, Toggle } from "./dialog.jsx";

export function SettingsDialog() {
  const { theme, board, pieces, sound, lines, arrows, bar, threads, hash, depth, seconds, spoilers, wdl } = settings.value;
  const state = engineState.value;
  const most = maxThreads.value;
  /** What is no number in the field's range leaves the old one. @param {HTMLInputElement} input @param {"depth" | "seconds"} name */
  const number = (input, name) => {
    if (input.validity.valid && input.value !== "") change({ [name]: Number(input.value) });
    else input.value = String(settings.value[name]);
  };
  return (
    <Dialog title="Settings">
      <Choice name="theme" label="Colors" value={theme} options={[["auto", "System"], ["light", "Light"], ["dark", "Dark"]]} onChange={(value) => change({ theme: value })} />
      <Choice name="board" label="Board" value={board} options={[["brown", "Brown"], ["green", "Green"], ["grey", "Gray"]]} onChange={(value) => change({ board: value })} />
      <Choice name="pieces" label="Pieces" value={pieces} options={[["classic", "Classic"], ["plain", "Plain"]]} onChange={(value) => change({ pieces: value })} />
      <Toggle label="Sounds" checked={sound} onChange={(value) => change({ sound: value, soundAsked: true })} />
      <Toggle label="Show the engine's score during games" checked={spoilers} onChange={(value) => change({ spoilers: value })} />
      <Choice name="lines" label="Lines in analysis" value={lines} options={[1, 2, 3, 4, 5].map((count) => /** @type {const} */ ([count, String(count)]))} onChange={(value) => change({ lines: value })} />
      <Toggle label="Arrows for the engine's moves" checked={arrows} onChange={(value) => change({ arrows: value })} />
      <Toggle label="Evaluation bar" checked={bar} onChange={(value) => change({ bar: value })} />
      {bar && <Toggle label="Bar in three parts: win, draw, loss" checked={wdl} onChange={(value) => change({ wdl: value })} />}
      <div class="two">
        <label>Stop at depth <input type="number" min="1" max="100" value={depth} onChange={(event) => number(event.currentTarget, "depth")} /></label>
        <label>or after seconds <input type="number" min="1" max="3600" value={seconds} onChange={(event) => number(event.currentTarget, "seconds")} /></label>
      </div>
      <Choice name="hash" label="Hash, MB" value={hash} options={[16, 64, 256, 512].map((size) => /** @type {const} */ ([size, String(size)]))} onChange={(value) => reconfigure({ hash: value })} />
      <div class="level">
        <label for="threads">Threads <output>{Math.min(threads, most)}</output></label>
        <input id="threads" type="range" min="1" max={most} value={Math.min(threads, most)} disabled={most === 1} onChange={(event) => reconfigure({ threads: Number(event.currentTarget.value) })} />
        {state.phase === "ready" && !state.threaded && <p class="quiet small">This page has one thread here. Several need a visit after the first, over https or from localhost.</p>}
      </div>
    </Dialog>
  );
}
