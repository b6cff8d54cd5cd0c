//! Hyperbola quintessence, o^(o-2r): a subtraction finds the first blocker of a line.
//!
//! Take the occupied squares of a line, without the slider, as a number `o`, and the slider as `s`. In `o - s` the
//! slider borrows from the next higher bit, so that `o ^ (o - s)` is the ray above it up to the first blocker.
//! Mirrored, the same subtraction finds the ray below, and in the exclusive or of the two differences `o` itself
//! cancels out. Reversing the bytes mirrors files and diagonals, which have one square on every rank; the ranks
//! themselves are looked up in a table of 512 bytes.
// CITE: Gerd Isenberg, after Ryan Mack's reverse bitboards, improved by Aleks Peshkov (2007);
// chessprogramming.org/Hyperbola_Quintessence.

use sleight::{
    attacks::{Axis, Rays},
    types::{Bitboard, Square},
};

use super::{Sliders, by_square};

/// The lines through one square, without it: both diagonals, the file, and the first diagonal again.
///
/// The fourth changes nothing, but makes a queen's lines a whole vector. (An empty line the compiler would see through
/// and leave out.)
#[repr(align(64))]
struct HyperbolaEntry {
    lines: [u64; 4],
    slider: u64,
    mirrored: u64,
}

static ENTRIES: [HyperbolaEntry; 64] = by_square!(HyperbolaEntry::new);

/// The lines that a queen is looked up on: with AVX2 the compiler works on all four at once, twice as fast as on three;
/// without, the fourth would only be more work.
const QUEEN: usize = if cfg!(target_feature = "avx2") { 4 } else { 3 };

impl HyperbolaEntry {
    const fn new(square: Square) -> Self {
        let (north_east, north_west) = (Axis::NorthEast.around(square).0, Axis::NorthWest.around(square).0);
        let lines = [north_east, north_west, Axis::File.around(square).0, north_east];
        let slider = square.bitboard();
        Self { lines, slider: slider.0, mirrored: slider.flip_rank().0 }
    }

    /// The attacks along `N` lines from index `FIRST` on.
    #[inline(always)]
    fn attacks<const FIRST: usize, const N: usize>(&self, occupied: Bitboard) -> Bitboard {
        let mut rays = [0; N];
        for (ray, line) in rays.iter_mut().zip(&self.lines[FIRST..]) {
            let blockers = occupied.0 & line;
            let above = blockers.wrapping_sub(self.slider);
            let below = blockers.swap_bytes().wrapping_sub(self.mirrored).swap_bytes();
            *ray = (above ^ below) & line;
        }
        Bitboard(rays.into_iter().fold(0, |all, ray| all | ray))
    }
}

/// The attacks along the first rank, by the occupancy of its six inner squares and the slider's file.
static RANK: [[u8; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut index = 0;
    while index < 64 * 8 {
        let (inner, square) = (index / 8, Square::from_low_bits(index % 8));
        let occupied = Bitboard((inner as u64) << 1);
        table[inner][index % 8] = (Rays::rook_attacks(square, occupied).0 & 0xff) as u8;
        index += 1;
    }
    table
};

#[inline(always)]
fn rank_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let shift = square.index() & !7;
    let inner = (occupied.0 >> shift >> 1) as usize & 63;
    Bitboard(u64::from(RANK[inner][square.index() & 7]) << shift)
}

/// Hyperbola quintessence.
///
/// One subtraction finds the blocker on g7, its mirror image the one on b2:
///
/// ```
/// # use sleight::types::{Bitboard, Square};
/// # use sleight_lab::sliders::{Hyperbola, Sliders};
/// let occupied = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . X .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . X . . . . . .
///      . . . . . . . .",
/// );
/// let attacked = Bitboard::from_diagram(
///     ". . . . . . . .
///      X . . . . . X .
///      . X . . . X . .
///      . . X . X . . .
///      . . . . . . . .
///      . . X . X . . .
///      . X . . . X . .
///      . . . . . . X .",
/// );
/// assert_eq!(Hyperbola.bishop(Square::D4, occupied), attacked);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hyperbola;

impl Sliders for Hyperbola {
    const NAME: &'static str = "hyperbola";
    const TABLE_BYTES: usize = size_of_val(&ENTRIES) + size_of_val(&RANK);

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        ENTRIES[square.index()].attacks::<2, 1>(occupied) | rank_attacks(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        ENTRIES[square.index()].attacks::<0, 2>(occupied)
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        ENTRIES[square.index()].attacks::<0, QUEEN>(occupied) | rank_attacks(square, occupied)
    }
}
