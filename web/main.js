// The page: board, controls, and what the engine is asked.

import { Chessground } from "chessground";
import { clearAnalysis, parseInfo, showInfo } from "./analysis.js";
import { startEngine } from "./engine.js";
import { Game } from "./game.js";

const element = (id) => document.getElementById(id);
const value = (id) => element(id).value;

let engine;
let game = new Game();
/** What the engine is doing: nothing, "move" or "analyse". */
let task = null;
/** What it was doing is not wanted any more: its `bestmove` has yet to come. */
let discarded = false;
const board = Chessground(element("board"), { movable: { free: false, events: { after: onBoardMove } } });

/** The side that the engine plays. */
function engineSide() {
  return { white: "black", black: "white" }[value("side-select")];
}

function onLine(line) {
  const info = parseInfo(line);
  if (info && task && !discarded) showInfo(info, game);
  if (!line.startsWith("bestmove")) return;
  const playing = task === "move" && !discarded;
  [task, discarded] = [null, false];
  if (playing) game.playUci(line.split(" ")[1]);
  show();
}

async function onBoardMove(from, to) {
  let promotion = "";
  if (game.isPromotion(from, to)) {
    element("promotion").returnValue = "q";
    element("promotion").showModal();
    await new Promise((done) => element("promotion").addEventListener("close", done, { once: true }));
    promotion = element("promotion").returnValue || "q";
  }
  game.playUci(from + to + promotion);
  change();
}

/** Ends what the engine is doing, as it is for another position or with other options. */
function change() {
  if (task && !discarded) {
    discarded = true;
    engine.send("stop");
  }
  show();
}

/** Shows the game and has the engine do what is its turn. */
function show() {
  const player = value("side-select");
  board.set({
    fen: game.fen,
    turnColor: game.turn,
    lastMove: game.lastMove,
    check: game.position.isCheck(),
    movable: { color: player === "both" ? game.turn : player, dests: game.dests },
  });
  element("fen").value = game.fen;
  element("moves").textContent = game.sans.map((san, at) => (at % 2 === 0 ? `${at / 2 + 1}. ${san}` : san)).join(" ");
  const pgn = game.pgn({ White: playerName("white"), Black: playerName("black") });
  if (document.activeElement !== element("pgn")) element("pgn").value = pgn;
  element("save-pgn").href = `data:application/x-chess-pgn,${encodeURIComponent(pgn)}`;
  if (task === null && engine) nextTask();
  element("stop").disabled = task === null;
  const waiting = { move: "Sleight is thinking", analyse: "Analysis" }[task] ?? "Your move";
  element("status").textContent = game.isOver ? `Game over: ${game.result}` : waiting;
}

function playerName(side) {
  return side === engineSide() ? `Sleight ${element("level").selectedOptions[0]?.text ?? ""}` : "Human";
}

function nextTask() {
  if (game.isOver) return;
  const moves = game.turn === engineSide();
  if (!moves && !element("analyse").checked) return;
  const elo = value("level");
  const limited = moves && elo !== "full";
  clearAnalysis();
  engine.send(`setoption name UCI_LimitStrength value ${limited}`);
  if (limited) engine.send(`setoption name UCI_Elo value ${elo}`);
  engine.send(`setoption name MultiPV value ${moves ? 1 : value("lines")}`);
  engine.send(`position ${game.uci}`);
  engine.send(moves ? `go movetime ${Math.round(1000 * Number(value("seconds")))}` : "go infinite");
  task = moves ? "move" : "analyse";
}

function setGame(make) {
  try {
    game = make();
    engine?.send("ucinewgame");
    element("pgn").blur();
    change();
  } catch (error) {
    element("status").textContent = `Not possible: ${error.message}`;
  }
}

function listen() {
  const on = (id, event, handler) => element(id).addEventListener(event, handler);
  on("new", "click", () => setGame(() => new Game()));
  on("undo", "click", () => {
    game.undo(game.turn === engineSide() || engineSide() === undefined ? 1 : 2);
    change();
  });
  on("flip", "click", () => board.toggleOrientation());
  on("stop", "click", () => {
    element("analyse").checked = false;
    engine.send("stop");
  });
  on("analyse", "change", change);
  on("lines", "change", change);
  on("level", "change", change);
  on("side-select", "change", () => {
    if (value("side-select") !== "both") board.set({ orientation: value("side-select") });
    change();
  });
  on("set-fen", "click", () => setGame(() => new Game(value("fen").trim())));
  on("set-pgn", "click", () => setGame(() => Game.fromPgn(value("pgn"))));
  element("promotion").querySelectorAll("button").forEach((button) =>
    button.addEventListener("click", () => element("promotion").close(button.value)),
  );
}

/** Has the page loaded once more with the headers that allow shared memory, where a service worker can add them. */
async function shareMemory() {
  if (self.crossOriginIsolated || !navigator.serviceWorker || new URLSearchParams(location.search).has("unshared")) return;
  await navigator.serviceWorker.register("sw.js");
  await navigator.serviceWorker.ready;
  if (sessionStorage.getItem("reloaded")) return;
  sessionStorage.setItem("reloaded", "yes");
  location.reload();
  await new Promise(() => {});
}

async function start() {
  for (const elo of [1350, 1600, 1850, 2100, 2350, 2600]) element("level").add(new Option(`${elo} Elo`, elo));
  element("level").add(new Option("full strength", "full", true, true));
  listen();
  show();
  await shareMemory();
  engine = await startEngine(onLine, fail);
  for (const option of ["Hash value 64", "UCI_ShowWDL value true", "UCI_Chess960 value true"]) {
    engine.send(`setoption name ${option}`);
  }
  show();
}

function fail(message) {
  [engine, task, discarded] = [null, null, false];
  element("status").textContent = `The engine failed: ${message}`;
}

start().catch((error) => fail(error.message));
