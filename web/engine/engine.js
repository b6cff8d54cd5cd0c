// The engine, UCI lines in and out: in a page or in Node.js, with threads or, where memory cannot be shared, without.

import { sharedInput, InputWriter } from "./input.js";
import { Replay, isShort, shortened } from "./replay.js";

/** Pages of 64 KiB: what the threaded build declares, see build.rs. */
const INITIAL_PAGES = 256;
/** 1 GiB, or, where a device refuses to reserve that much, less. */
const MAXIMUM_PAGES = [16384, 8192, 4096];

/**
 * @typedef {import("./engine.d.ts").EngineSettings} EngineSettings
 * @typedef {import("./engine.d.ts").Engine} Engine
 */

/**
 * Loads and starts the engine.
 * @param {EngineSettings} settings
 * @returns {Promise<Engine>} rejected if the engine cannot be loaded or started
 */
export async function createEngine(settings = {}) {
  const { base = new URL("./", import.meta.url), onProgress = () => {} } = settings;
  const platform = globalThis.process?.versions?.node && !globalThis.document ? nodePlatform() : browserPlatform();
  const files = new URL(base, globalThis.document?.baseURI ?? globalThis.location?.href ?? import.meta.url);
  const memory = settings.threaded !== false && platform.sharesMemory ? sharedMemory() : null;
  const name = memory ? "sleight-threads.wasm" : "sleight.wasm";
  const module = await platform.load(new URL(name, files), onProgress);
  const start = () => platform.start(new URL("worker.js", files));
  const engine = memory ? new ThreadedEngine(start, module, memory, platform.cores, settings) : new SingleEngine(start, module, settings);
  await engine.started;
  for (const [option, value] of [["Threads", settings.threads], ["Hash", settings.hash]]) {
    if (value) engine.send(`setoption name ${option} value ${value}`);
  }
  return {
    send: (line) => engine.send(line),
    terminate: () => engine.terminate(),
    threaded: Boolean(memory),
    maxThreads: engine.cores,
  };
}

/** @returns {WebAssembly.Memory | null} null if there is no memory to share */
function sharedMemory() {
  for (const maximum of MAXIMUM_PAGES) {
    try {
      return new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum, shared: true });
    } catch {
      // The next one is smaller.
    }
  }
  return null;
}

/**
 * Workers and files, which pages and Node.js have in different forms.
 * @typedef {object} Platform
 * @property {boolean} sharesMemory
 * @property {number} cores
 * @property {(url: URL, onProgress: (fraction: number) => void) => Promise<WebAssembly.Module>} load
 * @property {(url: URL) => EngineWorker} start
 */

/**
 * @typedef {object} EngineWorker
 * @property {(message: any) => void} post
 * @property {() => void} terminate
 * @property {(message: any) => void} onMessage set by its user
 */

/** @returns {Platform} */
function browserPlatform() {
  return {
    sharesMemory: globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer !== "undefined",
    cores: navigator.hardwareConcurrency || 1,
    load: fetchModule,
    start(url) {
      const worker = new Worker(url, { type: "module", name: "sleight" });
      const ours = { post: (message) => worker.postMessage(message), terminate: () => worker.terminate(), onMessage: (_) => {} };
      worker.onmessage = ({ data }) => ours.onMessage(data);
      worker.onerror = ({ message }) => ours.onMessage({ failed: message ?? `${url} cannot be loaded` });
      return ours;
    },
  };
}

/** @returns {Platform} */
function nodePlatform() {
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  return {
    sharesMemory: true,
    cores: process.getBuiltinModule("node:os").availableParallelism(),
    async load(url, onProgress) {
      const bytes = await process.getBuiltinModule("node:fs/promises").readFile(url);
      onProgress(1);
      return WebAssembly.compile(bytes);
    },
    start(url) {
      // Not the arguments of this process, such as a type of the input that a file does not have.
      const worker = new Worker(url, { execArgv: [] });
      const ours = { post: (message) => worker.postMessage(message), terminate: () => void worker.terminate(), onMessage: (_) => {} };
      worker.on("message", (message) => ours.onMessage(message));
      worker.on("error", (error) => ours.onMessage({ failed: String(error) }));
      return ours;
    },
  };
}

/**
 * Fetches and compiles at the same time.
 * @param {URL} url
 * @param {(fraction: number) => void} onProgress
 */
async function fetchModule(url, onProgress) {
  const [response, size] = await Promise.all([fetch(url), fileSize(url)]);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  const counted = countBytes(response.clone(), size, onProgress);
  const isWasm = response.headers.get("content-type")?.startsWith("application/wasm");
  const module = isWasm ? WebAssembly.compileStreaming(response) : response.arrayBuffer().then(WebAssembly.compile);
  const [compiled] = await Promise.all([module, counted]);
  onProgress(1);
  return compiled;
}

/** The size of a file before compression, which its response does not tell if it is compressed; 0 if it is not known. */
async function fileSize(url) {
  try {
    const sizes = await (await fetch(new URL("sizes.json", url))).json();
    return sizes[url.pathname.split("/").pop()] ?? 0;
  } catch {
    return 0;
  }
}

async function countBytes(response, size, onProgress) {
  const headers = response.headers;
  const total = size || (headers.has("content-encoding") ? 0 : Number(headers.get("content-length")));
  let done = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { value } = await reader.read();
    if (!value) return;
    done += value.length;
    if (total > 0) onProgress(Math.min(1, done / total));
  }
}

