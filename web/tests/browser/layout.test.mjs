// The page at all sizes, with targets for fingers, less motion and forced colors.

import assert from "node:assert/strict";
import { fenLink, MATE_IN_TWO, pageTest } from "./page.mjs";

/** Width, height; 683 by 384 and 640 by 400 are laptops at 200 % zoom. */
const SIZES = [[320, 480], [480, 320], [320, 568], [390, 844], [844, 390], [568, 320], [683, 384], [640, 400], [768, 1024], [1024, 768], [1366, 768], [1920, 1080]];
const GAME = "1. e4 {a comment with_a_very_long_word_that_has_no_place_to_break_in_it_at_all_even_on_a_phone} e5 (1... c5 2. Nf3 (2. c3 d5 (2... Nf6))) 2. Nf3?! Nc6 3. Bb5 a6 *";
const MODES = ["Play", "Review", "Analyse"];

pageTest("no overflow and the whole board at every size", async (open) => {
  const board = await open({ hasTouch: true });
  await board.paste(GAME);
  for (const [width, height] of SIZES) {
    await board.page.setViewportSize({ width, height });
    for (const mode of MODES) {
      await board.tab(mode);
      const found = await board.page.evaluate(() => {
        const { left, top, right, bottom, width: size, height: tall } = document.querySelector("#board").getBoundingClientRect();
        return { scroll: document.documentElement.scrollWidth, left, top, right, bottom, size, tall };
      });
      const name = `${mode} at ${width} × ${height}: ${JSON.stringify(found)}`;
      assert.ok(found.scroll <= width, `overflow, ${name}`);
      assert.ok(found.left >= 0 && found.top >= 0 && found.right <= width + 0.5 && found.bottom <= height + 0.5, `board cut off, ${name}`);
      assert.ok(Math.abs(found.size - found.tall) < 1 && found.size >= 0.55 * Math.min(width, height), `board small, ${name}`);
    }
  }
});

pageTest("no text is cut on a phone", async (open) => {
  const board = await open({ viewport: { width: 320, height: 568 }, hasTouch: true });
  const check = async (where) => {
    for (const width of [320, 390]) {
      await board.page.setViewportSize({ width, height: 844 });
      const cut = await board.page.evaluate(() => [...document.querySelectorAll("body *")]
        .filter((element) => element.checkVisibility() && !element.closest(".hidden, textarea, input, svg"))
        .filter((element) => [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim()))
        .filter((element) => element.clientWidth > 1 && getComputedStyle(element).overflow !== "visible" && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1))
        .map((element) => `${element.outerHTML.slice(0, 100)} shows ${element.clientWidth} × ${element.clientHeight} of ${element.scrollWidth} × ${element.scrollHeight}`));
      assert.deepEqual(cut, [], `${where} at ${width} px`);
    }
  };
  await check("start");
  await board.paste('[White "Duke Karl and Count Isouard"]\n[Black "Nepomniachtchi, Ian"]\n[WhiteElo "2812"]\n[BlackElo "2795"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 { [%clk 1:59:30] } 5. O-O Nxe4 { [%clk 1:58:30] } *');
  for (const mode of MODES) {
    await board.tab(mode);
    await board.page.keyboard.press("End");
    if (mode === "Review") {
      await board.button("Review this game").click();
      await board.waitForText(".report", "Accuracy");
    }
    await check(mode);
  }
  for (const name of ["New game", "Games", "Load PGN or FEN", "Export", "Position editor", "Settings", "Keys", "About"]) {
    await board.menu(name);
    await check(name);
    await board.page.keyboard.press("Escape");
  }
});

