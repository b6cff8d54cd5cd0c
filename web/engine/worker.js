// A worker of the engine: a thread of the threaded build, or all of the single-threaded one.
//
// The first message says which: `{ module, memory, input, threads }` is the main thread, with `start` added one that the
// engine has started; `{ module }` alone is the single-threaded engine, whose lines come as further messages. The worker
// posts `{ started }` once, `{ line }` for each line of output, `{ error }` for each line of standard error, `{ spawn }`
// for each thread to start, `{ idle }` when all lines have been executed, and `{ exit }` or `{ failed }` at its end.
// Messages of different workers may overtake each other: in the threaded build, each has its number in `order`.

import { InputReader } from "./input.js";
import { Exit, wasiImports } from "./wasi.js";

// In Node.js, a worker's messages go through a port.
const port = globalThis.process?.getBuiltinModule?.("node:worker_threads")?.parentPort ?? globalThis;
/** What the threads share: how many have been started, and how many messages were posted. */
let shared = /** @type {Int32Array | null} */ (null);
const post = (message) => port.postMessage(shared ? { ...message, order: Atomics.add(shared, 1, 1) } : message);

/**
 * Runs `work`, and tells the page how it ended.
 * @param {() => boolean | void} work false if the engine has ended
 */
function run(work) {
  try {
    if (work() === false) post({ exit: 0 });
  } catch (error) {
    if (error instanceof Exit) post({ exit: error.code });
    else post({ failed: String(error) });
  }
}

function host(read, memory) {
  return {
    memory,
    arguments: ["sleight"],
    read,
    onLine: (line) => post({ line }),
    onError: (error) => post({ error }),
  };
}

function runThread({ module, memory, input, threads, start }) {
  const reader = new InputReader(input);
  shared = new Int32Array(threads);
  // The page starts the worker: this one could not while it waits.
  const spawn = (argument) => {
    const id = Atomics.add(shared, 0, 1) + 1;
    post({ spawn: { id, argument } });
    return id;
  };
  run(() => {
    const instance = new WebAssembly.Instance(module, {
      env: { memory },
      wasi: { "thread-spawn": spawn },
      wasi_snapshot_preview1: wasiImports(module, host((size) => reader.read(size), () => memory)),
    });
    post({ started: true });
    if (!start) {
      instance.exports._start();
      return false;
    }
    instance.exports.wasi_thread_start(start.id, start.argument);
    post({ ended: start.id });
  });
}

function runAlone({ module }) {
  const lines = [];
  let rest = new Uint8Array(0);
  const read = (size) => {
    if (rest.length === 0) {
      const line = lines.shift();
      if (line === undefined) return null;
      rest = new TextEncoder().encode(`${line}\n`);
    }
    const data = rest.subarray(0, size);
    rest = rest.subarray(data.length);
    return data;
  };
  run(() => {
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: wasiImports(module, host(read, () => instance.exports.memory)),
    });
    // Ends with the first read, as there is no line yet.
    instance.exports._start();
    port.onmessage = ({ data }) => {
      lines.push(data);
      run(() => {
        if (!instance.exports.resume()) return false;
        post({ idle: true });
      });
    };
    post({ started: true });
  });
}

port.onmessage = ({ data }) => (data.memory ? runThread(data) : runAlone(data));
