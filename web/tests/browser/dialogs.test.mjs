// Dialogs: what closes them, what is said in them, and the position editor and the settings of the engine.

import assert from "node:assert/strict";
import { fenLink, pageTest } from "./page.mjs";

pageTest("a drag that ends outside does not close a dialog, a click there does", async (open) => {
  const board = await open();
  const { page } = board;
  const dragOut = async (selector) => {
    const { x, y, width, height } = await page.locator(selector).boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(5, 5, { steps: 5 });
    await page.mouse.up();
  };
  await board.menu("Load PGN or FEN");
  await page.locator("#load-text").fill("1. e4 e5 *");
  await dragOut("#load-text");
  assert.equal(await page.locator("#load-text").inputValue(), "1. e4 e5 *");
  await page.mouse.click(5, 5);
  await page.waitForSelector("dialog", { state: "detached" });
  await board.menu("Position editor");
  await dragOut("#editor-e2");
  await page.waitForFunction(() => /PPPP1PPP/.test(document.querySelector("#editor-fen")?.value));
});

pageTest("what is said while a dialog is open is said in it, and what is wrong with a file stands there", async (open) => {
  const board = await open({ before: () => Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined }) });
  const { page } = board;
  await board.paste("1. e4 e5 *");
  await board.waitForMoves(2);
  assert.equal(await page.locator(".toast").count(), 0, "there is nothing to tell, and nothing to undo");
  await board.paste("1. d4 d5 *");
  await board.waitForText(".toast", "Game loaded");
  await board.menu("Export");
  await page.waitForSelector("dialog[open]");
  assert.equal(await page.locator("dialog .toast").count(), 0, "a message of before stays where it is");
  await board.button("Copy PGN").click();
  await board.waitForText("dialog .toast", "does not let the page copy");
  assert.equal(await page.locator(".toast").count(), 1);
  await page.keyboard.press("Escape");
  await board.waitForText(".under .toast", "does not let the page copy");
  await board.menu("Load PGN or FEN");
  await page.locator("dialog [type=file]").setInputFiles({ name: "picture.png", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0, 1]) });
  await board.waitForText("dialog .problem", "This is no text");
});

pageTest("the engine's answer is spoken in a dialog too", async (open) => {
  const board = await open({ wait: true });
  await board.click("e2", "e4");
  await board.menu("Settings");
  await board.waitForMoves(2);
  await board.waitForText("dialog [aria-live]", "1, Black: .* Your move");
});

pageTest("the editor knows the castling rights of Chess960 positions", async (open) => {
  const board = await open();
  const { page } = board;
  const rights = () => page.locator("dialog").getByRole("group", { name: "Castling" }).getByRole("checkbox");
  const ticked = () => rights().evaluateAll((boxes) => boxes.map(({ checked }) => checked));
  await board.menu("Position editor");
  await board.button("Chess960").click();
  assert.match(await page.locator("#editor-fen").inputValue(), / w KQkq - 0 1$/);
  for (const fen of [null, "1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1"]) {
    if (fen) await page.locator("#editor-fen").fill(fen);
    assert.deepEqual(await ticked(), [true, true, true, true]);
    await rights().nth(1).uncheck({ force: true });
    assert.deepEqual(await ticked(), [true, false, true, true]);
    await rights().nth(1).check({ force: true });
    assert.deepEqual(await ticked(), [true, true, true, true]);
  }
});

pageTest("a position is set by keyboard alone", async (open) => {
  const board = await open({ hash: fenLink("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1") });
  const { page } = board;
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const pieces = () => page.locator("#editor-fen").inputValue().then((fen) => fen.split(" ")[0]);
  const name = () => page.evaluate(() => document.activeElement.ariaLabel);
  await board.menu("Position editor");
  await page.locator("#editor-e2").focus();
  await press("Enter");
  await page.waitForSelector("#editor-e2[aria-selected=true]");
  await press("Escape");
  await page.waitForSelector("#editor-e2[aria-selected=false]");
  await press("Enter", "ArrowUp", "ArrowUp", "Enter");
  await page.waitForSelector("#editor-e4[aria-label='e4, white pawn']");
  assert.equal(await pieces(), "4k3/8/8/8/4P3/8/8/4K3");
  await page.locator(".spare").getByRole("button", { name: "black queen" }).focus();
  await press("Enter");
  await page.locator("#editor-e4").focus();
  await press("ArrowLeft", "Enter");
  await page.waitForSelector("#editor-d4[aria-label='d4, black queen']");
  assert.equal(await name(), "d4, black queen");
  await page.locator(".spare").getByRole("button", { name: "Remove" }).focus();
  await press("Enter");
  await page.locator("#editor-e4").focus();
  await press("Enter");
  await page.waitForSelector("#editor-e4[aria-label='e4, empty']");
  assert.equal(await pieces(), "4k3/8/8/8/3q4/8/8/4K3");
});

