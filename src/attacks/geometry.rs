//! Lines of the empty board: which squares lie between two others, and on the line through them.

use super::Slider;
use crate::types::{Bitboard, Square};

struct Pairs([[Bitboard; 64]; 64]);

static BETWEEN: Pairs = between_table();
static LINE: Pairs = line_table();
static ROOK_RAYS: [Bitboard; 64] = empty_board_table(Slider::Rook);
static BISHOP_RAYS: [Bitboard; 64] = empty_board_table(Slider::Bishop);

const fn empty_board_table(slider: Slider) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = slider.attacks(Square::from_low_bits(index), Bitboard::EMPTY);
        index += 1;
    }
    table
}

const fn between_table() -> Pairs {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (a, b) = (Square::from_low_bits(pair / 64), Square::from_low_bits(pair));
        let mut kind = 0;
        while kind < 2 {
            let slider = Slider::ALL[kind];
            if slider.attacks(a, Bitboard::EMPTY).contains(b) {
                let from_a = slider.attacks(a, b.bitboard());
                let from_b = slider.attacks(b, a.bitboard());
                table[pair / 64][pair % 64].0 |= from_a.0 & from_b.0;
            }
            kind += 1;
        }
        pair += 1;
    }
    Pairs(table)
}

const fn line_table() -> Pairs {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (a, b) = (Square::from_low_bits(pair / 64), Square::from_low_bits(pair));
        let mut kind = 0;
        while kind < 2 {
            let slider = Slider::ALL[kind];
            let (from_a, from_b) = (slider.attacks(a, Bitboard::EMPTY), slider.attacks(b, Bitboard::EMPTY));
            if from_a.contains(b) {
                table[pair / 64][pair % 64].0 |= from_a.0 & from_b.0 | a.bitboard().0 | b.bitboard().0;
            }
            kind += 1;
        }
        pair += 1;
    }
    Pairs(table)
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
    BETWEEN.0[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two squares, edge to edge; empty when they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE.0[a.index()][b.index()]
}

/// What a rook on `square` attacks when the board is empty.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// What a bishop on `square` attacks when the board is empty.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

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
