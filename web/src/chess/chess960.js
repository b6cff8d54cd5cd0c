// The 960 starting positions of Chess960 by their numbers.

/** Where the two knights stand on the five squares that are left for them. */
const KNIGHTS = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/** The number of the ordinary position. */
export const STANDARD = 518;

/**
 * The FEN of a starting position by Scharnagl's numbers.
 * @param {number} number 0 to 959
 */
export function chess960Fen(number) {
  /** @type {string[]} */
  const rank = Array(8).fill("");
  const free = () => rank.flatMap((piece, at) => (piece ? [] : [at]));
  let rest = number;
  rank[2 * (rest % 4) + 1] = "b";
  rest = Math.floor(rest / 4);
  rank[2 * (rest % 4)] = "b";
  rest = Math.floor(rest / 4);
  rank[free()[rest % 6]] = "q";
  rest = Math.floor(rest / 6);
  const places = free();
  for (const at of KNIGHTS[rest]) rank[places[at]] = "n";
  const [left, king, right] = free();
  [rank[left], rank[king], rank[right]] = ["r", "k", "r"];
  const pieces = rank.join("");
  const files = `${"abcdefgh"[right]}${"abcdefgh"[left]}`;
  const castling = left === 0 && right === 7 ? "KQkq" : `${files.toUpperCase()}${files}`;
  return `${pieces}/pppppppp/8/8/8/8/PPPPPPPP/${pieces.toUpperCase()} w ${castling} - 0 1`;
}
