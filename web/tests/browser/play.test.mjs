// Games against the engine: by mouse, finger and keyboard, with everything that can end them.

import assert from "node:assert/strict";
import { fenLink, MATE_IN_TWO, pageTest, watchLines } from "./page.mjs";


pageTest("a game by mouse to mate, reviewed, exported and loaded again", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO) });
  await board.playFrom();
  assert.match(await board.status(), /Your move/);
  assert.equal(await board.page.locator(".lines, .eval-bar:not(.empty)").count(), 0, "no score in a game");
  await board.drag("c6", "b6");
  await board.waitForMoves(2);
  await board.click("h1", "h8");
  await board.waitForText(".end-card", "Checkmate, White wins");
  await board.waitForText("#spoken", "checkmate, White wins");
  assert.deepEqual(await board.moves(), ["Kb6", "Kb8", "Rh8#"]);
  await board.page.locator(".end-card").getByRole("button", { name: "Review" }).click();
  await board.waitForText(".report tbody", "^You100 %");
  const first = await board.exported();
  assert.match(first.pgn, /\[Result "1-0"\]/);
  assert.match(first.pgn, /\[White "You"\]/);
  await board.menu("Load PGN or FEN");
  await board.page.locator("#load-text").fill(first.pgn);
  await board.page.locator("dialog").getByRole("button", { name: "Load" }).click();
  const again = await board.exported();
  assert.equal(again.pgn, first.pgn);
  assert.equal(board.hosts.size, 1, "no other host");
  assert.deepEqual(await board.context.cookies(), []);
  assert.deepEqual(board.said, [], "nothing on the console");
});

pageTest("by finger on a phone", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO), viewport: { width: 390, height: 844 }, hasTouch: true });
  await board.playFrom();
  await board.tap("c6", "b6");
  await board.waitForMoves(2);
  await board.tap("h1", "h8");
  await board.waitForText(".end-card", "You won");
  await board.page.locator(".end-card").getByRole("button", { name: "Review" }).tap();
  await board.waitForText(".report tbody", "^You100 %");
});

pageTest("by keyboard alone, and every move is spoken", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO) });
  const { page } = board;
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const tabTo = async (wanted) => {
    for (let count = 0; count < 60; count++) {
      await press("Tab");
      if (await page.evaluate((selector) => document.activeElement.matches(selector), wanted)) return;
    }
    throw new Error(`Tab does not reach ${wanted}`);
  };
  await tabTo(".tabs .new");
  await press("Enter");
  await tabTo("dialog #level");
  await press("Home");
  await tabTo("dialog [name=clock]");
  await tabTo("dialog [name=start]");
  await press("ArrowRight", "ArrowRight");
  await tabTo("dialog .primary");
  await press("Enter");
  await board.waitForText("#spoken", "New game. You play white");
  await tabTo("[role=gridcell]");
  const goTo = async (square) => {
    for (;;) {
      const at = await page.evaluate(() => document.activeElement.id.slice(-2));
      if (at === square) return;
      if (at[0] !== square[0]) await press(at[0] < square[0] ? "ArrowRight" : "ArrowLeft");
      else await press(at[1] < square[1] ? "ArrowUp" : "ArrowDown");
    }
  };
  await goTo("c6");
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "c6, white king");
  await press("Enter");
  await goTo("b6");
  await press("Enter");
  await board.waitForText("#spoken", "Black: king b8. Your move");
  await press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "san");
  assert.ok((await page.locator("#san").boundingBox()).width > 40, "the field is seen when it has the focus");
  await page.keyboard.type("Rh8");
  await press("Enter");
  await board.waitForText("#spoken", "White: rook h8, checkmate\\. 1-0: checkmate, White wins");
  await board.waitForText(".end-card", "You won");
  await tabTo(".end-card .primary");
  await press("Enter");
  await board.waitForText(".report tbody", "^You100 %");
});

