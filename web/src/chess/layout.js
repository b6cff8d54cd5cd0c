// The tree as a flat list for the eye: rows of the main line, and between them variations, indented. No recursion, as
// variations may be nested thousands deep.

import { visible } from "./comments.js";

/** @typedef {import("./tree.js").GameNode} GameNode */
/**
 * @typedef {{ kind: "row", number: number, white: GameNode | null, black: GameNode | null, key: string }} Row `white` is
 *   null where Black goes on after an interruption
 * @typedef {{ kind: "comment", node: GameNode, key: string }} CommentBlock
 * @typedef {{ kind: "line", depth: number, nodes: GameNode[], key: string }} VariationBlock a piece of a variation
 */

/** @param {GameNode} root @returns {(Row | CommentBlock | VariationBlock)[]} */
export function layout(root) {
  /** @type {(Row | CommentBlock | VariationBlock)[]} */
  const blocks = [];
  if (root.comments.length > 0) blocks.push({ kind: "comment", node: root, key: `c${root.id}` });
  /** @type {Row | null} */
  let row = null;
  for (const node of root.mainline().slice(1)) {
    if (node.mover === "white") {
      row = { kind: "row", number: node.moveNumber, white: node, black: null, key: `r${node.id}` };
      blocks.push(row);
    } else if (row) row.black = node;
    else blocks.push({ kind: "row", number: node.moveNumber, white: null, black: node, key: `r${node.id}` });
    const others = /** @type {GameNode} */ (node.parent).children.slice(1);
    const hasText = node.comments.some((comment) => visible(comment));
    const interrupted = hasText || others.length > 0;
    if (hasText) blocks.push({ kind: "comment", node, key: `c${node.id}` });
    for (const other of others) blocks.push(...variation(other));
    if (interrupted || node.mover === "black") row = null;
  }
  return blocks;
}

/** The lines of a variation and of those inside it. @param {GameNode} first @returns {VariationBlock[]} */
function variation(first) {
  /** @type {VariationBlock[]} */
  const blocks = [];
  // `forks` says that the first move of the line has alternatives, which come after it.
  const waiting = [{ node: first, depth: 1, forks: false }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { depth, forks } = next;
    const nodes = [next.node];
    let node = next.node;
    if (!forks) {
      while (node.children.length === 1) nodes.push((node = node.children[0]));
      if (node.children.length > 1) nodes.push((node = node.children[0]));
      else node = next.node;
    }
    blocks.push({ kind: "line", depth, nodes, key: `v${next.node.id}` });
    const interrupted = forks || node !== next.node;
    if (!interrupted) continue;
    if (node.children.length > 0) waiting.push({ node: node.children[0], depth, forks: node.children.length > 1 });
    const others = /** @type {GameNode} */ (node.parent).children.slice(1);
    for (const other of others.reverse()) waiting.push({ node: other, depth: depth + 1, forks: false });
  }
  return blocks;
}
