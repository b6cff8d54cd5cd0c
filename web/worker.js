// The engine's worker: runs sleight.wasm, a WASI program, and posts each line that it prints.
//
// The first message says how: with `input`, shared memory, as UCI on standard input; with `arguments`, as UCI commands
// that are executed one after the other, after which `null` is posted.

import { ConsoleStdout, Fd, WASI, wasi as defs } from "@bjorn3/browser_wasi_shim";
import { InputReader } from "./input.js";

class Stdin extends Fd {
  constructor(input) {
    super();
    this.input = input;
  }

  fd_read(size) {
    return { ret: 0, data: this.input ? this.input.read(size) : new Uint8Array(0) };
  }

  isReady() {
    return !this.input || this.input.isReady();
  }
}

/** The library waits for a clock only; here one subscription is to standard input, and the other one ends at once. */
function pollOneoff(host, stdin, subscriptions, events, count, countOut) {
  const view = new DataView(host.inst.exports.memory.buffer);
  let ready = 0;
  for (let i = 0; i < count; i++) {
    const at = subscriptions + 48 * i;
    const type = view.getUint8(at + 8);
    if (type === defs.EVENTTYPE_FD_READ && !stdin.isReady()) continue;
    const event = events + 32 * ready++;
    view.setBigUint64(event, view.getBigUint64(at, true), true);
    view.setUint16(event + 8, 0, true);
    view.setUint8(event + 10, type);
    view.setBigUint64(event + 16, 1n, true);
    view.setUint16(event + 24, 0, true);
  }
  view.setUint32(countOut, ready, true);
  return 0;
}

async function run({ module, input, arguments: commands = [] }) {
  const stdin = new Stdin(input && new InputReader(input));
  const stdout = ConsoleStdout.lineBuffered((line) => self.postMessage(line));
  const stderr = ConsoleStdout.lineBuffered((line) => console.warn(line));
  const host = new WASI(["sleight", ...commands], [], [stdin, stdout, stderr]);
  host.wasiImport.poll_oneoff = (...memory) => pollOneoff(host, stdin, ...memory);
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: host.wasiImport });
  host.start(instance);
  self.postMessage(null);
}

// Thrown outside a promise, so that the page hears of it.
self.onmessage = ({ data }) => run(data).catch((error) => setTimeout(() => { throw error; }));
