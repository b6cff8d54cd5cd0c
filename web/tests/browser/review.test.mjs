// Reports of whole games, and analysis.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readReview, reviewHash } from "../../src/store/share.js";
import { pageTest, reviewedLink, watchLines } from "./page.mjs";

/** The network of the page, or the one that was built in its place. */
const NETWORK = await readFile(process.env.EVALFILE || new URL("../../../networks/small.nnue", import.meta.url));

pageTest("a planted blunder is found, shown and retried", async (open) => {
  const board = await open();
  await board.paste("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0");
  await board.button("Review this game").click();
  await board.waitForText(".progress, .report", "of 6 positions|Accuracy");
  await board.waitForText(".report", "Accuracy");
  const [, , ...errors] = await board.page.locator(".report thead th").allTextContents();
  assert.deepEqual(errors, ["?Mistakes", "??Blunders"]);
  const counts = async (name) => (await board.page.locator(".report tbody tr", { hasText: name }).locator("td").allTextContents()).slice(1);
  assert.deepEqual([await counts("White"), await counts("Black")], [["0", "0", "0"], ["0", "0", "1"]]);
  assert.match(await board.page.locator(".move.blunder").first().textContent(), /Ke7/);
  const { pgn } = await board.exported();
  assert.match(pgn, / Ke7 \$4 \{ \[%eval #1\] \}/);
  assert.match(pgn, /\( 2\.\.\. (Nc6|Nf6|Qe7|Qf6|d6)/, "the best line is a variation");
  await board.button("Next mistake").click();
  await board.waitForText(".move[aria-current]", "Ke7");
  await board.page.locator(".graph").focus();
  await board.page.keyboard.press("Home");
  await board.page.waitForSelector(".move[aria-current]", { state: "detached" });
  await board.button("Retry Black's mistakes").click();
  await board.waitForText(".retry", "Find a better move for Black");
  // The board was turned: only the arrow of the error is left.
  await board.page.waitForFunction(() => document.querySelectorAll(".cg-shapes line").length === 1);
  await board.click("a7", "a6");
  await board.waitForText(".retry", "a6: Not good enough");
  await board.button("Try again").click();
  await board.click("b8", "c6");
  await board.waitForText(".retry", "Good move");
  await board.button("Finish").click();
  assert.equal((await board.exported()).pgn, pgn, "tries stay out of the game");
  await board.reload();
  await board.waitForText(".report", "Accuracy");
});

pageTest("a tab that ends a retry leads back to the game", async (open) => {
  const board = await open();
  await board.paste("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0");
  await board.button("Review this game").click();
  await board.waitForText(".report", "Accuracy");
  const moves = await board.moves();
  await board.button("Retry Black's mistakes").click();
  await board.waitForText(".retry", "Find a better move for Black");
  await board.click("a7", "a6");
  await board.waitForText(".retry", "a6: Not good enough");
  await board.tab("Analyse");
  await board.waitForText(".move[aria-current]", "Ke7");
  assert.deepEqual(await board.moves(), moves);
  await board.click("a2", "a3");
  await board.waitForMoves(moves.length + 1);
  assert.match((await board.exported()).pgn, /\( 3\. a3 \)/);
});

pageTest("the move that a retry shows stays out of the game", async (open) => {
  const board = await open();
  await board.paste("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0");
  await board.button("Review this game").click();
  await board.waitForText(".report", "Accuracy");
  await board.page.locator(".variation .move").first().click();
  await board.page.locator(".tools summary").click();
  // A message may lie over the button.
  await board.button("Delete").dispatchEvent("click");
  await board.page.waitForSelector(".variation", { state: "detached" });
  const { pgn } = await board.exported();
  await board.button("Retry Black's mistakes").click();
  await board.button("Show the move").click();
  await board.waitForText(".retry", "The engine plays");
  await board.button("Back to the game").click();
  await board.waitForText(".move[aria-current]", "Ke7");
  assert.equal((await board.exported()).pgn, pgn);
});

pageTest("mistakes are retried by finger, and by keyboard alone", async (open) => {
  const board = await open({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const { page } = board;
  await board.paste("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0");
  await board.button("Review this game").tap();
  await board.waitForText(".report", "Accuracy");
  const { pgn } = await board.exported();
  await board.button("Retry Black's mistakes").tap();
  await board.waitForText(".retry", "Find a better move for Black");
  await board.tap("b8", "c6");
  await board.waitForText(".retry", "Good move");
  await board.button("Finish").tap();
  await board.button("Retry Black's mistakes").focus();
  await page.keyboard.press("Enter");
  await board.waitForText(".retry", "Find a better move for Black");
  await page.keyboard.press("?");
  await board.waitForText("dialog h2", "Keys");
  await page.keyboard.press("Escape");
  await page.keyboard.press("m");
  assert.equal(await page.evaluate(() => document.activeElement.id), "san");
  await page.keyboard.type("Nc5");
  await page.keyboard.press("Enter");
  await board.waitForText(".san-form .problem", "Nc5 cannot be played now");
  assert.equal(await page.locator("#san").getAttribute("aria-invalid"), "true");
  await page.keyboard.press("Backspace");
  await page.waitForSelector(".san-form .problem", { state: "detached" });
  assert.equal(await page.locator("#san").getAttribute("aria-invalid"), "false");
  await page.keyboard.type("6");
  await page.keyboard.press("Enter");
  await board.waitForText(".retry", "Good move");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".retry", { state: "detached" });
  assert.equal((await board.exported()).pgn, pgn);
});

pageTest("castling that was a mistake stays in the game when it is tried again", async (open) => {
  const board = await open();
  await board.paste('[SetUp "1"]\n[FEN "4k3/8/8/8/8/1q6/P7/4K2R w K - 0 1"]\n\n1. O-O Kd7 *');
  await board.button("Review this game").click();
  await board.waitForText(".report", "Accuracy");
  const { pgn } = await board.exported();
  await board.button("Retry White's mistakes").click();
  await board.waitForText(".retry", "Find a better move for White");
  await board.click("e1", "g1");
  await board.waitForText(".retry", "O-O: Not good enough");
  await board.button("Finish").click();
  assert.equal((await board.exported()).pgn, pgn);
});

pageTest("another game ends the retry, however it comes, and is played and kept", async (open) => {
  const board = await open();
  const retry = async () => {
    await board.paste("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0");
    await board.button("Review this game").click();
    await board.waitForText(".report", "Accuracy");
    await board.button("Retry Black's mistakes").click();
    await board.waitForText(".retry", "Find a better move for Black");
  };
  await board.paste("1. c4 *");
  await board.waitForText(".san", "c4");
  await retry();
  await board.page.goBack();
  await board.waitForText(".san", "c4");
  assert.equal(await board.page.locator(".retry").count(), 0);
  await board.page.keyboard.press("End");
  await board.waitForText(".move[aria-current]", "c4");
  await board.click("e7", "e5");
  await board.waitForText(".san", "e5");
  await retry();
  await board.page.locator(".tabs .new").click();
  await board.page.locator("dialog").getByRole("radio", { name: "White", exact: true }).check();
  await board.page.locator("dialog").getByRole("button", { name: "Play", exact: true }).click();
  await board.waitForText(".under", "Your move");
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  assert.equal((await board.moves())[0], "e4");
});

pageTest("a hidden page does not compute, and goes on where it is seen again", async (open) => {
  const board = await open({ seconds: 600 });
  const show = (hidden) => board.page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  await board.tab("Analyse");
  await board.waitForText(".engine-facts", "^depth \\d+ · \\d+ threads?\\d+( k| M)? nodes · \\d+(\\.\\d)?( k| M)?/s · hash \\d+ %$");
  await show(true);
  await board.page.waitForFunction(() => !/\/s/.test(document.querySelector(".engine-head").textContent));
  await show(false);
  await board.waitForText(".engine-head", "/s");
});

pageTest("analysis: lines of the position on the board, never of another one", async (open) => {
  const board = await open();
  await board.paste("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  await board.page.waitForFunction(() => document.querySelectorAll(".lines .line-score").length === 3);
  await board.page.locator(".line-move").first().click();
  await board.waitForMoves(1);
  await board.paste("8/8/8/8/8/1k6/7q/K7 b - - 0 1");
  const scores = await board.page.locator(".line-score").allTextContents();
  assert.ok(scores.every((score) => /−/.test(score)), `stale: ${scores}`);
  await board.waitForText(".toast", "Position loaded");
  await board.waitForText(".line-score", "−#");
  await board.page.keyboard.press(" ");
  await board.waitForMoves(1);
  await board.page.keyboard.press("e");
  assert.equal(await board.page.locator(".engine-head input").isChecked(), false);
});

pageTest("a position that is on the board for the third time is searched where the game went on", async (open) => {
  const board = await open();
  const { page } = board;
  await board.paste('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/Q7/4K3 w - - 0 1"]\n\n1. Kd1 Kd8 2. Ke1 Ke8 3. Kd1 Kd8 4. Ke1 Ke8 5. Qa7 Kf8 *');
  await board.button("Review this game").click();
  await board.waitForText(".report", "Accuracy");
  const { pgn } = await board.exported();
  assert.equal(pgn.match(/%eval/g).length, 10, pgn);
  await board.tab("Analyse");
  for (const key of ["End", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
  await board.waitForText(".move[aria-current]", "Ke8");
  await board.waitForText(".lines-end", "Draw");
  await page.waitForFunction(() => document.querySelectorAll(".lines .line-score").length === 3);
});

pageTest("more seconds make the engine go on, and settings of the look leave it alone", async (open, serveOwn) => {
  const board = await open({ server: await serveOwn(), before: watchLines, wait: true });
  const { page } = board;
  const searches = () => page.evaluate(() => self.sent.filter((line) => /^go /.test(line)));
  await board.tab("Analyse");
  await board.button("Go on").waitFor();
  // Longer than the search is to take then: time that has passed is no search.
  await page.waitForTimeout(3500);
  await board.menu("Settings");
  await page.locator("dialog").getByLabel("or after seconds").fill("3");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => self.sent.some((line) => /^go .*movetime 3000/.test(line)));
  await page.locator("dialog").getByLabel("or after seconds").fill("600");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => self.sent.some((line) => /^go .*movetime 600000/.test(line)));
  await board.waitForText(".engine-head", "/s");
  const before = await searches();
  await page.locator("dialog").getByLabel("Dark").check();
  await page.locator("dialog").getByLabel("Sounds").check();
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.keyboard.press("h");
  await page.waitForTimeout(1000);
  assert.deepEqual(await searches(), before, "neither a look nor a hint outside of the game begins another search");
  await page.waitForFunction(() => /\/s/.test(document.querySelector(".engine-head").textContent));
});

pageTest("keys and the wheel step through the game, and openings have names", async (open) => {
  const board = await open();
  await board.paste("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 *");
  const current = () => board.page.evaluate(() => document.querySelector(".move[aria-current] .san")?.textContent ?? "");
  const press = async (key, wanted) => {
    await board.page.keyboard.press(key);
    await board.page.waitForFunction((san) => (document.querySelector(".move[aria-current] .san")?.textContent ?? "") === san, wanted);
  };
  await press("ArrowRight", "e4");
  await press("ArrowRight", "e5");
  await press("ArrowDown", "c5");
  await press("ArrowUp", "e5");
  await press("End", "Bb5");
  await board.waitForText(".opening", "C60 Ruy Lopez");
  await press("Home", "");
  await board.page.mouse.move(...(await board.middle("d5")));
  await board.page.mouse.wheel(0, 100);
  await board.waitForText(".move[aria-current]", "e4");
  await board.page.keyboard.press("f");
  assert.ok(await board.page.locator(".orientation-black").count());
  await board.page.keyboard.press("?");
  await board.waitForText("dialog h2", "Keys");
  await board.page.keyboard.press("Escape");
  assert.equal(await current(), "e4");
});

pageTest("a reload in the middle of a review keeps the game, which can be reviewed again", async (open) => {
  const board = await open();
  await board.paste(`${Array.from({ length: 40 }, (_, at) => `${at + 1}. ${["Nf3 Nf6", "Ng1 Ng8", "Nc3 Nc6", "Nb1 Nb8"][at % 4]}`).join(" ")} *`);
  await board.button("Review this game").click();
  await board.waitForText(".progress", "[1-9]\\d* of 81 positions");
  await board.reload();
  await board.button("Review this game").waitFor();
  assert.equal((await board.moves()).length, 80);
  await board.button("Review this game").click();
  await board.waitForText(".progress", "of 81 positions");
  await board.button("Cancel").click();
  await board.button("Review this game").waitFor();
});

/** The calls of functions that the page makes in a step forward, where nothing else happens meanwhile. */
async function callsPerStep(board, moves) {
  const cycle = ["Nf3 Nf6", "Ng1 Ng8", "Nc3 Nc6", "Nb1 Nb8"];
  await board.paste(`${Array.from({ length: moves }, (_, at) => `${at + 1}. ${cycle[at % 4]}`).join(" ")} *`);
  await board.waitForMoves(2 * moves);
  const session = await board.context.newCDPSession(board.page);
  await session.send("Profiler.enable");
  const counts = [];
  for (let step = 0; step < 4; step++) {
    await session.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await board.page.evaluate(async () => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
      await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
    });
    const { result } = await session.send("Profiler.takePreciseCoverage");
    const functions = result.filter(({ url }) => url.endsWith("/main.js")).flatMap(({ functions }) => functions);
    counts.push(functions.reduce((sum, { ranges: [{ count }] }) => sum + count, 0));
  }
  await session.detach();
  return Math.min(...counts);
}

pageTest("a step through a game of 500 moves is no more work than through one of 20", async (open) => {
  const board = await open();
  await board.page.keyboard.press("e");
  const short = await callsPerStep(board, 20);
  const long = await callsPerStep(board, 500);
  assert.ok(short > 1000 && long < 1.05 * short, `${short} calls in a game of 20 moves, ${long} in one of 500`);
});

/** Which of the graph's columns say that nothing is known, by the color that is seen in each. */
async function unknownColumns(board) {
  const shot = await board.page.locator(".graph").screenshot();
  return board.page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const [red, green, blue] = getComputedStyle(document.querySelector(".graph")).backgroundColor.match(/\d+/g).map(Number);
    return Array.from({ length: image.width }, (_, x) => {
      const column = context.getImageData(x, 0, 1, image.height).data;
      let same = 0;
      for (let at = 0; at < column.length; at += 4) same += column[at] === red && column[at + 1] === green && column[at + 2] === blue;
      return same > 0.8 * image.height;
    });
  }, [...shot]);
}

pageTest("the graph draws what is known, and nothing between", async (open) => {
  const board = await open();
  await board.page.keyboard.press("e");
  const share = (columns) => columns.filter(Boolean).length / columns.length;
  await board.paste("1. e4 e5 2. Nf3 Nc6 3. Bb5 {[%eval 0.3]} a6 4. Ba4 Nf6 5. O-O Be7 *");
  const one = await unknownColumns(board);
  assert.ok(share(one) > 0.8, "one position of eleven is known");
  assert.equal(one[Math.round(one.length / 2)], false);
  await board.paste("1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Nf3 {[%eval 0.3]} Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O {[%eval 0.1]} Be7 {[%eval 0.2]} *");
  const two = await unknownColumns(board);
  assert.ok(share(two) > 0.6 && share(two) < 0.75, `between the two parts nothing is drawn: ${share(two)}`);
});

pageTest("a review that is cancelled leaves the rest of the graph unknown", async (open) => {
  const board = await open();
  await board.paste(`${Array.from({ length: 40 }, (_, at) => `${at + 1}. ${["Nf3 Nf6", "Ng1 Ng8", "Nc3 Nc6", "Nb1 Nb8"][at % 4]}`).join(" ")} *`);
  await board.button("Review this game").click();
  await board.waitForText(".progress", "[2-9] of 81 positions");
  await board.button("Cancel").click();
  await board.button("Review this game").waitFor();
  const columns = await unknownColumns(board);
  assert.ok(columns.filter(Boolean).length > 0.5 * columns.length);
});

pageTest("an engine that is switched off says nothing, and stays off after a reload", async (open) => {
  const board = await open();
  const { page } = board;
  await board.paste("1. e4 e5 *");
  await board.tab("Analyse");
  await page.waitForFunction(() => document.querySelectorAll(".line-score").length === 3);
  await page.keyboard.press("e");
  assert.equal(await page.locator(".line-score").count(), 0);
  assert.equal(await page.locator(".eval-bar.unknown").count(), 1);
  assert.equal(await page.locator(".cg-shapes line").count(), 0);
  await board.reload();
  assert.equal(await page.locator(".engine-head input").isChecked(), false);
  assert.equal(await page.locator(".line-score").count(), 0);
});

pageTest("the same game has the same report: ten reviews, with threads and without, whatever came before or between", async (open, serveOwn) => {
  const GAME = "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0";
  const reports = new Set();
  const note = async (board) => {
    await board.button("Cancel").waitFor({ state: "detached" });
    const table = await board.page.locator(".report tbody td").allTextContents();
    const { pgn } = await board.exported();
    const network = createHash("sha256").update(NETWORK).digest("hex").slice(0, 8);
    assert.match(pgn, new RegExp(`\\[Annotator "Sleight \\S+, network ${network}, 100,000 nodes a position"\\]`));
    reports.add(`${table} ${await board.page.locator(".reviewed-by span").textContent()} ${pgn}`);
  };
  const first = async (board) => {
    await board.paste(GAME);
    await board.button("Review this game").click();
    await board.waitForText(".report", "Accuracy");
    await note(board);
  };
  const again = async (board, pause = false) => {
    await board.button("Review again").click();
    if (pause) {
      await board.waitForText(".progress", "[3-9] of");
      await board.button("Cancel").click();
      await board.tab("Analyse");
      await board.page.keyboard.press("End");
      await board.page.keyboard.press("ArrowLeft");
      await board.page.waitForSelector(".line-score");
      await board.tab("Review");
      await board.button("Review again").click();
    }
    await note(board);
  };
  const cores = (count) => new Function(`Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { value: ${count} })`);
  const two = await open({ before: cores(4), wait: true });
  await first(two);
  await again(two);
  await again(two, true);
  const one = await open({ before: cores(2), wait: true });
  await first(one);
  await again(one);
  await again(one, true);
  const plain = await open({ server: await serveOwn(), wait: true });
  await first(plain);
  await again(plain);
  await again(plain, true);
  await plain.reload();
  await plain.loaded();
  await again(plain);
  assert.equal(reports.size, 1, [...reports].join("\n\n"));
});

pageTest("a thorough review takes more nodes, and says so; what people annotated stays theirs", async (open) => {
  const board = await open();
  await board.paste('[Annotator "Tarrasch"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0');
  await board.button("Review this game").click();
  await board.waitForText(".reviewed-by", "^Sleight .*, network [0-9a-f]{8}, 100,000 nodes a position");
  await board.button("Review thoroughly").click();
  await board.waitForText(".reviewed-by", ", 1,000,000 nodes a position");
  assert.equal(await board.button("Review thoroughly").count(), 0);
  assert.match((await board.exported()).pgn, /\[Annotator "Tarrasch; Sleight [^;"]*, 1,000,000 nodes a position"\]/);
});

pageTest("analysis says why it waits while a game is reviewed", async (open) => {
  const board = await open();
  await board.paste(`${Array.from({ length: 40 }, (_, at) => `${at + 1}. ${["Nf3 Nf6", "Ng1 Ng8", "Nc3 Nc6", "Nb1 Nb8"][at % 4]}`).join(" ")} *`);
  await board.button("Review this game").click();
  await board.waitForText(".progress", "[1-9] of 81 positions");
  await board.tab("Analyse");
  await board.waitForText(".busy", "reviews the game");
  await board.button("Cancel").click();
  await board.page.waitForSelector(".line-score");
});

pageTest("a link to a mistake shows the review to another person, and offers the retry", async (open) => {
  const board = await open({ permissions: ["clipboard-read", "clipboard-write"] });
  await board.paste('[White "Ann"]\n[Black "Ben"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 {oh no} 3. Qxe5# 1-0');
  await board.button("Review this game").click();
  await board.waitForText(".report", "Accuracy");
  const report = (from) => from.page.locator(".report").allTextContents().then(([text]) => text);
  const link = async (said) => {
    await board.menu("Copy link");
    await board.waitForText(".toast", said);
    return new URL(await board.page.evaluate(() => navigator.clipboard.readText())).hash;
  };
  await board.page.keyboard.press("Home");
  const whole = await link("^Link to the game and its review copied");
  await board.button("Next mistake").click();
  await board.waitForText(".move[aria-current]", "Ke7");
  const mistake = await link("^Link to the mistake and the review copied");
  const other = await open({ hash: whole });
  await other.waitForText(".report", "Accuracy");
  assert.equal(await report(other), await report(board));
  assert.equal(await other.page.locator(".challenge").count(), 0);
  const third = await open({ hash: mistake, wait: true });
  await third.waitForText(".challenge", "2… Ke7 was not the best");
  assert.equal(await report(third), await report(board));
  assert.match(await third.page.locator(".move.blunder").first().textContent(), /Ke7/);
  assert.match((await third.exported()).pgn, /\[Annotator "Sleight .* nodes a position"\][^]*2\. Qh5 Ke7 \$4 \{ oh no \} \( 2\.\.\. /);
  await third.button("Try it").click();
  await third.waitForText(".retry", "2… Ke7 was not good. Find a better move for Black");
  await third.click("b8", "c6");
  await third.waitForText(".retry", "Good move");
  const damaged = await open({ hash: `${mistake.slice(0, 60)}x` });
  await damaged.waitForText(".toast", "The link is damaged");
  const { scores, ...rest } = await readReview(mistake);
  const old = await open({ hash: await reviewHash({ ...rest, chances: scores.map(() => 1000) }) });
  await old.waitForText(".toast", "This link is of an older version of the page");
  await old.button("Review this game").waitFor();
  assert.deepEqual(await old.moves(), ["e4", "e5", "Qh5", "Ke7", "Qxe5#"]);
  assert.equal(await old.page.locator(".report, .challenge, .move .glyph").count(), 0);
});

pageTest("a report is not that of another move which takes the place of one that was reviewed", async (open) => {
  const board = await open({ hash: await reviewedLink() });
  await board.waitForText(".report", "Accuracy");
  await board.page.keyboard.press("End");
  await board.page.locator(".tools summary").click();
  await board.button("Delete").dispatchEvent("click");
  await board.button("Review this game").waitFor();
  await board.click("h5", "h4");
  await board.waitForMoves(5);
  assert.equal(await board.page.locator(".report").count(), 0);
  await board.button("Delete").dispatchEvent("click");
  await board.page.waitForFunction(() => document.querySelector("#square-h5").getAttribute("aria-label").endsWith("queen"));
  await board.click("h5", "e5");
  await board.waitForText(".report", "Accuracy");
});