pageTest("targets of 44 px on a phone", async (open) => {
  const board = await open({ viewport: { width: 390, height: 844 }, hasTouch: true });
  for (const prepare of [async () => {}, () => board.paste(GAME), () => board.tab("Analyse"), () => board.menu("Settings"), () => board.page.keyboard.press("Escape").then(() => board.page.locator(".tabs .new").click())]) {
    await prepare();
    await board.page.waitForTimeout(200);
    const small = await board.page.evaluate(() => [...document.querySelectorAll("button, a, input, summary, .choice label, .toggle")]
      .filter((element) => element.checkVisibility() && !element.closest(".line-moves, .san-form, .toast, .small") && !element.matches(".choice input, .toggle input, [type=file]"))
      .filter((element) => (document.querySelector("dialog") ? element.closest("dialog") : true))
      .map((element) => [element, element.getBoundingClientRect()])
      .filter(([, { width, height }]) => height > 0 && (height < 43.5 || width < 24))
      .map(([element, { width, height }]) => `${element.outerHTML.slice(0, 80)} ${width} × ${height}`));
    assert.deepEqual(small, []);
  }
});

pageTest("the end of a game is seen at once on every phone, and no message covers it", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO), hasTouch: true });
  for (const [width, height] of [[320, 568], [360, 640], [390, 844], [568, 320], [667, 375], [844, 390]]) {
    await board.page.setViewportSize({ width, height });
    await board.page.evaluate(() => scrollTo(0, 0));
    await board.playFrom();
    await board.tap("c6", "b6");
    await board.waitForMoves(2);
    await board.tap("h1", "h8");
    await board.waitForText(".end-card", "You won");
    await board.page.waitForSelector(".toast");
    const covered = await board.page.evaluate(async () => {
      await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
      const parts = [...document.querySelectorAll(".end-card h2, .end-card h2 span, .end-card p, .end-card button")].filter((part) => part.checkVisibility());
      return parts.filter((part) => {
        const { left, top, right, bottom } = part.getBoundingClientRect();
        return [[left + 2, top + 2], [right - 2, bottom - 2]].some(([x, y]) => !part.contains(document.elementFromPoint(x, y)));
      }).map((part) => `${part.textContent} ${JSON.stringify(part.getBoundingClientRect())}`);
    });
    assert.deepEqual(covered, [], `${width} × ${height}`);
    await board.page.goBack();
    await board.page.waitForFunction(() => document.querySelectorAll(".move-list .san").length === 0);
  }
});

pageTest("what the page says touches neither the pieces taken nor the clock beside it", async (open) => {
  for (const clock of ["No clock", "5+3"]) {
    const board = await open({ hash: fenLink("7k/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1") });
    await board.playFrom({ clock });
    await board.drag("e2", "e4");
    await board.waitForMoves(2);
    await board.page.keyboard.press("ArrowLeft");
    await board.waitForText(".status", "Looking back");
    await board.page.locator(".status").waitFor();
    for (const [width, height] of [[1280, 800], [1366, 768], [1024, 768], [360, 740], [844, 390]]) {
      await board.page.setViewportSize({ width, height });
      const { status, others, row } = await board.page.evaluate(() => {
        const box = (name) => document.querySelector(name)?.getBoundingClientRect().toJSON();
        return { status: box(".status"), others: [".player.bottom .name", ".player.bottom .points", ".player.bottom .clock"].map(box).filter(Boolean), row: box(".player.bottom") };
      });
      assert.equal(others.length, clock === "5+3" ? 3 : 2);
      assert.ok(status.width > 50 && status.height > 10);
      for (const other of others) {
        const apart = Math.max(status.left - other.right, other.left - status.right, status.top - other.bottom, other.top - status.bottom);
        assert.ok(apart >= (width > 900 ? 8 : 0), `${clock} at ${width} × ${height}: ${JSON.stringify([status, other])}`);
      }
      if (width > 900) assert.ok(status.top >= row.top && status.bottom <= row.bottom, `in its row at ${width} × ${height}`);
    }
  }
});

