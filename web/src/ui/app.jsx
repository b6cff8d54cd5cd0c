// The whole page.

import { useSignal } from "@preact/signals";
import { mode } from "../app/game.js";
import { enter, readMove } from "../app/input.js";
import { announce, dialog, spoken, toasts } from "../app/notices.js";
import { AnalysePanel } from "./analyse-panel.jsx";
import { Board } from "./board.jsx";
import { EditorDialog } from "./editor.jsx";
import { EvalBar } from "./eval-bar.jsx";
import { AboutDialog, HelpDialog } from "./help.jsx";
import { Preview } from "./lines.jsx";
import { ChooseDialog, ExportDialog, GamesDialog, LinkDialog, LoadDialog } from "./load-dialogs.jsx";
import { NavBar, Tabs } from "./menu.jsx";
import { NewGameDialog } from "./new-game.jsx";
import { Loading, PlayPanel, Status } from "./play-panel.jsx";
import { PlayerRow } from "./players.jsx";
import { ReviewPanel } from "./review-panel.jsx";
import { SettingsDialog } from "./settings-dialog.jsx";

/** @type {Record<string, import("preact").FunctionComponent>} */
const DIALOGS = {
  new: NewGameDialog, load: LoadDialog, choose: ChooseDialog, export: ExportDialog, games: GamesDialog, settings: SettingsDialog,
  editor: EditorDialog, link: LinkDialog, help: HelpDialog, about: AboutDialog,
};
const PANELS = { play: PlayPanel, review: ReviewPanel, analyse: AnalysePanel };

/** A field for moves as text: in reach of every keyboard, and seen where it has the focus. */
function SanField() {
  const text = useSignal("");
  const play = (/** @type {Event} */ event) => {
    event.preventDefault();
    const uci = readMove(text.value);
    if (uci && enter(uci)) text.value = "";
    else announce(`${text.value || "Nothing"} cannot be played now.`);
  };
  return (
    <form class="san-form" onSubmit={play}>
      <label for="san">Your move as text, such as Nf3</label>
      <input id="san" autocomplete="off" autocapitalize="off" spellcheck={false} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
    </form>
  );
}

function Toasts() {
  const shown = toasts.value;
  if (!shown) return null;
  const run = () => {
    toasts.value = null;
    shown.action?.();
  };
  return (
    <div class="toast" key={shown.key} role="status">
      <span>{shown.text}</span>
      {shown.label && <button type="button" onClick={run}>{shown.label}</button>}
    </div>
  );
}

export function App() {
  const Panel = PANELS[mode.value];
  const Shown = dialog.value ? DIALOGS[dialog.value] : null;
  return (
    <>
      <main data-mode={mode.value}>
        <h1 class="hidden">Sleight</h1>
        <Tabs />
        <EvalBar />
        <PlayerRow top />
        <Board />
        <PlayerRow />
        <SanField />
        <div class="under"><Loading /><Status /></div>
        <div class="panel"><Panel /></div>
        <NavBar />
      </main>
      <Preview />
      <Toasts />
      <div class="hidden" aria-live="polite" id="spoken">{spoken.value}</div>
      {Shown && <Shown />}
    </>
  );
}
