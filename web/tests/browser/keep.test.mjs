// What is loaded comes out as it went in, and nothing is lost.

import assert from "node:assert/strict";
import { pgnHash } from "../../src/store/share.js";
import { fenLink, MATE_IN_TWO, pageTest } from "./page.mjs";

const GAME = `[Event "Hoogovens"]
[Site "Wijk aan Zee"]
[Date "1999.01.20"]
[Round "4"]
[White "Kasparov, Garry"]
[Black "Topalov, Veselin"]
[Result "1-0"]
[WhiteElo "2812"]
[ECO "B07"]

{ The immortal } 1. e4 d6 { [%eval 0.53] [%clk 1:59:30] Pirc } 2. d4 Nf6 3. Nc3 g6 $6 ( 3... e5 4. dxe5 ( 4. Nf3 Nbd7 $14 ) 4... dxe5 ) ( { or } 3... c6 ) 4. Be3 Bg7 5. Qd2 c6 $1 $36 { two } { comments } 6. f3 b5 1-0
`;


pageTest("a game with everything goes in and out as it was", async (open) => {
  const board = await open();
  await board.paste(GAME);
  await board.waitForText(".player.bottom", "Kasparov");
  const words = (text) => text.replace(/\s+/g, " ").trim();
  assert.equal(words((await board.exported()).pgn), words(GAME));
});

pageTest("the game is there after a reload at each ply, and after a new visit", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO) });
  const plies = [["c6", "b6"], ["a8", "b8"], ["h1", "h7"], ["b8", "a8"], ["h7", "h8"]];
  for (const [index, [from, to]] of plies.entries()) {
    await board.click(from, to);
    await board.waitForMoves(index + 1);
    await board.reload();
    await board.waitForMoves(index + 1);
    assert.match(await board.on(to), /king|rook/, "the place in the game is kept too");
  }
  const moves = await board.moves();
  assert.deepEqual(moves, ["Kb6", "Kb8", "Rh7", "Ka8", "Rh8#"]);
  await board.page.close();
  await board.newTab();
  await board.waitForMoves(5);
});

pageTest("a game against the engine goes on after a reload", async (open) => {
  const board = await open();
  await board.playFrom({ clock: "10+5" });
  await board.click("e2", "e4");
  await board.waitForMoves(1);
  await board.reload();
  await board.loaded();
  await board.waitForMoves(2);
  await board.waitForText(".under", "Your move");
  assert.match(await board.page.locator(".player.bottom .clock").textContent(), /^(10:0|9:)/);
});

pageTest("a new game can be undone, Back is the game before, and the list has both", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO) });
  await board.click("c6", "b6");
  await board.waitForMoves(1);
  await board.playFrom();
  await board.page.locator(".toast button").click();
  await board.waitForMoves(1);
  assert.deepEqual(await board.moves(), ["Kb6"]);
  await board.paste("1. d4 d5 *");
  await board.waitForText(".san", "d5");
  await board.page.goBack();
  await board.waitForText(".san", "Kb6");
  await board.menu("Games");
  await board.page.waitForSelector(".game-list .game");
  assert.ok((await board.page.locator(".game-list .game").count()) >= 2);
});

pageTest("a link that is opened in the tab of a game is a game of its own, and Undo and Back lead to the one before", async (open) => {
  const board = await open();
  await board.paste("1. d4 d5 *");
  await board.waitForText(".san", "d5");
  const king = board.page.locator("#square-c6[aria-label='c6, white king']");
  const follow = (link) => board.page.evaluate((hash) => (location.hash = hash), link);
  const steps = () => board.page.evaluate(() => history.length);
  const before = await steps();
  await follow(fenLink(MATE_IN_TWO));
  await king.waitFor({ state: "attached" });
  assert.equal(await steps(), before + 1);
  await board.page.locator(".toast button").click();
  await board.waitForText(".san", "d5");
  await board.page.goForward();
  await king.waitFor({ state: "attached" });
  await board.page.goBack();
  await board.waitForText(".san", "d5");
  await follow(await pgnHash("1. e4 *\n\n1. c4 *"));
  await board.page.locator("dialog .game").last().click();
  await board.waitForText(".san", "c4");
  await board.page.goBack();
  await board.waitForText(".san", "d5");
});

