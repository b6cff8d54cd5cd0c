// The engine as the page sees it: UCI lines in and out.

import { InputWriter, sharedInput } from "./input.js";

/** The engine in a worker, with the fastest way of talking to it that the page may use. `onError` gets messages. */
export async function startEngine(onLine, onError) {
  const module = await WebAssembly.compileStreaming(fetch("sleight.wasm"));
  return self.crossOriginIsolated ? new SharedEngine(module, onLine, onError) : new RestartedEngine(module, onLine, onError);
}

function startWorker(message, onLine, onError) {
  const worker = new Worker("worker.js", { type: "module" });
  worker.onerror = ({ message }) => onError(message ?? "the worker cannot be loaded");
  worker.onmessage = ({ data }) => onLine(data);
  worker.postMessage(message);
  return worker;
}

/** Input through shared memory, which a search looks at about once in a millisecond. */
class SharedEngine {
  constructor(module, onLine, onError) {
    const input = sharedInput();
    this.writer = new InputWriter(input);
    this.waiting = [];
    startWorker({ module, input }, (line) => line !== null && onLine(line), onError);
  }

  send(line) {
    this.waiting.push(line);
    this.flush();
  }

  flush() {
    while (this.waiting.length > 0 && this.writer.write(this.waiting[0])) this.waiting.shift();
    if (this.waiting.length > 0) setTimeout(() => this.flush(), 5);
  }
}

/**
 * Where the page may not share memory: a worker for each search, ended by `stop`. The best line so far is the answer then,
 * and the transposition table is lost.
 */
class RestartedEngine {
  constructor(module, onLine, onError) {
    Object.assign(this, { module, onLine, onError, options: new Map(), position: "position startpos", worker: null, best: null });
  }

  send(line) {
    const [command, , name] = line.split(" ");
    if (command === "setoption") this.options.set(name, line);
    else if (command === "position") this.position = line;
    else if (command === "isready") this.onLine("readyok");
    else if (command === "go") this.run([...this.options.values(), this.position, unlimited(line)]);
    else if (command === "uci") this.run(["uci"]);
    else if (command === "stop" && this.worker) {
      this.end();
      this.onLine(`bestmove ${this.best ?? "(none)"}`);
    }
  }

  run(commands) {
    this.end();
    this.best = null;
    this.worker = startWorker({ module: this.module, arguments: commands }, (line) => {
      if (line === null) return this.end();
      if (/ multipv 1 /.test(line)) this.best = / pv (\S+)/.exec(line)?.[1] ?? this.best;
      this.onLine(line);
    }, this.onError);
  }

  end() {
    this.worker?.terminate();
    this.worker = null;
  }
}

/** Commands that are arguments end an infinite search when there are no more of them. */
function unlimited(go) {
  return go.replace("infinite", "movetime 1000000000");
}
