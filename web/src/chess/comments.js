// The commands in comments of PGN, such as [%eval 0.31] and [%clk 0:04:51]: read, written, and kept from sight.

const COMMAND = /\s*\[%[^\]]*\]\s*/g;

/** @typedef {{ cp: number } | { mate: number }} Score from White's side, in centipawns or moves to mate */

/** A comment as it is shown: without commands. @param {string} comment */
export const visible = (comment) => comment.replace(COMMAND, " ").trim();

/** The evaluation in a node's comments. @param {string[]} comments @returns {Score | null} */
export function evalIn(comments) {
  for (const comment of comments) {
    const found = /\[%eval\s+(#)?([+-]?\d+(?:\.\d+)?)/.exec(comment);
    if (found) return found[1] ? { mate: Number(found[2]) } : { cp: Math.round(100 * Number(found[2])) };
  }
  return null;
}

/** The time on the mover's clock, in milliseconds. @param {string[]} comments @returns {number | null} */
export function clockIn(comments) {
  for (const comment of comments) {
    const found = /\[%clk\s+(\d+):(\d+):(\d+(?:\.\d+)?)/.exec(comment);
    if (found) return 1000 * (3600 * Number(found[1]) + 60 * Number(found[2]) + Number(found[3]));
  }
  return null;
}

/** @param {Score} score */
export function evalCommand(score) {
  return `[%eval ${"mate" in score ? `#${score.mate}` : (score.cp / 100).toFixed(2)}]`;
}

/** @param {number} ms */
export function clockCommand(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `[%clk ${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}]`;
}

/**
 * The comments with a command in the first of them, in place of one of the same name.
 * @param {string[]} comments @param {string} command
 */
export function withCommand(comments, command) {
  const name = /** @type {RegExpExecArray} */ (/^\[%\w+/.exec(command))[0];
  const known = comments.findIndex((comment) => comment.includes(name));
  if (known >= 0) {
    const start = comments[known].indexOf(name);
    const end = comments[known].indexOf("]", start) + 1;
    return comments.with(known, comments[known].slice(0, start) + command + comments[known].slice(end));
  }
  return comments.length === 0 ? [command] : comments.with(0, `${command} ${comments[0]}`);
}

/** The comments with another text, their commands kept. @param {string[]} comments @param {string} text */
export function withText(comments, text) {
  const commands = comments.flatMap((comment) => comment.match(/\[%[^\]]*\]/g) ?? []);
  const whole = [...commands, text.replaceAll("}", ")").trim()].filter(Boolean).join(" ");
  return whole ? [whole] : [];
}

/** @typedef {{ brush: string, orig: string, dest?: string }} Shape a circle, or an arrow */

/** The colors that [%cal] and [%csl] have. @type {Record<string, string>} */
const BRUSHES = { G: "green", R: "red", Y: "yellow", B: "blue" };

/** An arrow or a circle as these commands have it, such as Ge2e4 and Rd5. @param {string} text @returns {Shape | null} */
export function readShape(text) {
  const found = /^([GRYB])([a-h][1-8])([a-h][1-8])?$/.exec(text.trim());
  return found && { brush: BRUSHES[found[1]], orig: found[2], dest: found[3] };
}

/** @param {Shape} shape */
export const shapeText = ({ brush, orig, dest = "" }) => `${brush[0].toUpperCase()}${orig}${dest}`;

/** The arrows and circles in a node's comments. @param {string[]} comments @returns {Shape[]} */
export function shapesIn(comments) {
  const lists = comments.flatMap((comment) => [...comment.matchAll(/\[%c[as]l\s+([^\]]*)\]/g)].map(([, list]) => list));
  return lists.flatMap((list) => list.split(",").flatMap((text) => readShape(text) ?? []));
}

/** The comments with other arrows and circles. @param {string[]} comments @param {Shape[]} shapes */
export function withShapes(comments, shapes) {
  const rest = comments.map((comment) => comment.replace(/\s*\[%c[as]l[^\]]*\]\s*/g, " ").trim()).filter(Boolean);
  const texts = (/** @type {boolean} */ arrows) => shapes.filter(({ dest }) => Boolean(dest) === arrows).map(shapeText).join(",");
  const commands = [["csl", texts(false)], ["cal", texts(true)]].flatMap(([name, list]) => (list ? [`[%${name} ${list}]`] : []));
  return commands.reduceRight(withCommand, rest);
}