pageTest("an Undo goes with its game", async (open) => {
  const board = await open();
  for (const pgn of ["1. d4 d5 *", "1. c4 c5 *"]) {
    await board.paste(pgn);
    await board.waitForText(".san", pgn.slice(6, 8));
  }
  await board.page.keyboard.press("End");
  await board.page.locator(".tools summary").click();
  // The message of the load may lie over the button.
  await board.button("Delete").dispatchEvent("click");
  await board.waitForText(".toast", "Deleted from c5");
  await board.page.goBack();
  await board.waitForText(".san", "d5");
  assert.equal(await board.page.locator(".toast").count(), 0);
});

pageTest("bad text names what is wrong, and replaces nothing", async (open) => {
  const board = await open();
  await board.paste("1. d4 d5 2. c4 *");
  await board.waitForMoves(3);
  const load = async (text) => {
    await board.menu("Load PGN or FEN");
    await board.page.locator("#load-text").fill(text);
    await board.page.locator("dialog").getByRole("button", { name: "Load", exact: true }).click();
  };
  for (const [text, message] of [
    ["lorem ipsum", "lorem"], ["1. e5 e6", "Line 1: “e5”"], ['[Variant "Atomic"]\n\n1. e4 *', "another variant: Atomic"], ["8/8/8/8 w - - 0 1", "not a position"], ["", "nothing to load"],
  ]) {
    await load(text);
    await board.waitForText(".problem", message);
    await board.page.keyboard.press("Escape");
    assert.deepEqual(await board.moves(), ["d4", "d5", "c4"], text);
  }
  await load('[White "Anderssen"]\n\n1. e4 e5\n2. Sf3 Sc6');
  await board.waitForText(".toast", "Line 4: “Sf3” was not understood after 1… e5");
  assert.deepEqual(await board.moves(), ["e4", "e5"]);
  await load("1. e4 (1. d4 Sf6) 1... e5 2. Nf3 *");
  await board.waitForText(".toast", "^A variation was cut\\. Line 1: “Sf6” was not understood after 1\\. d4");
  assert.deepEqual(await board.moves(), ["e4", "d4", "e5", "Nf3"]);
});

pageTest("a FEN that is typed stays while the engine moves, and Enter takes it", async (open) => {
  const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  const board = await open();
  for (const [menu, field] of [["Load PGN or FEN", "#load-text"], ["Position editor", "#editor-fen"]]) {
    await board.playFrom();
    await board.click("e2", "e4");
    await board.menu(menu);
    await board.page.locator(field).fill(fen.slice(0, -2));
    await board.waitForMoves(2);
    assert.equal(await board.page.locator(field).inputValue(), fen.slice(0, -2), "the answer leaves the field alone");
    await board.page.locator(field).press("End");
    await board.page.keyboard.type(fen.slice(-2));
    await board.page.keyboard.press("Enter");
    await board.page.waitForSelector("dialog", { state: "detached" });
    assert.equal(await board.page.locator(".menu-list").count(), 0, "the key opens no menu");
    assert.equal((await board.exported()).fen, fen);
  }
});

pageTest("positions with counters beyond all games are loaded and played", async (open) => {
  const board = await open();
  for (const fen of ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 99999", "4k3/8/8/8/8/8/4P3/4K3 b - - 3 123456789"]) {
    await board.paste(fen);
    await board.page.waitForSelector(".line-score");
    const [from, to] = fen.includes(" w ") ? ["e2", "e4"] : ["e8", "e7"];
    await board.click(from, to);
    await board.waitForMoves(1);
    assert.match((await board.exported()).pgn, from === "e2" ? /9999\. e4/ : /9999\.\.\. Ke7/);
  }
});