/** What both builds have in common. */
class RunningEngine {
  /**
   * @param {EngineSettings} settings
   * @param {number} cores
   */
  constructor({ onLine = () => {}, onExit = () => {} }, cores) {
    this.onLine = onLine;
    this.onExit = onExit;
    this.cores = cores;
    this.ended = false;
    /** The last lines of standard error, which say more than a trap does. */
    this.errors = [];
    this.running = false;
    this.started = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  /** Handles what a worker of any kind says; returns true if that was all. */
  takes(message) {
    if (this.ended) return true;
    if ("error" in message) this.errors = [...this.errors, message.error].slice(-5);
    else if ("failed" in message) this.end([...this.errors, message.failed].join("\n"));
    else if ("exit" in message) this.end(message.exit === 0 ? "quit" : [...this.errors, `exit code ${message.exit}`].join("\n"));
    else return false;
    return true;
  }

  /** More threads than the machine has would only wait for each other. */
  withinCores(line) {
    return line.replace(/^(\s*setoption\s+name\s+threads\s+value\s+)(\d+)/i, (_, text, n) => text + Math.min(n, this.cores));
  }

  hasStarted() {
    this.running = true;
    this.resolve();
  }

  end(reason) {
    this.terminate();
    // Either the caller has an engine whose end he hears of, or he never gets one.
    if (this.running) this.onExit(reason);
    else this.reject(new Error(reason));
  }
}

/** The threaded build: a worker for each thread. They share memory, through which the one that reads gets its input. */
class ThreadedEngine extends RunningEngine {
  constructor(start, module, memory, cores, settings) {
    super(settings, cores);
    Object.assign(this, { start, workers: new Map(), early: new Map(), received: 0 });
    const input = sharedInput();
    this.input = new InputWriter(input);
    this.message = { module, memory, input, threads: new SharedArrayBuffer(8) };
    this.startThread(null);
  }

  startThread(start) {
    const worker = this.start();
    this.workers.set(start?.id ?? 0, worker);
    worker.onMessage = (message) => this.sort(message);
    worker.post({ ...this.message, start });
  }

  /** Takes messages in the order in which they were posted: the end of one worker may overtake the last line of another. */
  sort(message) {
    if (message.order === undefined) return this.receive(message);
    this.early.set(message.order, message);
    for (let next; (next = this.early.get(this.received)); this.received++) {
      this.early.delete(this.received);
      this.receive(next);
    }
  }

  receive(message) {
    if (this.takes(message)) return;
    if ("line" in message) this.onLine(this.withMaximum(message.line));
    else if ("spawn" in message) this.startThread({ id: message.spawn.id, argument: message.spawn.argument });
    else if ("ended" in message) this.endThread(message.ended);
    else this.hasStarted();
  }

  endThread(id) {
    this.workers.get(id)?.terminate();
    this.workers.delete(id);
  }

  send(line) {
    if (!this.ended) this.input.write(this.withinCores(line));
  }

  withMaximum(line) {
    return line.startsWith("option name Threads ") ? line.replace(/ max \d+/, ` max ${this.cores}`) : line;
  }

  terminate() {
    this.ended = true;
    this.workers.forEach((worker) => worker.terminate());
    this.workers.clear();
  }
}

/**
 * The single-threaded build: one worker, which reads a line when it has executed the one before. A search is ended by
 * ending the worker; the next one is told the options and the position again, and has an empty transposition table.
 */
class SingleEngine extends RunningEngine {
  constructor(start, module, settings) {
    super(settings, 1);
    Object.assign(this, { start, module, replay: new Replay() });
    /** What a new worker must be told first, and what the caller has sent since. */
    Object.assign(this, { repeated: [], queue: [] });
    this.startWorker();
  }

  startWorker() {
    const worker = this.start();
    Object.assign(this, { worker, isBusy: true, isRepeating: true, mayInterrupt: false });
    worker.onMessage = (message) => worker === this.worker && this.receive(message);
    worker.post({ module: this.module });
  }

  receive(message) {
    if (this.takes(message)) return;
    if ("line" in message) this.show(message.line);
    else {
      this.isBusy = false;
      this.next();
      this.hasStarted();
    }
  }

  show(line) {
    this.replay.read(line);
    // The answers to what is repeated have been shown.
    if (!this.isRepeating) this.onLine(line);
  }

  send(line) {
    if (this.ended) return;
    const command = line.trim().split(/\s+/)[0].toLowerCase();
    const isSearching = this.isBusy && this.replay.search !== "";
    if (command === "isready" && isSearching) return this.onLine("readyok");
    if (command === "stop" && this.isBusy) return this.stop();
    // A new search ends the one in progress.
    if (command === "quit" ? this.isBusy : command === "go" && isSearching) this.stop();
    this.queue.push(this.withinCores(line));
    this.next();
  }

  next() {
    if (this.isBusy) return;
    this.isRepeating = this.repeated.length > 0;
    const line = this.isRepeating ? this.repeated.shift() : this.queue.shift();
    if (line === undefined) return;
    Object.assign(this, { isBusy: true, mayInterrupt: !this.isRepeating && !isShort(line) });
    this.replay.write(line);
    this.worker.post(line);
  }

  /** Ends what the worker does, and answers in its place. The searches that wait are to be short. */
  stop() {
    this.queue = this.queue.map(shortened);
    if (!this.mayInterrupt) return;
    const { search, answer } = this.replay;
    this.repeated = this.replay.lines();
    if (search && !answer) this.queue.unshift(shortened(search));
    this.worker.terminate();
    this.startWorker();
    if (search && answer) this.onLine(answer);
  }

  terminate() {
    this.ended = true;
    this.worker.terminate();
  }
}