pageTest("promotion at the square: Escape takes the move back, arrow keys choose", async (open) => {
  const board = await open({ hash: fenLink("8/P6k/8/8/8/8/7K/8 w - - 0 1") });
  await board.click("a7", "a8");
  const menu = await board.page.locator(".promotion").boundingBox();
  const square = await board.page.locator("#square-a8").boundingBox();
  assert.ok(Math.abs(menu.x - square.x) < 2 && Math.abs(menu.y - square.y) < 2, "the menu is at the square");
  await board.page.waitForSelector(".promotion button:focus");
  await board.page.keyboard.press("Escape");
  assert.equal(await board.on("a7"), "white pawn");
  assert.deepEqual(await board.moves(), []);
  await board.drag("a7", "a8");
  await board.page.waitForSelector(".promotion button:focus");
  await board.page.keyboard.press("ArrowDown");
  await board.page.keyboard.press("Enter");
  await board.waitForMoves(1);
  assert.deepEqual(await board.moves(), ["a8=N"]);
});

pageTest("a premove is played, or goes with the position", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO) });
  await board.playFrom();
  await board.drag("c6", "b6");
  await board.drag("h1", "h8");
  await board.waitForText(".end-card", "Checkmate");
  assert.deepEqual(await board.moves(), ["Kb6", "Kb8", "Rh8#"]);
  await board.page.locator("square.current-premove").filter({ visible: true }).waitFor({ state: "detached" });
});

pageTest("a premove goes with the position in which it was set", async (open, serveOwn) => {
  const ways = {
    async takeback(board) {
      await board.button("Takeback").click();
    },
    async "a new game"(board) {
      await board.page.locator(".tabs .new").click();
      await board.page.locator("dialog").getByRole("button", { name: "Play", exact: true }).click();
      await board.page.waitForSelector("dialog", { state: "detached" });
    },
    async "another game, and back"(board) {
      await board.paste("1. c4 c5 *");
      await board.waitForText(".san", "c5");
      await board.page.goBack();
      await board.waitForText(".san", "e4");
    },
    async "another tab, and back"(board) {
      await board.tab("Analyse");
      await board.tab("Play");
    },
    async "a look back"(board) {
      await board.page.keyboard.press("ArrowLeft");
      await board.page.keyboard.press("ArrowRight");
    },
    async resigning(board) {
      await board.button("Resign").click();
      await board.page.waitForTimeout(600);
      await board.button("Sure?").click();
      await board.waitForText(".end-card", "You lost");
    },
  };
  for (const [name, leave] of Object.entries(ways)) {
    // The engine does not answer until it is loaded.
    const server = await serveOwn({ held: /\.wasm$/ });
    const board = await open({ server });
    await board.click("e2", "e4");
    await board.drag("d2", "d4");
    const premove = board.page.locator("square.current-premove").filter({ visible: true }).first();
    await premove.waitFor();
    await leave(board);
    await premove.waitFor({ state: "detached" });
    server.release();
    await board.loaded();
    assert.equal(await board.on("d2"), "white pawn", name);
    if (/(and|look) back$/.test(name)) {
      await board.waitForMoves(2);
      assert.equal(await board.on("d2"), "white pawn", `${name}, after the answer`);
    }
  }
});

pageTest("takeback, hint, a draw that is declined, and resigning", async (open) => {
  const board = await open();
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.button("Takeback").click();
  assert.deepEqual(await board.moves(), []);
  assert.equal(await board.on("e2"), "white pawn");
  await board.button("Hint").click();
  await board.page.waitForSelector(".cg-shapes circle", { state: "attached" });
  await board.button("Show move").click();
  await board.page.waitForSelector(".cg-shapes line", { state: "attached" });
  await board.click("d2", "d4");
  await board.waitForMoves(2);
  await board.button("Draw").click();
  await board.waitForText(".toast", "declines the draw");
  await board.button("Resign").click();
  await board.page.waitForTimeout(600);
  await board.button("Sure?").click();
  await board.waitForText(".end-card", "White resigns, Black wins");
  const { pgn } = await board.exported();
  assert.match(pgn, /\[Result "0-1"\]/);
  // What is tried after the end is no move of the game.
  await board.tab("Analyse");
  await board.click("g1", "f3");
  await board.waitForText(".row .san", "Nf3");
  await board.menu("Export");
  const field = board.page.locator("#export-pgn");
  assert.match(await field.inputValue(), / Nf3 /);
  await board.page.getByRole("switch", { name: "Only the moves of the game" }).check();
  assert.match(await field.inputValue(), /1\. d4 \S+ 0-1\s*$/);
  await board.page.keyboard.press("Escape");
  await board.menu("Games");
  await board.waitForText(".game-list .current small", "^0–1 · 1 move ·");
});

