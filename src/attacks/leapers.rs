//! Attack sets of pawns, knights and kings, from lookup tables computed at compile time.

use crate::types::{Bitboard, Color, Square};

type LeaperTable = [Bitboard; 64];

const fn leaper(steps: &[(i8, i8)]) -> LeaperTable {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut step = 0;
        while step < steps.len() {
            let (files, ranks) = steps[step];
            if let Some(target) = Square::from_low_bits(index).offset(files, ranks) {
                table[index].0 |= target.bitboard().0;
            }
            step += 1;
        }
        index += 1;
    }
    table
}

static PAWN: [LeaperTable; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];
static KNIGHT: LeaperTable = leaper(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: LeaperTable = leaper(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);

/// The attack set of a pawn of `color` on `square`; also the squares from which pawns of the other color attack
/// `square`.
#[inline(always)]
pub const fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The attack set of a knight on `square`.
#[inline(always)]
pub const fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The attack set of a king on `square`.
#[inline(always)]
pub const fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_equal_the_definitions() {
        for square in Square::ALL {
            for color in Color::ALL {
                assert_eq!(pawn(color, square), square.bitboard().pawn_attacks(color));
            }
            let at = |reaches: fn(usize, usize) -> bool| -> Bitboard {
                let reached = |other: &Square| {
                    let files = square.file().index().abs_diff(other.file().index());
                    reaches(files, square.rank().index().abs_diff(other.rank().index()))
                };
                Square::ALL.into_iter().filter(reached).collect()
            };
            assert_eq!(knight(square), at(|files, ranks| files * ranks == 2));
            assert_eq!(king(square), at(|files, ranks| files.max(ranks) == 1));
        }
    }
}
