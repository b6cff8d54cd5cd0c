//! Lines of the empty board: the squares between two others, and on the line through them.

use super::Axis;
use crate::types::{Bitboard, Square};

type PairTable = [[Bitboard; 64]; 64];

static BETWEEN: PairTable = between_table();
static LINE: PairTable = line_table();

/// Goes along each line from each square upward, and fills in both orders of a pair.
const fn between_table() -> PairTable {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 4 * 64 {
        let square = Square::from_low_bits(index);
        let (mut above, mut passed) = (Axis::ALL[index / 64].above(square), Bitboard::EMPTY);
        while !above.is_empty() {
            let other = above.lowest();
            table[square.index()][other.index()] = passed;
            table[other.index()][square.index()] = passed;
            passed.0 |= other.bitboard().0;
            above.0 &= above.0 - 1;
        }
        index += 1;
    }
    table
}

const fn line_table() -> PairTable {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 4 * 64 {
        let square = Square::from_low_bits(index);
        let mut others = Axis::ALL[index / 64].around(square);
        let whole = Bitboard(others.0 | square.bitboard().0);
        while !others.is_empty() {
            table[square.index()][others.lowest().index()] = whole;
            others.0 &= others.0 - 1;
        }
        index += 1;
    }
    table
}

/// The squares strictly between two squares of one rank, file or diagonal; empty for any other pair.
///
/// ```
/// # use sleight::{attacks::between, types::{Bitboard, Square}};
/// let path = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . . . X . .
///      . . . . X . . .
///      . . . X . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . . . . .",
/// );
/// assert_eq!(between(Square::C3, Square::G7), path);
/// assert!(between(Square::C3, Square::D5).is_empty());
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two squares, both included; empty if they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::{bishop_rays, rook_rays};

    #[test]
    fn lines_and_spans_fit_together() {
        for a in Square::ALL {
            for b in Square::ALL {
                let (span, whole) = (between(a, b), line(a, b));
                assert_eq!((span, whole), (between(b, a), line(b, a)));
                assert!(span.without(whole).is_empty());
                let aligned = a != b && (rook_rays(a) | bishop_rays(a)).contains(b);
                assert_eq!(!whole.is_empty(), aligned);
                if aligned {
                    let steps =
                        a.file().index().abs_diff(b.file().index()).max(a.rank().index().abs_diff(b.rank().index()));
                    assert_eq!(span.len(), steps - 1);
                    assert!(whole.contains(a) && whole.contains(b) && !span.contains(a) && !span.contains(b));
                }
            }
        }
    }
}
