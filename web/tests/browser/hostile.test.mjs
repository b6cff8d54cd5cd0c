// What nobody plans for: storage denied, games and comments without end, many clicks, two tabs, a page read from the right.

import assert from "node:assert/strict";
import { fenLink, MATE_IN_TWO, pageTest } from "./page.mjs";

pageTest("without any storage it plays, and says so once", async (open) => {
  const board = await open({
    before: () => {
      for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
        Object.defineProperty(self, name, { get() { throw new DOMException("Access is denied for this document.", "SecurityError"); } });
      }
    },
  });
  await board.click("e2", "e4");
  await board.waitForText(".toast", "does not let the page keep games");
  await board.waitForMoves(2);
  await board.menu("Games");
  await board.waitForText("dialog", "No games yet");
});

pageTest("storage that is full takes nothing from the game", async (open) => {
  const board = await open({
    before: () => {
      const full = () => { throw new DOMException("The quota has been exceeded.", "QuotaExceededError"); };
      Storage.prototype.setItem = full;
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (...args) {
        const request = put.apply(this, args);
        this.transaction.abort();
        return request;
      };
    },
  });
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.click("d2", "d4");
  await board.waitForMoves(4);
  assert.match((await board.exported()).pgn, /1\. e4 .* 2\. d4 /);
});

pageTest("text from outside stays text, however long", async (open) => {
  const board = await open();
  const markup = '<img src=x onerror="self.hacked=1"><script>self.hacked=1</script>';
  await board.paste(`[White "${markup.replaceAll('"', '\\"')}"]\n\n1. e4 { ${markup} ${"word ".repeat(100_000)} } e5 2. Nf3 *`);
  await board.waitForMoves(3);
  await board.page.keyboard.press("End");
  await board.waitForText(".move[aria-current]", "Nf3");
  assert.equal(await board.page.evaluate(() => self.hacked), undefined);
  assert.equal(await board.page.locator("main img, main script").count(), 0);
});

pageTest("a game of 20,000 half moves is loaded, stepped through and exported", async (open) => {
  const board = await open();
  await board.page.keyboard.press("e");
  const cycle = ["Nf3 Nf6", "Ng1 Ng8", "Nc3 Nc6", "Nb1 Nb8"];
  await board.paste(`${Array.from({ length: 10_000 }, (_, at) => `${at + 1}. ${cycle[at % 4]}`).join(" ")} *`);
  await board.waitForMoves(20_000);
  await board.page.keyboard.press("End");
  await board.waitForText(".move[aria-current]", "Nb8");
  await board.page.keyboard.press("ArrowLeft");
  await board.waitForText(".move[aria-current]", "Nb1");
  assert.match((await board.exported()).pgn, /9999\. Nc3 Nc6 9999|10000\. Nb1 Nb8 \*/);
});

pageTest("a PGN of 19 MB is listed while the page goes on, unless another text comes meanwhile", async (open) => {
  const board = await open();
  await board.page.keyboard.press("e");
  await board.paste("1. d4 d5 *");
  await board.waitForMoves(2);
  /** Pastes the games and what comes after them; how often the page came to something else before the answer. */
  const read = (after, answer) => board.page.evaluate(async ([later, selector]) => {
    const paste = (text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    };
    const moves = Array.from({ length: 60 }, (_, at) => `${at + 1}. Nf3 { [%eval 0.2] [%clk 0:05:00] }\n${at + 1}... Ng8 {a}`).join("\n");
    const game = `[White "One"]\n[Black "Two"]\n[Result "1-0"]\n\n${moves} 1-0\n\n`;
    paste(game.repeat(Math.ceil(19e6 / game.length)));
    if (later) paste(later);
    let turns = 0;
    for (; !document.querySelector(selector); turns++) await new Promise((frame) => setTimeout(frame));
    return turns;
  }, [after, answer]);
  const turns = await read("", "dialog");
  assert.ok(turns >= 3, `${turns} times`);
  await board.waitForText("dialog h2", "^\\d{4} games");
  await board.page.keyboard.press("Escape");
  assert.deepEqual(await board.moves(), ["d4", "d5"], "the list alone replaces nothing");
  await read("1. c4 *", ".toast");
  await board.waitForText(".san", "c4");
  assert.equal(await board.page.locator("dialog").count(), 0);
});

