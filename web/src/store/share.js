// Games and positions in the part of an address after #, which no server sees.

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

/** @param {string} pgn */
export async function pgnHash(pgn) {
  return `#pgn=${toBase64(await through(new TextEncoder().encode(pgn), new CompressionStream("deflate-raw")))}`;
}

/** The PGN or FEN of an address; null if there is none, or it is damaged. @param {string} hash @returns {Promise<string | null>} */
export async function readHash(hash) {
  const found = /^#(fen|pgn)=(.+)$/.exec(hash);
  if (!found) return null;
  try {
    if (found[1] === "fen") return decodeURIComponent(found[2]).replaceAll("_", " ");
    return new TextDecoder().decode(await through(fromBase64(found[2]), new DecompressionStream("deflate-raw")));
  } catch {
    return null;
  }
}
