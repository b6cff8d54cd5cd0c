// What a UCI engine prints, as data.

/**
 * @typedef {{ cp: number } | { mate: number }} Score from the side to move
 * @typedef {{ index: number, depth: number, nodes: number, nps: number, hashfull: number, time: number, score: Score, bound: boolean,
 *   wdl: [number, number, number] | null, pv: string[] }} Line `index` from 0; `wdl` in permille for the side to move; `hashfull` in permille
 * @typedef {{ type: string, default: string, min: number, max: number }} Option
 */

/** The line of an `info` with a score; null for other text. @param {string} text @returns {Line | null} */
export function parseInfo(text) {
  const score = /^info .*?\bscore (cp|mate) (-?\d+)( lowerbound| upperbound)?/.exec(text);
  if (!score) return null;
  const number = (/** @type {string} */ name, missing = 0) => Number(new RegExp(` ${name} (\\d+)`).exec(text)?.[1] ?? missing);
  const wdl = / wdl (\d+) (\d+) (\d+)/.exec(text);
  return {
    index: number("multipv", 1) - 1,
    depth: number("depth"),
    nodes: number("nodes"),
    nps: number("nps"),
    hashfull: number("hashfull"),
    time: number("time"),
    score: score[1] === "cp" ? { cp: Number(score[2]) } : { mate: Number(score[2]) },
    bound: score[3] !== undefined,
    wdl: wdl && [Number(wdl[1]), Number(wdl[2]), Number(wdl[3])],
    pv: / pv (.*)$/.exec(text)?.[1].trim().split(/\s+/) ?? [],
  };
}

/** @param {string} text @returns {{ name: string, option: Option } | null} */
export function parseOption(text) {
  const found = /^option name (.+?) type (\w+)(?: default (.*?))?(?: min (-?\d+) max (-?\d+))?$/.exec(text);
  if (!found) return null;
  return { name: found[1], option: { type: found[2], default: found[3] ?? "", min: Number(found[4] ?? 0), max: Number(found[5] ?? 0) } };
}

/** @param {string} text @returns {string | null} "" where there is no move; null for other text */
export function parseBestMove(text) {
  const move = /^bestmove (\S+)/.exec(text)?.[1] ?? null;
  return move === "(none)" || move === "0000" ? "" : move;
}