pageTest("a game without end is loaded as far as it can be shown, or refused, and a binary file is no game", async (open) => {
  const board = await open();
  await board.page.keyboard.press("e");
  await board.paste("1. d4 d5 *");
  await board.waitForMoves(2);
  const bytes = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0xff, 0xfe];
  await board.drop(bytes, "picture.png");
  await board.waitForText(".toast", "This is no text");
  await board.paste(`1. e4 {${"word ".repeat(900_000)}} *`);
  await board.waitForText(".toast", "5 MB of text. Games are read up to 4 MB");
  for (const text of [`${"8/".repeat(500_000)}8 w - - 0 1`, "[".repeat(200_000), "(".repeat(200_000), `${"1. e4 ".repeat(10)}${"{".repeat(100_000)}`]) {
    await board.page.evaluate(() => document.querySelector(".toast button")?.click());
    await board.paste(text);
    await board.page.waitForSelector(".toast");
  }
});

pageTest("files in UTF-8, UTF-16 and Latin-1 are read", async (open) => {
  const board = await open();
  const little = (text) => [...Buffer.from(text, "utf16le")];
  const big = (text) => [...Buffer.from(text, "utf16le").swap16()];
  const files = {
    latin: (text) => [...Buffer.from(text, "latin1")], utf8: (text) => [...Buffer.from(text)], marked: (text) => [...Buffer.from(`\ufeff${text}`)],
    little, big, "marked little": (text) => little(`\ufeff${text}`), "marked big": (text) => big(`\ufeff${text}`),
  };
  for (const [name, encode] of Object.entries(files)) {
    await board.drop(encode(`[White "M\xfcller ${name}"]\n\n1. c4 e5 *`), `${name}.pgn`);
    await board.waitForText(".player", `^Müller ${name}`);
    assert.deepEqual(await board.moves(), ["c4", "e5"]);
  }
  await board.drop([...little("\ufeff1. e4 e5 *"), 0x20], "cut.pgn");
  await board.waitForText(".toast", "This is no text");
});

pageTest("300 variations are shown, stepped through and exported", async (open) => {
  const board = await open();
  await board.page.keyboard.press("e");
  const lines = Array.from({ length: 300 }, (_, at) => `(1. ${["d4", "c4", "Nf3", "g3", "b3"][at % 5]} ${["d5", "Nf6", "e6", "c6", "g6", "d6"][Math.floor(at / 5) % 6]} 2. ${["a3", "h3", "a4", "h4", "e3", "Nc3", "b4", "e4", "Na3", "g4"][Math.floor(at / 30)]})`);
  await board.paste(`1. e4 ${lines.join(" ")} e5 *`);
  await board.waitForMoves(300);
  const { pgn } = await board.exported();
  await board.page.keyboard.press("ArrowRight");
  await board.page.keyboard.press("ArrowDown");
  await board.waitForText(".move[aria-current]", "d4");
  assert.ok((await board.moves()).length > 300);
  await board.paste(pgn);
  assert.equal((await board.exported()).pgn, pgn);
});

pageTest("clicks and keys in any order leave a game that can be read", async (open) => {
  const board = await open();
  let state = 7;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  const [left, bottom, right, top] = (await Promise.all(["a1", "h8"].map((square) => board.middle(square)))).flat();
  const click = (file, rank) => board.page.mouse.click(left + (file * (right - left)) / 7, bottom + (rank * (top - bottom)) / 7);
  const keys = ["ArrowLeft", "ArrowRight", "Home", "End", "ArrowUp", "ArrowDown", " ", "f", "h", "n", "e"];
  for (let action = 0; action < 150; action++) {
    if (action % 30 === 19) await board.tab(["Analyse", "Review", "Play"][(action - 19) / 30 % 3]);
    else if (action % 5 === 4) await board.page.keyboard.press(keys[random(keys.length)]);
    else if (action % 5 === 3) await click(random(8), random(8));
    else {
      // What a pawn or a knight might do, on whichever side of the board.
      const [file, rank, step] = [random(8), random(2), 1 + random(2)];
      const ranks = random(2) ? [rank, rank + step] : [7 - rank, 7 - rank - step];
      await click(file, ranks[0]);
      await click(Math.max(0, Math.min(7, file + random(2) * (random(5) - 2))), ranks[1]);
    }
    if (await board.page.locator(".promotion, dialog").count()) await board.page.keyboard.press("Escape");
  }
  await board.tab("Analyse");
  const { pgn } = await board.exported();
  assert.ok((await board.moves()).length > 5, pgn);
  await board.paste(pgn);
  await board.waitForText(".toast", "Game loaded");
  assert.equal((await board.exported()).pgn, pgn);
});

