//! The plain loop: from square to square along each line until something stands there.
//!
//! It is what one would explain to a child, and what Fenner and Levene measured their hashing against ("Move
//! Generation with Perfect Hash Functions", ICGA Journal, 2008). No tables, no tricks, no speed.

use super::Sliders;
use crate::types::{Bitboard, Square};

/// The plain loop along each line.
///
/// From the bishop towards each corner, past the squares beside its way:
///
/// ```
/// # use sleight::{attacks::{Sliders, Walk}, types::{Bitboard, Square}};
/// let occupied = Bitboard::from_diagram(
///     ". . . . . . X .
///      . . . . . . . .
///      . X . . . . . .
///      . . . X . . . .
///      . . . . X . . .
///      . . X . . . . .
///      . . . . . . . .
///      . . . . . . . .",
/// );
/// let attacked = Bitboard::from_diagram(
///     ". . . . . . . X
///      . . . . . . X .
///      . X . . . X . .
///      . . X . X . . .
///      . . . . . . . .
///      . . X . X . . .
///      . . . . . X . .
///      . . . . . . X .",
/// );
/// assert_eq!(Walk.bishop(Square::D4, occupied), attacked);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Walk;

/// Walks in four directions, each a step of files and ranks.
fn walk(square: Square, occupied: Bitboard, directions: [(i8, i8); 4]) -> Bitboard {
    let mut attacks = Bitboard::EMPTY;
    for (files, ranks) in directions {
        let mut next = square.offset(files, ranks);
        while let Some(target) = next {
            attacks |= target.into();
            next = if occupied.contains(target) { None } else { target.offset(files, ranks) };
        }
    }
    attacks
}

impl Sliders for Walk {
    const NAME: &'static str = "walk";
    const TABLE_BYTES: usize = 0;

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        walk(square, occupied, [(0, 1), (1, 0), (0, -1), (-1, 0)])
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        walk(square, occupied, [(1, 1), (-1, 1), (-1, -1), (1, -1)])
    }
}
