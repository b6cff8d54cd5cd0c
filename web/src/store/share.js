// Games and positions in the part of an address after #, which no server sees.

import { LONGEST_GAME } from "../chess/pgn-read.js";
import { ChessError } from "../chess/position.js";

/** @param {Uint8Array} bytes */
const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** @param {string} text */
const fromBase64 = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));

/** @param {Uint8Array} bytes @param {GenericTransformStream} stream */
async function through(bytes, stream) {
  const body = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(/** @type {any} */ (stream));
  return new Uint8Array(await new Response(body).arrayBuffer());
}

/** @param {string} fen */
export const fenHash = (fen) => `#fen=${fen.replaceAll(" ", "_")}`;

/** @param {string} text */
const pack = async (text) => toBase64(await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw")));

/** @param {string} pgn */
export const pgnHash = async (pgn) => `#pgn=${await pack(pgn)}`;

/** A game with its review. @param {object} data */
export const reviewHash = async (data) => `#review=${await pack(JSON.stringify(data))}`;

/**
 * What `reviewHash` packed; null if there is none, or it is damaged.
 * @param {string} hash @returns {Promise<any>}
 * @throws {ChessError} if it is too long
 */
export async function readReview(hash) {
  try {
    return JSON.parse(await unpack(fromBase64(hash.replace(/^#review=/, ""))));
  } catch (error) {
    if (error instanceof ChessError) throw error;
    return null;
  }
}

/** Unpacks text, and stops where it is longer than a game: a few bytes may unpack to more than the memory. @param {Uint8Array} bytes */
async function unpack(bytes) {
  const packed = new Blob([/** @type {BlobPart} */ (bytes)]).stream();
  const reader = packed.pipeThrough(/** @type {any} */ (new DecompressionStream("deflate-raw"))).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length <= LONGEST_GAME) continue;
    await reader.cancel();
    throw new ChessError(`The game in this link is too long. Games are read up to ${LONGEST_GAME / 1e6} MB.`);
  }
}

/**
 * The PGN or FEN of an address; null if there is none, or it is damaged.
 * @param {string} hash @returns {Promise<string | null>}
 * @throws {ChessError} if the game is too long
 */
export async function readHash(hash) {
  const found = /^#(fen|pgn)=(.+)$/.exec(hash);
  if (!found) return null;
  try {
    if (found[1] === "fen") return decodeURIComponent(found[2]).replaceAll("_", " ");
    return await unpack(fromBase64(found[2]));
  } catch (error) {
    if (error instanceof ChessError) throw error;
    return null;
  }
}
