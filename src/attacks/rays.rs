//! The classical ray scan: per direction, the ray to the board's edge, cut behind its first blocker.
//!
//! This is the oracle: slow, obvious, `const`, and the source of every other backend's tables.

use super::Sliders;
use crate::types::{Bitboard, Square};

/// The rook's four directions as (files, ranks); the first two run towards higher squares.
const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// The bishop's four directions; the first two run towards higher squares.
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

type RayTable = [[Bitboard; 64]; 4];

const fn ray_table(steps: [(i8, i8); 4]) -> RayTable {
    let mut table = [[Bitboard::EMPTY; 64]; 4];
    let mut direction = 0;
    while direction < 4 {
        let (files, ranks) = steps[direction];
        let mut index = 0;
        while index < 64 {
            let mut next = Square::from_low_bits(index).offset(files, ranks);
            while let Some(square) = next {
                table[direction][index].0 |= square.bitboard().0;
                next = square.offset(files, ranks);
            }
            index += 1;
        }
        direction += 1;
    }
    table
}

static ROOK_RAYS: RayTable = ray_table(ROOK_STEPS);
static BISHOP_RAYS: RayTable = ray_table(BISHOP_STEPS);

/// The ray scan for one set of directions: a forward bit scan finds the first blocker of the two rising rays, a
/// backward one that of the two falling rays, and the blocker's own ray is taken away.
const fn scan(rays: &RayTable, square: Square, occupied: Bitboard) -> Bitboard {
    let mut attacks = 0;
    let mut direction = 0;
    while direction < 4 {
        let ray = rays[direction][square.index()].0;
        attacks ^= ray;
        let blockers = ray & occupied.0;
        if blockers != 0 {
            let first = if direction < 2 { blockers.trailing_zeros() } else { 63 - blockers.leading_zeros() };
            attacks ^= rays[direction][first as usize].0;
        }
        direction += 1;
    }
    Bitboard(attacks)
}

/// The classical ray scan.
#[derive(Clone, Copy, Debug)]
pub struct Rays;

impl Rays {
    /// [`Sliders::rook`] for tables that are built at compile time.
    pub const fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        scan(&ROOK_RAYS, square, occupied)
    }

    /// [`Sliders::bishop`] for tables that are built at compile time.
    pub const fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        scan(&BISHOP_RAYS, square, occupied)
    }
}

impl Sliders for Rays {
    const NAME: &'static str = "rays";
    const TABLE_BYTES: usize = size_of_val(&ROOK_RAYS) + size_of_val(&BISHOP_RAYS);

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::rook_attacks(square, occupied)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::bishop_attacks(square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::Rng;

    /// Walks square by square, the way one would explain it to a child.
    fn walked(steps: [(i8, i8); 4], square: Square, occupied: Bitboard) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (files, ranks) in steps {
            let mut next = square.offset(files, ranks);
            while let Some(target) = next {
                attacks |= target.into();
                next = if occupied.contains(target) { None } else { target.offset(files, ranks) };
            }
        }
        attacks
    }

    #[test]
    fn equal_to_walking_square_by_square() {
        let mut rng = Rng::new(1);
        for round in 0..2_000 {
            let sparse = rng.next_u64() & rng.next_u64();
            let occupied = Bitboard(if round % 2 == 0 { sparse } else { rng.next_u64() });
            for square in Square::ALL {
                assert_eq!(Rays.rook(square, occupied), walked(ROOK_STEPS, square, occupied));
                assert_eq!(Rays.bishop(square, occupied), walked(BISHOP_STEPS, square, occupied));
            }
        }
    }
}
