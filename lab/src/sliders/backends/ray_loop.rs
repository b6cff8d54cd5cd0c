//! The plain loop: square by square along each ray until one is occupied.
//!
//! The baseline: no lookup tables, and what Fenner and Levene measured their hash functions against ("Move Generation
//! with Perfect Hash Functions", ICGA Journal, 2008).

use sleight::types::{Bitboard, Square};

use super::Sliders;

/// The plain loop along each ray.
///
/// ```
/// # use sleight::types::{Bitboard, Square};
/// # use sleight_lab::sliders::{RayLoop, Sliders};
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
/// assert_eq!(RayLoop.bishop(Square::D4, occupied), attacked);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RayLoop;

/// The attack set along four directions, each given as a step of files and ranks.
fn ray_attacks(square: Square, occupied: Bitboard, directions: [(i8, i8); 4]) -> Bitboard {
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

impl Sliders for RayLoop {
    const NAME: &'static str = "loop";
    const TABLE_BYTES: usize = 0;

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        ray_attacks(square, occupied, [(0, 1), (1, 0), (0, -1), (-1, 0)])
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        ray_attacks(square, occupied, [(1, 1), (-1, 1), (-1, -1), (1, -1)])
    }
}