pageTest("after a review, the moves are in sight on a desktop", async (open) => {
  const board = await open();
  await board.paste("1. e4 e5 2. Qh5 Ke7 3. a3 Kf6 4. Qf3+ Ke7 5. Qa3+ d6 6. Nf3 Nf6 7. Bc4 Nxe4 8. d3 Nxf2 9. Kxf2 *");
  await board.button("Review this game").click();
  await board.button("Retry White's mistakes").waitFor();
  await board.button("Retry Black's mistakes").waitFor();
  for (const [width, height] of [[1280, 800], [1366, 768], [1920, 1080]]) {
    await board.page.setViewportSize({ width, height });
    const { row, panel, tops } = await board.page.evaluate(() => {
      const box = (element) => element.getBoundingClientRect().toJSON();
      return { row: box(document.querySelector(".move-list .row")), panel: box(document.querySelector(".panel")), tops: [...document.querySelectorAll(".report button")].map((button) => box(button).top) };
    });
    assert.equal(new Set(tops.map(Math.round)).size, 1, `the buttons are one row at ${width} × ${height}: ${tops}`);
    assert.ok(row.bottom <= panel.bottom, `${width} × ${height}: moves end at ${row.bottom}, the panel at ${panel.bottom}`);
  }
});

pageTest("at the end of a game, its buttons are one row on a desktop, and the row under the board is empty", async (open) => {
  const board = await open();
  await board.page.locator(".tabs .new").click();
  const dialog = board.page.locator("dialog");
  await dialog.getByRole("radio", { name: "White", exact: true }).check();
  await dialog.locator("#level").fill("1500");
  await dialog.getByRole("button", { name: "Play", exact: true }).click();
  await board.drag("e2", "e4");
  await board.waitForMoves(2);
  await board.button("Resign").click();
  await board.page.waitForTimeout(600);
  await board.button("Sure?").click();
  await board.waitForText(".end-card", "You lost");
  const tops = await board.page.locator(".end-card .actions button").evaluateAll((all) => all.map((button) => button.getBoundingClientRect().top));
  assert.equal(tops.length, 5);
  assert.equal(new Set(tops.map(Math.round)).size, 1, String(tops));
  assert.equal(await board.page.locator(".status").isVisible(), false);
});

pageTest("on a phone, the board is in the middle, its letters stand before the pieces, and the search says what it finds", async (open) => {
  const board = await open({ viewport: { width: 360, height: 740 }, hasTouch: true, wait: true });
  const { page } = board;
  const { left, right } = await page.evaluate(() => document.querySelector("cg-board").getBoundingClientRect().toJSON());
  assert.ok(Math.abs(left + right - 360) <= 1, `board from ${left} to ${right} of 360`);
  // The pixels of a letter's color, with the piece on its square and without.
  const ink = async () => {
    const seen = [];
    for (const file of ["a", "b", "e", "g"]) {
      const square = await page.locator(`#square-${file}1`).boundingBox();
      const shot = await page.screenshot({ clip: { x: square.x + square.width - 14, y: square.y + square.height - 15, width: 14, height: 15 } });
      seen.push(await page.evaluate(async ([bytes, name]) => {
        const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(image, 0, 0);
        const letter = [...document.querySelectorAll(".board coords.files coord")].find((coord) => coord.textContent === name);
        const wanted = getComputedStyle(letter).color.match(/\d+/g).map(Number);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        let count = 0;
        for (let at = 0; at < data.length; at += 4) count += wanted.every((value, channel) => Math.abs(value - data[at + channel]) < 40) ? 1 : 0;
        return count;
      }, [[...shot], file]));
    }
    return seen;
  };
  const withPieces = await ink();
  await page.addStyleTag({ content: "piece { visibility: hidden !important }" });
  const without = await ink();
  withPieces.forEach((count, at) => assert.ok(without[at] >= 5 && count >= 0.8 * without[at], `${withPieces} of ${without}`));
  await board.tap("e2", "e4");
  await board.waitForMoves(2);
  await board.menu("Games");
  const [text, room] = await page.locator("#find-game").evaluate((field) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.font = font;
    return [context.measureText(field.placeholder).width, field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)];
  });
  assert.ok(text < room, `${text} px of text in ${room}`);
});

