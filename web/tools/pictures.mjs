// Takes the pictures of the documentation from the built page. usage: node web/tools/pictures.mjs     after `make web`

import { join } from "node:path";
import { serve } from "../tests/server.mjs";
import { Board, launch } from "../tests/browser/page.mjs";

const DOCS = join(import.meta.dirname, "..", "..", "docs", "setup");
/** Paul Morphy's game at the opera. */
const GAME = `[Event "Paris"]
[Date "1858.??.??"]
[White "Morphy, Paul"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0`;

const server = await serve({ isolated: true });
const browser = await launch();

/** A reviewed game, at its first mistake. */
async function reviewed(options) {
  const board = await Board.open(browser, server.url, { seconds: 15, reducedMotion: "reduce", ...options });
  board.page.setDefaultTimeout(120_000);
  await board.paste(GAME);
  await board.button("Review this game").click();
  await board.waitForText(".report", "Accuracy");
  await board.button("Next mistake").click();
  // Until the message that the game was loaded has gone.
  await board.page.waitForSelector(".toast", { state: "detached" });
  return board;
}

const desk = await reviewed({ viewport: { width: 1366, height: 800 } });
await desk.page.screenshot({ path: join(DOCS, "web.png") });
await desk.close();
const phone = await reviewed({ viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: "dark" });
await phone.page.screenshot({ path: join(DOCS, "web-phone.png") });
await phone.close();
await browser.close();
await server.close();
