// What the tests of the engine have in common.

import { createEngine } from "./engine.js";

/** Where `make web` puts the engine's files. */
export const ENGINE = new URL("../../target/wasm/", import.meta.url);

/** An engine whose output can be waited for. */
export class TestEngine {
  lines = [];
  #listeners = new Set();
  #exit;
  exited = new Promise((resolve) => (this.#exit = resolve));

  static async start(settings) {
    const engine = new TestEngine();
    const onLine = (line) => {
      engine.lines.push(line);
      engine.#listeners.forEach((listener) => listener(line));
    };
    engine.running = await createEngine({ base: ENGINE, ...settings, onLine, onExit: (reason) => engine.#exit(reason) });
    return engine;
  }

  send(...lines) {
    lines.forEach((line) => this.running.send(line));
  }

  /** The next line that matches. */
  line(pattern, seconds = 240) {
    return new Promise((resolve, reject) => {
      const failure = new Error(`no ${pattern} after ${seconds} s, but:\n${this.lines.slice(-20).join("\n")}`);
      const timeout = setTimeout(() => reject(failure), 1000 * seconds);
      const listener = (line) => {
        if (!pattern.test(line)) return;
        clearTimeout(timeout);
        this.#listeners.delete(listener);
        resolve(line);
      };
      this.#listeners.add(listener);
    });
  }

  /** Sends lines and returns the first line of output that matches. */
  ask(pattern, ...lines) {
    const answer = this.line(pattern);
    this.send(...lines);
    return answer;
  }

  terminate() {
    this.running.terminate();
  }
}