pageTest("nothing moves under reduced motion", async (open) => {
  const board = await open({ reducedMotion: "reduce" });
  await board.paste("1. e4 e5 *");
  await board.waitForMoves(2);
  await board.page.keyboard.press("ArrowRight");
  assert.equal(await board.page.locator("piece.anim").count(), 0);
});

pageTest("the bar is seen under forced colors", async (open) => {
  const board = await open({ forcedColors: "active" });
  await board.paste("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  await board.page.waitForSelector(".line-score");
  const colors = await board.page.evaluate(() => [".eval-bar", ".eval-bar .white"].map((name) => getComputedStyle(document.querySelector(name)).backgroundColor));
  assert.notEqual(colors[0], colors[1]);
});

pageTest("the pieces can be changed, and stay so after a reload", async (open) => {
  const board = await open();
  const image = () => board.page.evaluate(() => getComputedStyle(document.querySelector("piece.king.white")).backgroundImage);
  const classic = await image();
  await board.menu("Settings");
  await board.page.getByLabel("Plain").check();
  const plain = await image();
  assert.notEqual(plain, classic);
  assert.match(plain, /^url\("data:image\/svg/);
  await board.reload();
  assert.equal(await image(), plain);
});

pageTest("what a side has more is shown as pieces, which are seen in light and dark", async (open) => {
  const board = await open();
  await board.paste("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe4+ 4. Nxe4 *");
  await board.waitForMoves(7);
  await board.page.keyboard.press("End");
  for (const colorScheme of ["light", "dark"]) {
    await board.page.emulateMedia({ colorScheme });
    const pieces = await board.page.locator(".material piece").evaluateAll((all) => all.map((piece) => [piece.className.split(" ")[0], getComputedStyle(piece).backgroundImage.slice(0, 9), piece.getBoundingClientRect().width > 14]));
    assert.deepEqual(pieces, [["queen", 'url("data', true]]);
  }
  assert.equal(await board.page.locator(".player.bottom .points").textContent(), "+9");
});

pageTest("numbers out of range leave the setting as it was", async (open) => {
  const board = await open({ seconds: 7 });
  await board.menu("Settings");
  for (const [label, kept] of [["or after seconds", "7"], ["Stop at depth", "30"]]) {
    const field = board.page.locator("dialog").getByLabel(label);
    for (const bad of ["", "-3", "1e9", "0"]) {
      await field.fill(bad);
      await field.press("Tab");
      assert.equal(await field.inputValue(), kept, `${label}: ${bad}`);
    }
  }
  const stored = await board.page.evaluate(() => JSON.parse(localStorage.settings));
  assert.deepEqual([stored.seconds, stored.depth], [7, 30]);
  await board.page.keyboard.press("Escape");
  await board.page.locator(".tabs .new").click();
  await board.page.getByRole("radio", { name: "Custom" }).check();
  await board.page.getByLabel("Minutes").fill("");
  await board.page.locator("dialog").getByRole("button", { name: "Play", exact: true }).click();
  assert.equal(await board.page.locator("dialog").count(), 1, "a clock without time does not start");
});

pageTest("on a phone, what is below the engine's line stays in its place while it thinks", async (open) => {
  const board = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, seconds: 2 });
  await board.paste("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *");
  await board.tab("Analyse");
  await board.page.keyboard.press("End");
  const heights = await board.page.evaluate(async () => {
    const seen = new Set();
    const facts = () => document.querySelector(".engine-head").textContent;
    for (let running = false; !running || !/Go on/.test(facts()); running ||= /\/s/.test(facts())) {
      seen.add(Math.round(document.querySelector(".lines").getBoundingClientRect().height));
      await new Promise((frame) => requestAnimationFrame(frame));
    }
    return [...seen];
  });
  assert.equal(heights.length, 1, `heights of ${heights}`);
});

pageTest("the move on the board is in sight in every tab, and stays so when the tools open", async (open) => {
  const board = await open({ hasTouch: true });
  const { page } = board;
  await board.paste(`${Array.from({ length: 25 }, (_, at) => `${at + 1}. ${["Nf3 Nf6", "Ng1 Ng8", "Nc3 Nc6", "Nb1 Nb8"][at % 4]}`).join(" ")} {the end} *`);
  const check = async (name) => {
    const place = await page.evaluate(async () => {
      await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(frame))));
      const move = document.querySelector(".move[aria-current]");
      const { left, top, right, bottom } = move.getBoundingClientRect();
      const seen = move.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
      return { left, top, right, bottom, seen };
    });
    assert.ok(place.seen, `${name}: ${JSON.stringify(place)}`);
  };
  for (const [width, height] of [[390, 844], [320, 568], [844, 390], [768, 1024], [1280, 800]]) {
    await page.setViewportSize({ width, height });
    for (const mode of MODES) {
      await board.tab(mode);
      await page.evaluate(() => scrollTo(0, 0));
      for (const key of ["End", "Home", "ArrowRight", "End"]) {
        await page.keyboard.press(key);
        if (key !== "Home") await check(`${key} in ${mode} at ${width} × ${height}`);
      }
      if (mode === "Analyse" && width > 500) {
        await page.keyboard.press("Home");
        for (let ply = 0; ply < 9; ply++) await page.keyboard.press("ArrowRight");
        await page.locator(".tools summary").click();
        await check(`tools at ${width} × ${height}`);
        await page.locator(".tools summary").click();
      }
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press("End");
  await board.waitForText(".here-comment", "the end");
});

