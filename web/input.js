// Standard input of the engine's worker: a ring buffer in shared memory, as a searching worker takes no messages.

const BYTES = 1 << 16;
const WRITTEN = 0;
const READ = 1;

/** The memory of a ring buffer: two counters of bytes, written and read, and the bytes. */
export function sharedInput() {
  return new SharedArrayBuffer(8 + BYTES);
}

/** The page's side. */
export class InputWriter {
  constructor(memory) {
    this.counters = new Int32Array(memory, 0, 2);
    this.bytes = new Uint8Array(memory, 8);
  }

  /** Writes a line; returns false if there is no room for it. */
  write(line) {
    const text = new TextEncoder().encode(`${line}\n`);
    const written = Atomics.load(this.counters, WRITTEN);
    if (text.length > BYTES - (written - Atomics.load(this.counters, READ))) return false;
    text.forEach((byte, at) => (this.bytes[(written + at) % BYTES] = byte));
    Atomics.store(this.counters, WRITTEN, written + text.length);
    Atomics.notify(this.counters, WRITTEN);
    return true;
  }
}

/** The worker's side. */
export class InputReader {
  constructor(memory) {
    this.counters = new Int32Array(memory, 0, 2);
    this.bytes = new Uint8Array(memory, 8);
  }

  isReady() {
    return Atomics.load(this.counters, WRITTEN) !== Atomics.load(this.counters, READ);
  }

  /** Waits for input and returns up to `size` bytes of it. */
  read(size) {
    const read = Atomics.load(this.counters, READ);
    Atomics.wait(this.counters, WRITTEN, read);
    const length = Math.min(size, Atomics.load(this.counters, WRITTEN) - read);
    const data = Uint8Array.from({ length }, (_, at) => this.bytes[(read + at) % BYTES]);
    Atomics.store(this.counters, READ, read + length);
    return data;
  }
}
