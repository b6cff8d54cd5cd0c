// Arrows and circles: read from a PGN, drawn, kept and exported.

import assert from "node:assert/strict";
import { pageTest } from "./page.mjs";

const GAME = '[White "A"]\n[Black "B"]\n\n1. e4 { [%csl Gd5,Rf7][%cal Gf1c4,Bc4f7] the weak square } e5 *\n';

/** The arrows and circles that the user or the PGN drew: those of the engine are in another place. */
const drawn = (board) => board.page.evaluate(() => [document.querySelectorAll(".board .cg-shapes line").length, document.querySelectorAll(".board .cg-shapes circle").length]);
const until = (board, arrows, circles) => board.page.waitForFunction((wanted) => {
  const count = (name) => document.querySelectorAll(`.board .cg-shapes ${name}`).length;
  return `${count("line")} ${count("circle")}` === wanted;
}, `${arrows} ${circles}`);

/** Draws with the right button. */
async function draw({ page, middle }, board, from, to) {
  await page.mouse.move(...(await middle.call(board, from)));
  await page.mouse.down({ button: "right" });
  await page.mouse.move(...(await middle.call(board, to)), { steps: 3 });
  await page.waitForTimeout(100);
  await page.mouse.up({ button: "right" });
}

pageTest("arrows and circles of a PGN are drawn, own ones are kept and exported, and an erasure can be undone", async (open) => {
  const board = await open();
  const { page } = board;
  await page.keyboard.press("e");
  await board.paste(GAME);
  await board.waitForMoves(2);
  await until(board, 0, 0);
  await page.keyboard.press("ArrowRight");
  await until(board, 2, 2);
  await draw(board, board, "d1", "h5");
  await until(board, 3, 2);
  await draw(board, board, "h5", "h5");
  await until(board, 3, 3);
  const wanted = /1\. e4 \{ \[%csl Gd5,Rf7,Gh5\] \[%cal Gf1c4,Bc4f7,Gd1h5\] the weak square \}/;
  assert.match((await board.exported()).pgn, wanted);
  await board.reload();
  await until(board, 3, 3);
  await page.mouse.click(...(await board.middle("e5")));
  await until(board, 0, 0);
  await page.locator(".toast button").getByText("Undo").click();
  await until(board, 3, 3);
  // The click of a piece that moves erases nothing, and the move has its own.
  await page.keyboard.press("ArrowRight");
  await until(board, 0, 0);
  await page.keyboard.press("ArrowLeft");
  await until(board, 3, 3);
  assert.match((await board.exported()).pgn, wanted);
});

pageTest("arrows and circles are set by keyboard, as text", async (open) => {
  const board = await open();
  const { page } = board;
  await page.keyboard.press("e");
  await board.paste(GAME);
  await board.waitForMoves(2);
  await page.keyboard.press("ArrowRight");
  await page.locator(".tools summary").click();
  await board.button("Comment").click();
  const field = page.locator("#comment-shapes");
  assert.equal(await field.inputValue(), "Gd5 Rf7 Gf1c4 Bc4f7");
  await field.fill("Yd5 Ra1h8 Kx");
  await board.waitForText("dialog .problem", "Kx is none");
  assert.ok(await page.locator("dialog").getByRole("button", { name: "Save" }).isDisabled());
  await field.fill("Yd5, Ra1h8");
  await page.keyboard.press("Enter");
  await until(board, 1, 1);
  assert.match((await board.exported()).pgn, /\{ \[%csl Yd5\] \[%cal Ra1h8\] the weak square \}/);
  assert.deepEqual(await drawn(board), [1, 1]);
});
