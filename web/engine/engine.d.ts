/** How to load and start the engine. */
export interface EngineSettings {
  /** Where `sleight.wasm`, `sleight-threads.wasm` and `worker.js` are; by default beside `engine.js`. */
  base?: string | URL;
  /** Search threads, at most as many as the machine has. */
  threads?: number;
  /** Size of the transposition table, in MiB. */
  hash?: number;
  /** False for the single-threaded engine, even where there could be threads. */
  threaded?: boolean;
  /** How much of the engine has been loaded, 0 to 1. */
  onProgress?(fraction: number): void;
  /** A line of the engine's output, without its end. */
  onLine?(line: string): void;
  /** The engine has ended: `quit`, or why. Not called after `terminate`. */
  onExit?(reason: string): void;
}

/** A running engine. */
export interface Engine {
  /** Gives the engine a UCI command. */
  send(line: string): void;
  /** Ends the engine and its workers at once. */
  terminate(): void;
  /** True if the engine has threads. */
  readonly threaded: boolean;
  /** The most search threads that are used. */
  readonly maxThreads: number;
}

/** Loads and starts the engine. Rejected if it cannot be loaded or started. */
export function createEngine(settings?: EngineSettings): Promise<Engine>;