pageTest("a file of several games is a list", async (open) => {
  const board = await open();
  await board.paste('[White "A"]\n[Black "B"]\n\n1. e4 *\n\n[White "C"]\n[Black "D"]\n\n1. d4 d5 *\n');
  await board.waitForText("dialog h2", "2 games");
  await board.page.locator("dialog").getByText("C – D").click();
  await board.waitForMoves(2);
});

pageTest("a shared link opens the same game elsewhere", async (open) => {
  const board = await open({ permissions: ["clipboard-read", "clipboard-write"] });
  await board.paste(GAME);
  await board.waitForText(".player.bottom", "Kasparov");
  const { pgn } = await board.exported();
  await board.menu("Copy link");
  await board.waitForText(".toast", "copied");
  const link = await board.page.evaluate(() => navigator.clipboard.readText());
  const other = await open({ hash: new URL(link).hash });
  assert.equal((await other.exported()).pgn, pgn);
});

pageTest("variations are entered, promoted, commented, deleted and brought back", async (open) => {
  const board = await open();
  await board.paste("1. e4 e5 *");
  await board.tab("Analyse");
  await board.page.keyboard.press("Home");
  await board.click("d2", "d4");
  await board.waitForMoves(3);
  assert.deepEqual(await board.moves(), ["e4", "d4", "e5"]);
  await board.page.locator(".tools summary").click();
  await board.button("Main line").click();
  await board.waitForText(".row .san", "d4");
  await board.button("Comment").click();
  await board.page.locator("dialog textarea").fill("queen's pawn");
  await board.button("Save").click();
  await board.page.locator(".tools").getByRole("button", { name: "good move" }).click();
  const { pgn } = await board.exported();
  assert.match(pgn, /1\. d4 \$1 \{ queen's pawn \} \( 1\. e4 e5 \)/);
  await board.button("Delete").click();
  assert.deepEqual(await board.moves(), ["e4", "e5"]);
  await board.page.locator(".toast button").click();
  await board.waitForMoves(3);
  assert.equal((await board.exported()).pgn, pgn);
});

pageTest("a board that is turned stays so after a reload, and is the game's own", async (open) => {
  const board = await open();
  const isTurned = () => board.page.locator(".orientation-black").count();
  await board.paste("1. e4 e5 *");
  await board.button("Turn the board").click();
  await board.page.waitForSelector(".orientation-black");
  await board.page.waitForFunction(() => JSON.parse(sessionStorage.game).orientation === "black");
  await board.reload();
  await board.waitForMoves(2);
  assert.equal(await isTurned(), 1);
  await board.paste("1. d4 d5 *");
  await board.waitForText(".san", "d5");
  assert.equal(await isTurned(), 0);
  await board.page.goBack();
  await board.waitForText(".san", "e5");
  assert.equal(await isTurned(), 1);
});

pageTest("a move number that is too high to be counted is not changed in silence", async (open) => {
  const board = await open();
  await board.paste("4k3/8/8/8/8/8/4P3/4K3 w - - 0 99999");
  await board.waitForText(".toast", "Counters above 9,999 are read as that");
});

pageTest("a step back that is taken back at once changes nothing", async (open) => {
  const board = await open();
  for (const pgn of ["1. d4 d5 *", "1. c4 c5 *"]) {
    await board.paste(pgn);
    await board.waitForText(".san", pgn.slice(6, 8));
  }
  // After it, the game before comes from IndexedDB, which takes longer than the step.
  await board.reload();
  await board.page.evaluate(() => new Promise((done) => {
    const { get } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.get = function (...args) {
      const request = get.apply(this, args);
      let told = null;
      Object.defineProperty(request, "onsuccess", { set: (tell) => (told = tell) });
      request.addEventListener("success", () => setTimeout(() => told?.({ target: request }), 300));
      return request;
    };
    addEventListener("popstate", () => history.forward(), { once: true });
    history.back();
    setTimeout(done, 1000);
  }));
  assert.deepEqual(await board.moves(), ["c4", "c5"]);
});
