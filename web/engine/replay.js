// What a new single-threaded engine must be told to go on where the one before it was ended.

/** @param {string} line */
function words(line) {
  return line.trim().split(/\s+/);
}

/** True if the line starts a search, which a `bestmove` answers. */
export function isSearch(line) {
  const [command, first] = words(line.toLowerCase());
  return command === "go" && first !== "perft";
}

/** The same search, as short as can be. */
export function shortened(line) {
  if (!isSearch(line)) return line;
  const list = words(line);
  const at = list.findIndex((word) => word.toLowerCase() === "searchmoves");
  const isMove = (word) => /^[a-h][1-8][a-h][1-8][nbrq]?$/i.test(word);
  const moves = at < 0 ? [] : list.slice(at).filter((word, i) => i === 0 || isMove(word));
  return ["go depth 1", ...moves].join(" ");
}

/** True if the line starts a search that is as short as can be. */
export function isShort(line) {
  return isSearch(line) && line === shortened(line);
}

/** Follows the lines to and from the engine. */
export class Replay {
  /** @type {Map<string, string>} the last line that sets each option */
  #options = new Map();
  /** @type {string[]} the last position, and what changed it */
  #position = [];
  #debug = "";
  /** The search in progress, and its answer if it is ended now. */
  #search = "";
  #answer = "";

  /** @param {string} line that the engine is about to execute */
  write(line) {
    const [command] = words(line.toLowerCase());
    const option = /^\s*setoption\s+name\s+(.+?)\s+value(\s|$)/i.exec(line);
    if (option) this.#options.set(option[1].toLowerCase(), line);
    else if (command === "position") this.#position = [line];
    else if (command === "flip") this.#position.push(line);
    else if (command === "debug") this.#debug = line;
    this.#search = isSearch(line) ? line : "";
    this.#answer = "";
  }

  /** @param {string} line that the engine has printed */
  read(line) {
    if (line.startsWith("bestmove")) this.#search = "";
    const report = /^info (?!string ).*? pv (\S+)(?: (\S+))?/.exec(line);
    if (report && !/ multipv (?!1 )/.test(line)) {
      this.#answer = `bestmove ${report[1]}${report[2] ? ` ponder ${report[2]}` : ""}`;
    }
  }

  /** The search in progress, empty if there is none. */
  get search() {
    return this.#search;
  }

  /** The answer of a search that is ended now; empty if it has not reported any move. */
  get answer() {
    return this.#answer;
  }

  /** @returns {string[]} the lines that bring a new engine to where this one is */
  lines() {
    return [...this.#options.values(), this.#debug, ...this.#position].filter((line) => line !== "");
  }
}
