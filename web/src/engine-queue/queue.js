// The engine, asked one thing after the other: every search has a token, a new one ends the one before, and what a search
// still prints after it was given up reaches nobody.

import { parseBestMove, parseInfo, parseOption } from "./uci.js";

/** @typedef {import("./uci.js").Line} Line */
/** @typedef {{ send(line: string): void, terminate(): void, threaded: boolean, maxThreads: number }} Engine */
/**
 * @typedef {{ base: string, onProgress(fraction: number): void, onLine(line: string): void, onExit(reason: string): void }} EngineArguments
 * @typedef {(args: EngineArguments) => Promise<Engine>} CreateEngine
 * @typedef {{ position: string, go: string, options?: Record<string, string | number | boolean>, newGame?: boolean,
 *   onLine?: (line: Line) => void }} Search
 * @typedef {{ move: string, lines: Line[], stopped: boolean }} Answer `stopped`: given up, of no use
 * @typedef {{ search: Search, token: number, lines: Line[], stopped: boolean, done(answer: Answer): void }} Job
 * @typedef {{ phase: "loading", fraction: number } | { phase: "ready", threaded: boolean, maxThreads: number }
 *   | { phase: "failed", reason: string }} State
 */

/**
 * Milliseconds of silence during a search until the engine is asked whether it is there, and again until it is taken for
 * dead: a browser ends a worker without a word.
 */
const LONGEST_SILENCE = 20_000;

export class EngineQueue {
  /**
   * @param {CreateEngine} create
   * @param {{ base: string, hash: number, threads: number }} settings `hash` in MiB
   * @param {(state: State) => void} onState
   */
  constructor(create, settings, onState) {
    this.create = create;
    this.settings = settings;
    this.onState = onState;
    /** @type {Engine | null} */
    this.engine = null;
    /** @type {Map<string, import("./uci.js").Option>} */
    this.options = new Map();
    /** @type {Map<string, string>} */
    this.sent = new Map();
    /** @type {Job | null} */
    this.current = null;
    /** @type {Job | null} */
    this.next = null;
    /** Its name and version, as it tells them. */
    this.name = "";
    this.tokens = 0;
    this.restarts = 0;
    this.generation = 0;
    this.ready = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.silence = undefined;
  }

  /** Loads the engine; what was asked before is answered then. */
  async start() {
    const generation = ++this.generation;
    const mine = () => generation === this.generation;
    this.sent.clear();
    this.onState({ phase: "loading", fraction: 0 });
    try {
      const engine = await this.create({
        base: this.settings.base,
        onProgress: (fraction) => mine() && !this.ready && this.onState({ phase: "loading", fraction }),
        onLine: (line) => mine() && this.read(line),
        onExit: (reason) => mine() && this.died(reason),
      });
      if (!mine()) return engine.terminate();
      this.engine = engine;
      engine.send("uci");
    } catch (error) {
      if (mine()) this.died(error instanceof Error ? error.message : String(error));
    }
  }

  /** Ends the engine and starts it once more, with other settings. @param {{ hash?: number, threads?: number }} [settings] */
  restart(settings = {}) {
    Object.assign(this.settings, settings);
    this.restarts = 0;
    this.end();
    return this.start();
  }

  end() {
    clearTimeout(this.silence);
    this.generation++;
    this.engine?.terminate();
    this.engine = null;
    this.ready = false;
    if (this.current) this.retry(this.current);
  }

  /** A search that the engine did not finish is asked once more, unless there is another one. @param {Job} job */
  retry(job) {
    this.current = null;
    if (job.stopped || this.next) this.giveUp(job);
    else {
      job.lines = [];
      this.next = job;
    }
  }

  /** @param {string} reason */
  died(reason) {
    this.end();
    if (this.restarts++ === 0) return void this.start();
    if (this.next) this.giveUp(this.next);
    this.next = null;
    this.onState({ phase: "failed", reason });
  }

  /**
   * Asks for a search. The one that is running or waiting is given up.
   * @param {Search} search
   * @returns {{ answer: Promise<Answer>, stop(): void }} `stop` gives the search up
   */
  search(search) {
    this.stop();
    const token = ++this.tokens;
    /** @type {Promise<Answer>} */
    const answer = new Promise((done) => {
      this.next = { search, token, lines: [], stopped: false, done };
    });
    this.advance();
    return { answer, stop: () => this.isActive(token) && this.stop() };
  }

  /** @param {number} token */
  isActive(token) {
    return this.next?.token === token || (this.current?.token === token && !this.current.stopped);
  }

  /** Gives up what is running and what is waiting. */
  stop() {
    if (this.next) {
      this.giveUp(this.next);
      this.next = null;
    }
    if (this.current && !this.current.stopped) {
      this.current.stopped = true;
      this.engine?.send("stop");
    }
  }

  /** @param {Job} job */
  giveUp(job) {
    job.done({ move: "", lines: job.lines, stopped: true });
  }

  advance() {
    if (!this.ready || this.current || !this.next) return;
    const job = this.next;
    this.next = null;
    this.current = job;
    const { position, go, options = {}, newGame } = job.search;
    if (newGame) this.engine?.send("ucinewgame");
    for (const [name, value] of Object.entries({ ...this.resources(), ...options })) this.setOption(name, String(value));
    this.engine?.send(`position ${position}`);
    this.engine?.send(`go ${go}`);
    this.listen();
  }

  /**
   * Asks an engine that is silent during a search whether it is there, and ends it if it stays silent. A search without
   * limits may have no more to say, and waits for `stop`.
   * @param {boolean} [asked]
   */
  listen(asked = false) {
    clearTimeout(this.silence);
    if (!this.current) return;
    this.silence = setTimeout(() => {
      if (asked) return this.died("it does not answer");
      // Before the question, which may be answered at once.
      this.listen(true);
      this.engine?.send("isready");
    }, LONGEST_SILENCE);
  }

  /** Sends an option that the engine has, if it is not set so already. @param {string} name @param {string} value */
  setOption(name, value) {
    if (!this.options.has(name) || this.sent.get(name) === value) return;
    this.sent.set(name, value);
    this.engine?.send(`setoption name ${name} value ${value}`);
  }

  /** @param {string} text */
  read(text) {
    const option = parseOption(text);
    if (text.startsWith("id name ")) this.name = text.slice("id name ".length);
    else if (option) this.options.set(option.name, option.option);
    else if (text === "uciok") this.configure();
    else if (text === "readyok") this.announce();
    else this.readSearch(text);
    this.listen();
  }

  configure() {
    this.setOption("UCI_ShowWDL", "true");
    this.setOption("UCI_Chess960", "true");
    for (const [name, value] of Object.entries(this.resources())) this.setOption(name, String(value));
    this.engine?.send("isready");
  }

  /** Memory and threads of a search that does not ask for others. */
  resources() {
    return { Hash: this.settings.hash, Threads: Math.min(this.settings.threads, this.engine?.maxThreads ?? 1) };
  }

  announce() {
    if (this.ready || !this.engine) return;
    this.ready = true;
    const { threaded, maxThreads } = this.engine;
    this.onState({ phase: "ready", threaded, maxThreads });
    this.advance();
  }

  /** @param {string} text */
  readSearch(text) {
    const job = this.current;
    if (!job) return;
    const line = parseInfo(text);
    if (line && !job.stopped) {
      if (!line.bound || !job.lines[line.index]) job.lines[line.index] = line;
      job.search.onLine?.(line);
    }
    const move = parseBestMove(text);
    if (move === null) return;
    this.current = null;
    this.restarts = 0;
    job.done({ move, lines: job.lines, stopped: job.stopped });
    this.advance();
  }
}