pageTest("the choice of threads stays while the engine is loaded anew, and nothing untrue is said of it", async (open, serveOwn) => {
  const server = await serveOwn({ isolated: true, held: /\.wasm$/ });
  const board = await open({ server, wait: false, before: () => Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { value: 4 }) });
  const { page } = board;
  await board.menu("Settings");
  await page.waitForSelector("dialog[open]");
  await board.waitForText(".under", "Loading engine");
  assert.doesNotMatch(await page.locator("dialog").textContent(), /one thread here/);
  server.release();
  await board.loaded();
  await page.locator("#threads:enabled").focus();
  await page.evaluate(() => {
    self.seen = [];
    const look = () => {
      self.seen.push(document.querySelector("#threads").disabled || /one thread here/.test(document.querySelector("dialog").textContent));
      if (!document.querySelector(".loading")) self.seen.push("ready");
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
  });
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => self.seen.at(-1) === "ready" && self.seen.length > 2);
  await board.loaded();
  assert.deepEqual(await page.evaluate(() => [...new Set(self.seen)].sort()), [false, "ready"]);
  assert.equal(await page.evaluate(() => document.activeElement.id), "threads");
  assert.equal(await page.locator("#threads").inputValue(), "3");
});

pageTest("without threads the settings say so", async (open, serveOwn) => {
  const board = await open({ server: await serveOwn(), wait: true });
  await board.menu("Settings");
  await board.waitForText("dialog", "This page has one thread here");
});

pageTest("Back closes a dialog on the first visit, too, and leaves neither page nor game", async (open) => {
  const board = await open({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const { page } = board;
  const steps = () => page.evaluate(() => history.length);
  for (const name of ["Settings", "Games", "Position editor"]) {
    await board.menu(name);
    await page.waitForSelector("dialog[open]");
    await page.goBack();
    await page.waitForSelector("dialog", { state: "detached" });
    assert.equal(page.url(), board.url, name);
  }
  // A dialog that is closed leaves no step behind: Back leads to the game before.
  await board.paste("1. d4 d5 *");
  await board.paste("1. c4 c5 *");
  await board.waitForText(".san", "c5");
  const before = await steps();
  await board.menu("Settings");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !history.state.dialog);
  await page.goBack();
  await board.waitForText(".san", "d5");
  await page.goForward();
  await board.waitForText(".san", "c5");
  // A game that a dialog opens is one step, as without it.
  await board.playFrom();
  await page.waitForSelector("dialog", { state: "detached" });
  await board.waitForText(".under", "Your move|is thinking|loaded");
  assert.equal(await steps(), before + 1);
  await page.goBack();
  await board.waitForText(".san", "c5");
});

pageTest("the editor sets en passant where a pawn can be taken so, and its castling buttons are even", async (open) => {
  const board = await open();
  const { page } = board;
  await board.menu("Position editor");
  const fen = page.locator("#editor-fen");
  const choice = page.locator("dialog").getByRole("group", { name: "En passant" });
  await page.waitForSelector("dialog[open]");
  assert.equal(await choice.count(), 0);
  await fen.fill("4k3/8/8/2pPp3/8/8/8/4K3 w - - 0 1");
  assert.deepEqual((await choice.locator("span").allTextContents()), ["None", "c6", "e6"]);
  await choice.getByRole("radio", { name: "e6" }).check();
  assert.equal(await fen.inputValue(), "4k3/8/8/2pPp3/8/8/8/4K3 w - e6 0 1");
  await page.locator("dialog").getByRole("radio", { name: "Black", exact: true }).check();
  assert.equal(await fen.inputValue(), "4k3/8/8/2pPp3/8/8/8/4K3 b - - 0 1");
  await fen.fill("4k3/8/8/2pPp3/8/8/8/4K3 w - c6 0 1");
  await page.locator("dialog").getByRole("button", { name: "Analyse", exact: true }).click();
  await board.click("d5", "c6");
  await board.waitForMoves(1);
  assert.deepEqual(await board.moves(), ["dxc6"]);
  await board.menu("Position editor");
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const boxes = await page.locator(".castling label").evaluateAll((all) => all.map((label) => label.getBoundingClientRect()).map(({ top, width: wide }) => [top, wide]));
    assert.equal(new Set(boxes.map(([top]) => top)).size, 2, `rows at ${width} px`);
    assert.ok(Math.max(...boxes.map(([, wide]) => wide)) - Math.min(...boxes.map(([, wide]) => wide)) < 1, `widths at ${width} px`);
  }
});