pageTest("a clock runs from the second move, and its end is the end", async (open) => {
  const board = await open();
  await board.page.clock.install();
  await board.playFrom({ clock: "5+3" });
  await board.click("e2", "e4");
  await board.page.clock.runFor(5000);
  await board.waitForMoves(2);
  await board.page.clock.runFor(60_000);
  await board.waitForText(".player.bottom .clock", "^[34]:[0-5]");
  await board.page.clock.runFor(300_000);
  await board.waitForText(".end-card", "White lost on time, Black wins");
  assert.match((await board.exported()).pgn, /\[Termination "Time forfeit"\]/);
});

pageTest("a game that is left keeps its own time, less what was spent on the present move", async (open) => {
  const board = await open();
  const { page } = board;
  await page.clock.install();
  const begin = async (clock, move) => {
    await board.playFrom({ clock });
    await board.click(...move);
    await page.clock.runFor(5000);
    await board.waitForMoves(2);
  };
  const secondsLeft = async () => {
    const [minutes, seconds] = (await page.locator(".player.bottom .clock").textContent()).split(":");
    return 60 * Number(minutes) + Number(seconds);
  };
  await begin("5+3", ["e2", "e4"]);
  await page.clock.runFor(60_000);
  await board.tab("Analyse");
  await begin("10+5", ["d2", "d4"]);
  await page.goBack();
  await page.waitForSelector("[data-mode=analyse]");
  await board.tab("Play");
  await board.waitForText(".under", "Your move");
  const kept = await secondsLeft();
  assert.ok(kept > 60 && kept <= 240, `${kept} seconds`);
  await page.clock.runFor(60_000);
  await board.playFrom();
  await page.locator(".toast button").click();
  await page.waitForSelector(".player.bottom .clock");
  const left = await secondsLeft();
  assert.ok(left > 0 && left <= 180, `${left} seconds`);
});

pageTest("End leads to the present position of a game, whatever was tried from there", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO) });
  await board.playFrom();
  await board.drag("c6", "b6");
  await board.waitForMoves(2);
  await board.tab("Analyse");
  await board.click("h1", "h7");
  await board.waitForMoves(3);
  await board.tab("Play");
  for (const end of [() => board.page.keyboard.press("End"), () => board.button("End of the line").click()]) {
    await board.waitForText(".under", "Your move");
    await board.page.keyboard.press("ArrowRight");
    await board.waitForText(".under", "End returns to the game");
    await end();
  }
  await board.waitForText(".under", "Your move");
});

pageTest("the engine is not asked for a move when the game is over", async (open, serveOwn) => {
  const server = await serveOwn();
  const board = await open({ server, before: watchLines, hash: fenLink(MATE_IN_TWO) });
  await board.playFrom();
  await board.drag("c6", "b6");
  await board.waitForMoves(2);
  await board.click("h1", "h8");
  await board.page.locator(".end-card").getByRole("button", { name: "Review" }).click();
  await board.waitForText(".report tbody", "^You100 %");
  const searched = await board.page.evaluate(() => self.sent.filter((line) => /^position .* moves /.test(line)));
  assert.ok(searched.some((line) => line.endsWith(" c6b6")), "the lines are seen");
  assert.deepEqual(searched.filter((line) => line.endsWith(" h1h8")), []);
});

pageTest("all castlings of Chess960 positions, by both gestures", async (open) => {
  const positions = [
    ["1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1", "c1", "b1", "O-O-O", "c1", "d1"],
    ["1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1", "c1", "h1", "O-O", "g1", "f1"],
    ["4rkr1/8/8/8/8/8/8/R5KR w HA - 0 1", "g1", "a1", null, "", ""],
    ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1", "g1", "O-O+?", "g1", "f1"],
    ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1", "a1", "O-O-O+?", "c1", "d1"],
    ["rk5r/8/8/8/8/8/8/RK5R b HAha - 0 1", "b8", "h8", "O-O", "g8", "f8"],
  ];
  const board = await open();
  for (const [fen, from, to, san, king, rook] of positions) {
    await board.paste(fen);
    await board.drag(from, to);
    if (!san) {
      assert.deepEqual(await board.moves(), [], fen);
      continue;
    }
    await board.waitForMoves(1);
    assert.match((await board.moves())[0], new RegExp(`^${san}$`));
    assert.match(await board.on(king), /king/);
    assert.match(await board.on(rook), /rook/);
  }
  await board.paste("1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1");
  assert.match((await board.exported()).pgn, /\[Variant "Chess960"\]/);
});