pageTest("what comes straight after the Escape that closes a dialog is not lost, and closes no other", async (open) => {
  const board = await open();
  await board.menu("Export");
  await board.page.waitForSelector("dialog[open]");
  await board.page.evaluate(() => {
    document.querySelector("dialog").addEventListener("cancel", () => {
      const data = new DataTransfer();
      data.setData("text/plain", "1. e4 *\n\n1. d4 d5 *");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    });
  });
  await board.page.keyboard.press("Escape");
  await board.waitForText("dialog[open] h2", "2 games");
  await board.page.evaluate(() => new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame))));
  assert.equal(await board.page.locator("dialog[open] h2").textContent(), "2 games");
});

pageTest("dialogs and the menu take keys as soon as they are there", async (open) => {
  const board = await open();
  await board.page.evaluate(() => {
    globalThis.late = [];
    new MutationObserver(() => {
      const dialog = document.querySelector("dialog");
      if (dialog && !dialog.open) globalThis.late.push(dialog.textContent);
      const item = document.querySelector("[role=menuitem]");
      if (item && document.activeElement !== item) globalThis.late.push(item.textContent);
    }).observe(document.body, { childList: true, subtree: true });
  });
  for (const name of ["Export", "Games", "Settings"]) {
    await board.menu(name);
    await board.page.waitForSelector("dialog[open]");
    await board.page.keyboard.press("Escape");
    await board.page.waitForSelector("dialog", { state: "detached" });
  }
  assert.deepEqual(await board.page.evaluate(() => globalThis.late), []);
});

pageTest("two tabs keep two games", async (open) => {
  const board = await open({ hash: fenLink(MATE_IN_TWO) });
  const first = board.page;
  await board.click("c6", "b6");
  await board.waitForMoves(1);
  await board.newTab(fenLink("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
  await board.loaded();
  await board.click("e2", "e4");
  await board.waitForMoves(1);
  await board.reload();
  await board.waitForMoves(1);
  assert.deepEqual(await board.moves(), ["e4"]);
  board.page = first;
  await board.reload();
  await board.waitForMoves(1);
  assert.deepEqual(await board.moves(), ["Kb6"]);
});

pageTest("two tabs that go on with one game keep both", async (open) => {
  const board = await open();
  const first = board.page;
  const kept = () => board.page.evaluate(() => new Promise((done) => {
    indexedDB.open("sleight").onsuccess = ({ target: { result } }) => {
      const all = result.transaction("games").objectStore("games").getAll();
      all.onsuccess = () => done(all.result.filter(({ pgn }) => pgn).map(({ pgn }) => pgn.split("\n\n")[1].trim()).sort());
    };
  }));
  const until = async (wanted) => {
    let found;
    for (let tries = 0; tries < 100 && JSON.stringify(found) !== JSON.stringify(wanted); tries++) {
      await board.page.waitForTimeout(100);
      found = await kept();
    }
    assert.deepEqual(found, wanted);
  };
  await board.paste("1. e4 *");
  await board.waitForText(".san", "e4");
  await board.page.keyboard.press("End");
  await until(["1. e4 *"]);
  await board.newTab();
  const second = board.page;
  await board.waitForText(".san", "e4");
  await board.page.keyboard.press("End");
  board.page = first;
  await first.bringToFront();
  await board.click("e7", "e5");
  await until(["1. e4 e5 *"]);
  board.page = second;
  await second.bringToFront();
  await board.click("c7", "c5");
  await board.waitForText(".toast", "Both are kept");
  await until(["1. e4 c5 *", "1. e4 e5 *"]);
  await board.click("g1", "f3");
  await until(["1. e4 c5 2. Nf3 *", "1. e4 e5 *"]);
  board.page = first;
  await first.bringToFront();
  await board.click("d2", "d4");
  await until(["1. e4 c5 2. Nf3 *", "1. e4 e5 2. d4 *"]);
  await board.reload();
  await board.waitForText(".san", "d4");
  await board.click("b8", "c6");
  await until(["1. e4 c5 2. Nf3 *", "1. e4 e5 2. d4 Nc6 *"]);
  await board.menu("Games");
  await board.waitForText(".games h3", "Loaded and analysed 2");
  const marked = (await board.page.locator(".game-list small").allTextContents()).filter((text) => text.includes("went on in another tab, too"));
  assert.equal(marked.length, 1, "the two can be told apart");
});

pageTest("a page that is read from the right has its board as ever", async (open) => {
  const board = await open({ locale: "ar-EG" });
  await board.page.evaluate(() => (document.documentElement.dir = "rtl"));
  await board.page.evaluate(() => dispatchEvent(new Event("resize")));
  await board.drag("e2", "e4");
  await board.waitForMoves(2);
  assert.equal(await board.on("e4"), "white pawn");
  const places = await board.page.evaluate(() => {
    const left = (element) => element.getBoundingClientRect().left;
    const pawn = [...document.querySelectorAll("#board piece.white.pawn")].find(({ cgKey }) => cgKey === "a2");
    return { pawn: left(pawn), square: left(document.querySelector("#square-a2")), overflow: document.documentElement.scrollWidth - innerWidth };
  });
  assert.ok(Math.abs(places.pawn - places.square) < 2 && places.overflow <= 0, JSON.stringify(places));
});

pageTest("a double click does not resign, Back closes a dialog, and a link that cannot be copied is shown", async (open) => {
  const board = await open({ before: () => Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined }) });
  const { page } = board;
  await board.click("e2", "e4");
  await board.waitForMoves(2);
  await board.button("Resign").dblclick();
  await board.button("Sure?").waitFor();
  await board.paste("1. d4 d5 *");
  await board.waitForText(".san", "d5");
  await board.menu("Settings");
  await page.waitForSelector("dialog[open]");
  await page.goBack();
  await page.waitForSelector("dialog", { state: "detached" });
  assert.deepEqual(await board.moves(), ["d4", "d5"]);
  await board.menu("Copy link");
  const link = await page.locator("#link-text").inputValue();
  const other = await open({ hash: new URL(link).hash });
  assert.deepEqual(await other.moves(), ["d4", "d5"]);
});

