//! The classical ray scan: per direction, the ray to the board's edge, cut behind its first blocker.
//!
//! The first blocker hides exactly its own ray, so what is attacked is the open rays less the rays of their first
//! blockers. A forward bit scan finds the first blocker of a rising ray, a backward one that of a falling ray.
//!
//! This is the oracle: obvious, `const`, and the source of every other backend's tables.

use super::{Line, Sliders};
use crate::types::{Bitboard, Square};

/// The rays of one kind of slider, for which two lines run through every square.
///
/// A bit scan answers 64 where there is nothing to find, so each table has an empty ray in the 65th place: no blocker,
/// nothing hidden, and no branch. Falling rays are stored from h8 down, as a backward scan counts.
struct Rose {
    open: [Bitboard; 64],
    rising: [[Bitboard; 65]; 2],
    falling: [[Bitboard; 65]; 2],
}

static ROOK: Rose = Rose::new([Line::File, Line::Rank]);
static BISHOP: Rose = Rose::new([Line::NorthEast, Line::NorthWest]);

impl Rose {
    const fn new(lines: [Line; 2]) -> Self {
        const EMPTY: [[Bitboard; 65]; 2] = [[Bitboard::EMPTY; 65]; 2];
        let mut rose = Self { open: [Bitboard::EMPTY; 64], rising: EMPTY, falling: EMPTY };
        let mut index = 0;
        while index < 2 * 64 {
            let (which, square) = (index / 64, Square::from_low_bits(index));
            rose.rising[which][square.index()] = lines[which].above(square);
            rose.falling[which][63 - square.index()] = lines[which].below(square);
            rose.open[square.index()].0 |= lines[which].around(square).0;
            index += 1;
        }
        rose
    }

    #[inline(always)]
    const fn scan(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let mut hidden = 0;
        let mut which = 0;
        while which < 2 {
            let above = self.rising[which][square.index()].0 & occupied.0;
            let below = self.falling[which][63 - square.index()].0 & occupied.0;
            hidden |= self.rising[which][above.trailing_zeros() as usize].0;
            hidden |= self.falling[which][below.leading_zeros() as usize].0;
            which += 1;
        }
        Bitboard(self.open[square.index()].0 ^ hidden)
    }
}

/// The classical ray scan.
///
/// The rook's open rays, less the ray above the blocker on d6 and the ray right of the one on g3:
///
/// ```
/// # use sleight::{attacks::{Rays, Sliders}, types::{Bitboard, Square}};
/// let occupied = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . X . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . . . X .
///      . . . . . . . .
///      . . . . . . . .",
/// );
/// let attacked = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . X . . . .
///      . . . X . . . .
///      . . . X . . . .
///      X X X . X X X .
///      . . . X . . . .
///      . . . X . . . .",
/// );
/// assert_eq!(Rays.rook(Square::D3, occupied), attacked);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rays;

impl Rays {
    /// [`Sliders::rook`] for tables that are built at compile time.
    #[inline(always)]
    pub const fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        ROOK.scan(square, occupied)
    }

    /// [`Sliders::bishop`] for tables that are built at compile time.
    #[inline(always)]
    pub const fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        BISHOP.scan(square, occupied)
    }
}

impl Sliders for Rays {
    const NAME: &'static str = "rays";
    const TABLE_BYTES: usize = size_of_val(&ROOK) + size_of_val(&BISHOP);

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::rook_attacks(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::bishop_attacks(square, occupied)
    }
}
