// The moves that are more than a piece and its square, each by mouse in one and in two presses, and by keyboard; and premoves.

import assert from "node:assert/strict";
import { fenLink, pageTest } from "./page.mjs";

/** Goes to a square by its keys, as a user does, and presses Enter. */
async function enter(board, square) {
  const { page } = board;
  await page.locator("#board [tabindex='0']").focus();
  const at = await page.evaluate(() => document.activeElement.id.slice(-2));
  const step = async (key, count) => {
    for (let left = count; left > 0; left--) await page.keyboard.press(key);
  };
  const [right, up] = [square.charCodeAt(0) - at.charCodeAt(0), Number(square[1]) - Number(at[1])];
  await step(right > 0 ? "ArrowRight" : "ArrowLeft", Math.abs(right));
  await step(up > 0 ? "ArrowUp" : "ArrowDown", Math.abs(up));
  await page.keyboard.press("Enter");
}

const GESTURES = {
  drag: (board, from, to) => board.drag(from, to),
  click: (board, from, to) => board.click(from, to),
  async keyboard(board, from, to) {
    await enter(board, from);
    await enter(board, to);
  },
};

pageTest("castling, also of Chess960, en passant and promotion by drag, click and keyboard", async (open) => {
  const board = await open();
  const moves = [
    ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1", "g1", "O-O", { g1: "white king", f1: "white rook", h1: "empty" }],
    ["r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8", "a8", "O-O-O", { c8: "black king", d8: "black rook", a8: "empty" }],
    ["1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1", "c1", "h1", "O-O", { g1: "white king", f1: "white rook", h1: "empty" }],
    ["1rk4r/8/8/8/8/8/8/1RK4R b HBhb - 0 1", "c8", "b8", "O-O-O", { c8: "black king", d8: "black rook", b8: "empty" }],
    ["4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1", "f1", "O-O", { g1: "white king", f1: "white rook", e1: "empty" }],
    ["4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1", "g1", "O-O", { g1: "white king", f1: "white rook", e1: "empty" }],
    ["4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5", "d6", "exd6", { d6: "white pawn", d5: "empty", e5: "empty" }],
    ["1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", "b8", "axb8=N", { b8: "white knight", a7: "empty" }],
    ["4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1", "a2", "a1", "a1=N", { a1: "black knight", a2: "empty" }],
  ];
  for (const [fen, from, to, san, squares] of moves) {
    for (const [name, gesture] of Object.entries(GESTURES)) {
      await board.paste(fen);
      await gesture(board, from, to);
      if (san.includes("=")) {
        await board.page.waitForSelector(".promotion button:focus");
        await board.page.keyboard.press("ArrowDown");
        await board.page.keyboard.press("Enter");
      }
      await board.waitForMoves(1);
      assert.equal((await board.moves())[0].replace(/[+#]$/, ""), san, `${fen} by ${name}`);
      for (const [square, piece] of Object.entries(squares)) assert.equal(await board.on(square), piece, `${fen} by ${name}: ${square}`);
      const drawn = await board.page.evaluate(() => [...document.querySelectorAll("#board piece:not(.ghost, .fading)")].map(({ cgKey, className }) => `${cgKey} ${className.split(" ").slice(0, 2).join(" ")}`).sort());
      const said = await board.page.evaluate(() => [...document.querySelectorAll("#board [role=gridcell]")].map((cell) => cell.getAttribute("aria-label").replace(",", "")).filter((text) => !text.endsWith("empty")).sort());
      assert.deepEqual(drawn, said, `${fen} by ${name}`);
    }
  }
});

// Black has one move, after which the premove is legal.
const PREMOVES = [
  ["k7/8/1Q6/3p4/8/8/P7/1RK4R w HB - 0 1", ["a2", "a3"], ["c1", "h1"], ["a3", "d4", "O-O"]],
  ["k7/3p4/1Q6/4P3/8/8/8/4KB2 w - - 0 1", ["f1", "g2"], ["e5", "d6"], ["Bg2+", "d5", "exd6#"]],
  ["k7/8/1Q4P1/3p4/8/8/8/4K3 w - - 0 1", ["g6", "g7"], ["g7", "g8"], ["g7", "d4", "g8=Q#"]],
];

for (const [fen, first, premove, line] of PREMOVES) {
  pageTest(`${line.at(-1)} is a premove by drag, click and keyboard, and Escape takes it back`, async (open, serveOwn) => {
    // The engine does not answer until it is loaded.
    const server = await serveOwn({ held: /\.wasm$/ });
    const board = await open({ server, hash: fenLink(fen) });
    await board.playFrom();
    await board.click(...first);
    await board.waitForMoves(1);
    const shown = board.page.locator("square.current-premove").filter({ visible: true });
    for (const gesture of [...Object.values(GESTURES), GESTURES.keyboard]) {
      await board.page.locator("#board [tabindex='0']").focus();
      await board.page.keyboard.press("Escape");
      await shown.first().waitFor({ state: "detached" });
      await gesture(board, ...premove);
      await shown.first().waitFor();
      await board.waitForText("[aria-live]", `Premove ${premove[0]} to ${premove[1]}`);
    }
    server.release();
    await board.waitForMoves(3);
    assert.deepEqual((await board.moves()).slice(0, 3), line);
  });
}
