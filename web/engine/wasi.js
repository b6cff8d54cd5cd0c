// The part of WASI preview 1 that the engine uses: standard streams, clocks, random numbers and sleep. There are no files.

const [SUCCESS, AGAIN, BADF, NOSYS] = [0, 6, 8, 52];
const CLOCK_REALTIME = 0;
const EVENT_CLOCK = 0;
const CLOCK_IS_ABSOLUTE = 1;

/** Thrown through the engine's frames by its exit. */
export class Exit extends Error {
  /** @param {number} code */
  constructor(code) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

/** Nanoseconds since 1970, the same in all workers, whose own clocks begin when they are started. */
function now() {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6));
}

/** Collects what is written to a stream, and passes it on by lines. */
class LineBuffer {
  /** @param {(line: string) => void} onLine */
  constructor(onLine) {
    this.onLine = onLine;
    this.decoder = new TextDecoder();
    this.rest = "";
  }

  /** @param {Uint8Array} bytes not of shared memory, which cannot be decoded */
  write(bytes) {
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split("\n");
    this.rest = /** @type {string} */ (lines.pop());
    lines.forEach(this.onLine);
  }
}

/**
 * What WASI functions need of the host.
 * @typedef {object} Host
 * @property {() => WebAssembly.Memory} memory
 * @property {string[]} arguments the first is the name of the program
 * @property {(size: number) => Uint8Array | null} read standard input; null if there is none yet
 * @property {(line: string) => void} onLine a line of standard output
 * @property {(line: string) => void} onError a line of standard error
 */

/**
 * The functions that `module` imports; those that are missing here fail.
 * @param {WebAssembly.Module} module
 * @param {Host} host
 * @returns {Record<string, Function>}
 */
export function wasiImports(module, host) {
  const known = wasiFunctions(host);
  const imports = WebAssembly.Module.imports(module).filter(({ module }) => module === "wasi_snapshot_preview1");
  // Files are none of those that are open.
  const missing = (name) => () => (/^fd_/.test(name) ? BADF : NOSYS);
  return Object.fromEntries(imports.map(({ name }) => [name, known[name] ?? missing(name)]));
}

/** @param {Host} host */
function wasiFunctions(host) {
  // Made anew for each call: memory that grows gets another buffer.
  const view = () => new DataView(host.memory().buffer);
  const bytes = (at, length) => new Uint8Array(host.memory().buffer, at, length);
  const setU32 = (at, value) => view().setUint32(at, value, true);
  const streams = [null, new LineBuffer(host.onLine), new LineBuffer(host.onError)];
  const args = host.arguments.map((argument) => new TextEncoder().encode(`${argument}\0`));
  const buffers = (list, count) =>
    Array.from({ length: count }, (_, i) => [view().getUint32(list + 8 * i, true), view().getUint32(list + 8 * i + 4, true)]);

  return {
    args_sizes_get(count, size) {
      setU32(count, args.length);
      setU32(size, args.reduce((sum, arg) => sum + arg.length, 0));
      return SUCCESS;
    },
    args_get(pointers, text) {
      args.forEach((arg, i) => {
        setU32(pointers + 4 * i, text);
        bytes(text, arg.length).set(arg);
        text += arg.length;
      });
      return SUCCESS;
    },
    environ_sizes_get(count, size) {
      setU32(count, 0);
      setU32(size, 0);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    fd_write(fd, list, count, written) {
      const stream = streams[fd];
      if (!stream) return BADF;
      let total = 0;
      for (const [at, length] of buffers(list, count)) {
        stream.write(bytes(at, length).slice());
        total += length;
      }
      setU32(written, total);
      return SUCCESS;
    },
    fd_read(fd, list, count, read) {
      if (fd !== 0) return BADF;
      const [first] = buffers(list, count).filter(([, length]) => length > 0);
      const data = first ? host.read(first[1]) : new Uint8Array(0);
      if (!data) return AGAIN;
      if (first) bytes(first[0], data.length).set(data);
      setU32(read, data.length);
      return SUCCESS;
    },
    fd_fdstat_get(fd, stat) {
      if (fd > 2) return BADF;
      // Of an unknown type: no terminal.
      bytes(stat, 24).fill(0);
      return SUCCESS;
    },
    clock_time_get(clock, _precision, time) {
      view().setBigUint64(time, now(), true);
      return clock >= CLOCK_REALTIME ? SUCCESS : NOSYS;
    },
    random_get(at, length) {
      // Not into shared memory, and 65,536 bytes at most at a time.
      for (let done = 0; done < length; done += 65536) {
        bytes(at + done, Math.min(65536, length - done)).set(crypto.getRandomValues(new Uint8Array(Math.min(65536, length - done))));
      }
      return SUCCESS;
    },
    sched_yield: () => SUCCESS,
    poll_oneoff(subscriptions, events, count, ready) {
      setU32(ready, poll(view(), subscriptions, events, count));
      return SUCCESS;
    },
    proc_exit(code) {
      throw new Exit(code);
    },
  };
}

/**
 * Waits for the first of the clocks among the subscriptions. Streams are always ready.
 * @returns {number} the number of events
 */
function poll(memory, subscriptions, events, count) {
  const subscribed = Array.from({ length: count }, (_, i) => {
    const at = subscriptions + 48 * i;
    const type = memory.getUint8(at + 8);
    if (type !== EVENT_CLOCK) return { at, type, until: 0n };
    const time = memory.getBigUint64(at + 24, true);
    const isAbsolute = memory.getUint16(at + 40, true) & CLOCK_IS_ABSOLUTE;
    return { at, type, until: isAbsolute ? time : now() + time };
  });
  const first = subscribed.reduce((least, { until }) => (until < least ? until : least), subscribed[0].until);
  sleepUntil(first);
  const ready = subscribed.filter(({ until }) => until <= first);
  ready.forEach(({ at, type }, i) => {
    const event = events + 32 * i;
    memory.setBigUint64(event, memory.getBigUint64(at, true), true);
    memory.setUint16(event + 8, 0, true);
    memory.setUint8(event + 10, type);
    memory.setBigUint64(event + 16, 1n, true);
    memory.setUint16(event + 24, 0, true);
  });
  return ready.length;
}

/** Where no memory is shared, nothing can wait. */
const sleeper = typeof SharedArrayBuffer === "undefined" ? null : new Int32Array(new SharedArrayBuffer(4));

function sleepUntil(time) {
  for (let left = time - now(); left > 0n; left = time - now()) {
    if (sleeper) Atomics.wait(sleeper, 0, 0, Number(left) / 1e6);
  }
}
