// The whole page.

import { useSignal } from "@preact/signals";
import { mode } from "../app/game.js";
import { enter, readMove } from "../app/input.js";
import { announce, dialog } from "../app/notices.js";
import { retry } from "../app/retry.js";
import { AnalysePanel } from "./analyse-panel.jsx";
import { Board } from "./board.jsx";
import { EditorDialog } from "./editor.jsx";
import { EvalBar } from "./eval-bar.jsx";
import { ChooseDialog } from "./file-games.jsx";
import { GamesDialog } from "./games-dialog.jsx";
import { AboutDialog, HelpDialog } from "./help.jsx";
import { Preview } from "./lines.jsx";
import { ExportDialog, LinkDialog, LoadDialog } from "./load-dialogs.jsx";
import { NavBar, Tabs } from "./menu.jsx";
import { Spoken, Toast } from "./messages.jsx";
import { NewGameDialog } from "./new-game.jsx";
import { Loading, PlayPanel, Status } from "./play-panel.jsx";
import { PlayerRow } from "./players.jsx";
import { ReviewPanel } from "./review-panel.jsx";
import { StrengthsDialog } from "./strengths-dialog.jsx";
import { LevelDialog } from "./level.jsx";
import { RivalDialog } from "./rival-dialog.jsx";
import { SettingsDialog } from "./settings-dialog.jsx";

/** @type {Record<string, import("preact").FunctionComponent>} */
const DIALOGS = {
  new: NewGameDialog, load: LoadDialog, choose: ChooseDialog, export: ExportDialog, games: GamesDialog, strengths: StrengthsDialog, level: LevelDialog, rival: RivalDialog, settings: SettingsDialog,
  editor: EditorDialog, link: LinkDialog, help: HelpDialog, about: AboutDialog,
};
const PANELS = { play: PlayPanel, review: ReviewPanel, analyse: AnalysePanel };

/** A field for moves as text: in reach of every keyboard, and seen where it has the focus. */
function SanField() {
  const text = useSignal("");
  const problem = useSignal("");
  const change = (/** @type {string} */ typed) => {
    text.value = typed;
    problem.value = "";
  };
  const play = (/** @type {Event} */ event) => {
    event.preventDefault();
    const typed = text.value.trim();
    const uci = readMove(typed);
    if (uci && enter(uci)) return change("");
    problem.value = typed ? `${typed.slice(0, 12)} cannot be played now.` : "There is no move yet.";
    announce(problem.value);
  };
  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || retry.value) return;
    change("");
    /** @type {HTMLElement | null} */ (document.querySelector(".board [role=gridcell][tabindex='0']"))?.focus({ preventScroll: true });
  };
  return (
    <form class="san-form" onSubmit={play} onKeyDown={leave}>
      <label for="san" class={problem.value && "hidden"}>Your move as text, such as Nf3</label>
      {problem.value && <span id="san-problem" class="problem">{problem.value}</span>}
      <input
        id="san" autocomplete="off" autocapitalize="off" spellcheck={false} aria-invalid={problem.value !== ""} aria-describedby={problem.value ? "san-problem" : undefined}
        value={text.value} onInput={(event) => change(event.currentTarget.value)}
      />
    </form>
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
        <div class="under"><Loading /><Status /><Toast /></div>
        <div class="panel" tabIndex={-1}><Panel /></div>
        <NavBar />
      </main>
      <Preview />
      <Spoken id="spoken" />
      {Shown && <Shown />}
    </>
  );
}
