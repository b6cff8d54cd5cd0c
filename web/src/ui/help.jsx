// Keys, and where everything on the page comes from.

import { KEYS } from "../app/keys.js";
import { Dialog } from "./dialog.jsx";

export function HelpDialog() {
  return (
    <Dialog title="Keys">
      <dl class="keys">
        {KEYS.map(({ shown, text }) => <div key={shown}><dt><kbd>{shown}</kbd></dt><dd>{text}</dd></div>)}
      </dl>
      <p class="quiet small">On the board: arrow keys move from square to square, Enter takes and puts a piece, Escape lets go of it, and of a premove.</p>
    </Dialog>
  );
}

/** Where the source is, as the build was told. */
const SOURCE = __SOURCE__;

export function AboutDialog() {
  return (
    <Dialog title="About">
      <p>Play, and see where it went wrong. On your computer, nowhere else: games and settings stay in this browser, and the page asks no other server.</p>
      <p>Sleight and this page are free software under the GPL, version 3 or later: <a href="LICENSE">license</a>{SOURCE && <>, <a href={SOURCE} rel="noreferrer" target="_blank">source</a></>}.</p>
      <ul class="credits">
        <li>Board: chessground (GPL-3.0-or-later); rules and PGN: chessops (GPL-3.0-or-later), both of Lichess</li>
        <li>Pieces: Colin M.L. Burnett's (GPL-2.0-or-later), as they come with chessground; the plain ones are Sleight's own</li>
        <li>Names of openings: lichess-org/chess-openings (CC0), by way of the package chess-openings (WTFPL)</li>
        <li>Preact and its signals (MIT), idb-keyval (Apache-2.0)</li>
        <li>Win chances, signs and accuracy: the curves and limits that <a href="https://lichess.org/page/accuracy" rel="noreferrer" target="_blank">Lichess publishes</a>, fitted to games of people; the bar in three parts: the engine's own chances</li>
      </ul>
    </Dialog>
  );
}