/**
 * The longest task of the page while something is done, in milliseconds of the processor: what else runs on the machine
 * counts little.
 */
async function longestTask(board, action) {
  const browser = board.context.browser();
  await browser.startTracing(board.page, { categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"] });
  await action();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const main = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`);
  const tasks = traceEvents.filter(({ name, tdur, pid, tid }) => /RunTask/.test(name) && tdur && main.includes(`${pid} ${tid}`));
  assert.ok(tasks.length > 10);
  return Math.max(...tasks.map(({ tdur }) => tdur)) / 1000;
}

pageTest("600 half moves at once, and the search of a list of 100,000 games: no task is long", async (open) => {
  const board = await open({ wait: true });
  await board.page.keyboard.press("e");
  const cycle = ["Nf3 Nf6", "Ng1 Ng8", "Nc3 Nc6", "Nb1 Nb8"];
  const tasks = {};
  tasks["600 half moves"] = await longestTask(board, async () => {
    await board.paste(`${Array.from({ length: 300 }, (_, at) => `${at + 1}. ${cycle[at % 4]}`).join(" ")} *`);
    await board.waitForMoves(600);
  });
  // Not by a paste, whose event takes as long as the text is copied; and the file is made before.
  await board.page.evaluate(() => {
    const game = (at) => `[Event "Open"]\n[White "Player ${at}"]\n[Black "Other ${at % 977}"]\n[Date "${1900 + (at % 120)}.01.01"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n\n`;
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Array.from({ length: 100_000 }, (_, at) => game(at)).join("")], "games.pgn"));
    self.dropped = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
  });
  await board.page.evaluate(() => void setTimeout(() => document.body.dispatchEvent(self.dropped)));
  await board.waitForText("dialog h2", "^100000 games");
  tasks.search = await longestTask(board, async () => {
    await board.page.locator("dialog [type=search]").pressSequentially("other 97");
    await board.page.waitForFunction(() => document.querySelectorAll("dialog .game").length > 5);
  });
  for (const [name, longest] of Object.entries(tasks)) assert.ok(longest < 100, `${name}: ${Math.round(longest)} ms`);
});