pageTest("messages cover neither names, clocks nor buttons", async (open) => {
  const board = await open({ hasTouch: true });
  const { page } = board;
  for (const [width, height] of [[390, 844], [320, 568], [844, 390], [568, 320], [1280, 800]]) {
    await page.setViewportSize({ width, height });
    await board.playFrom({ clock: "10+5" });
    await board.click("e2", "e4");
    await board.waitForMoves(2);
    for (const mode of MODES) {
      if (mode === "Play") await board.button("Draw").click();
      else await board.paste(`1. ${mode === "Review" ? "d4" : "c4"} {[%clk 1:00:00]} d5 {[%clk 1:00:00]} *`);
      await board.tab(mode);
      await page.waitForSelector(".toast");
      const covered = await page.evaluate(async () => {
        await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
        const toast = document.querySelector(".toast");
        const { left, top, right, bottom } = toast.getBoundingClientRect();
        toast.style.visibility = "hidden";
        const below = [];
        for (let x = left; x <= right; x += 8) for (let y = top; y <= bottom; y += 8) below.push(document.elementFromPoint(x, y)?.closest(".player .name, .clock, button, summary"));
        toast.style.visibility = "";
        return [...new Set(below)].filter(Boolean).map((part) => part.outerHTML.slice(0, 80));
      });
      assert.deepEqual(covered, [], `${mode} at ${width} × ${height}`);
    }
  }
});

pageTest("no piece touches the edge of its square, and the dots of the players differ under forced colors", async (open) => {
  const board = await open({ forcedColors: "active" });
  const dots = await board.page.locator(".player .dot").evaluateAll((all) => all.map((dot) => getComputedStyle(dot).backgroundColor));
  assert.notEqual(dots[0], dots[1]);
  await board.menu("Settings");
  for (const set of ["Classic", "Plain"]) {
    await board.page.getByLabel(set).check();
    const touching = await board.page.evaluate(async () => {
      const found = [];
      for (const role of ["king", "queen", "rook", "bishop", "knight", "pawn"]) {
        const url = getComputedStyle(document.querySelector(`.board piece.${role}.white`)).backgroundImage.slice(5, -2);
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = new OffscreenCanvas(180, 180);
        const context = canvas.getContext("2d", { willReadFrequently: true });
        context.drawImage(image, 0, 0, 180, 180);
        const sides = [[0, 0, 180, 2], [0, 178, 180, 2], [0, 0, 2, 180], [178, 0, 2, 180]];
        if (sides.some((side) => context.getImageData(...side).data.some((value, at) => at % 4 === 3 && value > 0))) found.push(role);
      }
      return found;
    });
    assert.deepEqual(touching, [], set);
  }
});
