// Standard input of a threaded engine: a ring buffer in shared memory, since a thread that waits takes no messages.

const BYTES = 1 << 16;
/** Indices of the counters of bytes, modulo 2^32. */
const WRITTEN = 0;
const READ = 1;

/** @returns {SharedArrayBuffer} the memory of a ring buffer: the two counters, then the bytes */
export function sharedInput() {
  return new SharedArrayBuffer(8 + BYTES);
}

class Ring {
  /** @param {SharedArrayBuffer} memory */
  constructor(memory) {
    this.counters = new Int32Array(memory, 0, 2);
    this.bytes = new Uint8Array(memory, 8, BYTES);
  }

  /** Bytes that were written and not yet read. */
  filled() {
    return (Atomics.load(this.counters, WRITTEN) - Atomics.load(this.counters, READ)) | 0;
  }

  /** The place of the counter in the ring. */
  at(counter) {
    return (Atomics.load(this.counters, counter) >>> 0) % BYTES;
  }

  advance(counter, by) {
    Atomics.add(this.counters, counter, by);
    Atomics.notify(this.counters, counter);
  }
}

/** The end of the page, which must not wait: what does not fit is written when there is room. */
export class InputWriter extends Ring {
  /** @type {Uint8Array[]} */
  waiting = [];

  /** @param {string} line without a line end */
  write(line) {
    this.waiting.push(new TextEncoder().encode(`${line}\n`));
    if (this.waiting.length === 1) this.flush();
  }

  flush() {
    while (this.waiting.length > 0) {
      const [text] = this.waiting;
      const start = this.at(WRITTEN);
      const length = Math.min(text.length, BYTES - this.filled(), BYTES - start);
      if (length === 0) {
        setTimeout(() => this.flush(), 1);
        return;
      }
      this.bytes.set(text.subarray(0, length), start);
      this.advance(WRITTEN, length);
      if (length < text.length) this.waiting[0] = text.subarray(length);
      else this.waiting.shift();
    }
  }
}

/** The end of the thread that reads. */
export class InputReader extends Ring {
  /**
   * Waits for input.
   * @param {number} size
   * @returns {Uint8Array} one to `size` bytes
   */
  read(size) {
    while (this.filled() === 0) Atomics.wait(this.counters, WRITTEN, Atomics.load(this.counters, READ));
    const start = this.at(READ);
    const length = Math.min(size, this.filled(), BYTES - start);
    const data = this.bytes.slice(start, start + length);
    this.advance(READ, length);
    return data;
  }
}