pageTest("Escape lets go of a piece chosen by keyboard, and the keys of the page work on the board", async (open) => {
  const board = await open();
  const { page } = board;
  const chosen = () => page.locator("[role=gridcell][aria-selected=true]").evaluateAll((cells) => cells.map(({ id }) => id));
  await page.locator("#square-e2").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("square.selected");
  assert.deepEqual(await chosen(), ["square-e2"]);
  await page.keyboard.press("Escape");
  await page.waitForSelector("square.selected", { state: "hidden" });
  assert.deepEqual(await chosen(), []);
  await page.mouse.click(...(await board.middle("d2")));
  await page.waitForSelector("#square-d2[aria-selected=true]");
  await board.paste("1. c4 *");
  await board.waitForText(".san", "c4");
  assert.deepEqual(await chosen(), [], "a choice ends with its game");
  await page.locator("#square-e2").focus();
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.evaluate(() => document.activeElement.id), "square-e3", "the grid has its own arrows");
  await page.keyboard.press("f");
  await page.waitForSelector(".orientation-black");
  await page.keyboard.press("m");
  assert.equal(await page.evaluate(() => document.activeElement.id), "san");
  await page.keyboard.type("Nf");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "square-e3", "Escape leaves the field for the board");
  assert.equal(await page.locator("#san").inputValue(), "");
  await page.locator("#square-e2").focus();
  await page.keyboard.press("?");
  await board.waitForText("dialog h2", "Keys");
});

pageTest("a clock stops where it is not seen, and the game says so", async (open) => {
  const ways = {
    async "another tab"(board) {
      await board.tab("Analyse");
      await board.page.clock.runFor(60_000);
      assert.match(await board.status(), /The clock is paused/);
      await board.tab("Play");
    },
    async "a dialog"(board) {
      await board.menu("Settings");
      await board.page.waitForSelector("dialog[open]");
      await board.page.clock.runFor(60_000);
      await board.page.keyboard.press("Escape");
      await board.page.waitForSelector("dialog", { state: "detached" });
    },
  };
  for (const [name, look] of Object.entries(ways)) {
    const board = await open();
    const { page } = board;
    const seconds = async () => {
      const [minutes, rest] = (await page.locator(".player.bottom .clock").textContent()).split(":");
      return 60 * Number(minutes) + Number(rest);
    };
    await page.clock.install();
    await board.playFrom({ clock: "10+5" });
    await board.click("e2", "e4");
    await page.clock.runFor(5000);
    await board.waitForMoves(2);
    await page.clock.runFor(30_000);
    await board.waitForText(".player.bottom .clock", "^9:[0-3]");
    const before = await seconds();
    await look(board);
    // The page's time goes on by itself, too, while the test looks.
    const after = await seconds();
    assert.ok(before - after < 30, `${name}: ${before} to ${after} s`);
    await page.clock.runFor(60_000);
    await board.waitForText(".player.bottom .clock", "^8:");
    // The export is a dialog, too.
    assert.equal((await board.exported()).pgn.match(/Clock paused/g).length, 1, name);
  }
});

pageTest("the levels are the engine's, also before it is loaded", async (open, serveOwn) => {
  const server = await serveOwn({ held: /\.wasm$/ });
  const board = await open({ server });
  const range = async () => {
    await board.page.locator(".tabs .new").click();
    const level = board.page.locator("dialog #level");
    const found = [await level.getAttribute("min"), await level.getAttribute("max")];
    await board.page.keyboard.press("Escape");
    return found;
  };
  const before = await range();
  server.release();
  await board.loaded();
  assert.deepEqual(before, await range());
});

pageTest("sounds are offered at the first move, and once", async (open) => {
  const board = await open();
  const { page } = board;
  const offer = page.getByRole("group", { name: "Sounds" });
  const kept = () => page.evaluate(() => JSON.parse(localStorage.settings));
  assert.equal(await offer.count(), 0);
  await board.click("e2", "e4");
  await offer.waitFor();
  assert.equal((await kept()).sound, false, "none unasked");
  await board.button("Sounds on").click();
  await offer.waitFor({ state: "detached" });
  assert.equal((await kept()).sound, true);
  await board.reload();
  await board.waitForMoves(2);
  assert.equal(await offer.count(), 0);
});
