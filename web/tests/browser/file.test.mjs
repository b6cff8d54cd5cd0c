// The games of a file with several stay at hand.

import assert from "node:assert/strict";
import { pageTest } from "./page.mjs";

const game = (number) => `[White "W${number}"]\n[Black "B"]\n[Date "${1800 + number}.01.01"]\n\n1. d4 d5 *\n\n`;
const FILE = Array.from({ length: 200 }, (_, at) => game(at + 1)).join("");

pageTest("from a game of a file one comes to the list, to the next game and back, and finds what one changed", async (open) => {
  const board = await open();
  const shown = (name) => board.waitForText(".player.bottom .name", `^${name}$`);
  await board.paste(FILE);
  await board.waitForText("dialog h2", "200 games");
  await board.page.locator("dialog [type=search]").fill("w150");
  await board.page.locator("dialog .game").getByText("W150 – B").click();
  await shown("W150");
  await board.waitForText(".file-place", "Game 150 of 200");
  await board.button("Next game").click();
  await shown("W151");
  assert.equal(await board.page.locator(".toast").count(), 0, "a step to the next game tells nothing");
  await board.button("Game before").click();
  await shown("W150");
  await board.page.keyboard.press("End");
  await board.click("c2", "c4");
  await board.waitForMoves(3);
  await board.button("Game 150 of 200").click();
  assert.match(await board.page.locator("dialog .current").textContent(), /W150/);
  await board.page.locator("dialog .game").getByText("W149 – B").click();
  await shown("W149");
  await board.button("Next game").click();
  await shown("W150");
  assert.deepEqual(await board.moves(), ["d4", "d5", "c4"]);
  await board.page.goBack();
  await shown("W149");
  await board.waitForText(".file-place", "Game 149 of 200");
  await board.tab("Analyse");
  await board.waitForText(".file-place", "Game 149 of 200");
  await board.paste('[White "Other"]\n[Black "B"]\n\n1. e4 e5 *');
  await shown("Other");
  assert.equal(await board.page.locator(".file-place").count(), 0, "it is in no file");
  await board.menu("Games of the file");
  await board.page.locator("dialog .game").getByText("W1 – B").click();
  await shown("W1");
  assert.ok(await board.button("Game before").isDisabled());
});
