//! SBAMG, "subtraction based attack mask generation", o^(o-3cbn): one subtraction serves a line's both directions.
//!
//! The idea is Syed Fahad's ("SBAMG - Completing Hyperbola Quintessence", CCC, 2016), the form with masks Gerd
//! Isenberg's. Take the occupied squares of a line as a number `o` and let `cbn` be the closest blocker below the
//! slider. Subtracting it three times takes away the blocker and makes the square above it borrow from the first
//! blocker above the slider: all bits between the two change, the blockers included, and `o ^ (o - 3cbn)` is the
//! answer.
//!
//! ```text
//!   bit           7654 3210
//!   line          .b.. r.bb     blockers and a rook on bit 3
//!   o             0100 0011     without the rook
//!   cbn           0000 0010
//!   o - 3cbn      0011 1101
//!   o ^ (..)      0111 1110     less the rook: its attacks
//! ```
// CITE: Syed Fahad (2016); Gerd Isenberg.

use sleight::{
    attacks::Axis,
    types::{Bitboard, Square},
};

use super::{Sliders, by_square};

/// The masks of the lines through one square, in the order of [`Axis::ALL`]: one cache line.
///
/// Lying side by side, four lines of a queen fit a vector, and the compiler works on all of them at once where the
/// processor can count leading zeros in vectors.
#[repr(align(64))]
struct LineMasks {
    /// Each line without the slider.
    lines: [u64; 4],
    /// The ends of each line, which change nothing when they count as occupied, and bit 0, which keeps the closest
    /// blocker from missing where the slider is itself the lower end.
    outer: [u64; 4],
}

impl LineMasks {
    const fn new(square: Square) -> Self {
        let mut masks = Self { lines: [0; 4], outer: [0; 4] };
        let mut index = 0;
        while index < 4 {
            let line = Axis::ALL[index].around(square).0;
            let whole = line | square.bitboard().0;
            let ends = 1 << whole.trailing_zeros() | 1 << (63 - whole.leading_zeros());
            masks.lines[index] = line;
            masks.outer[index] = ends & line | 1;
            index += 1;
        }
        masks
    }

    /// The attacks from `square` along `N` lines from index `FIRST` on.
    #[inline(always)]
    fn attacks<const FIRST: usize, const N: usize>(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let lower = lower(square);
        let mut rays = [0; N];
        for (ray, (line, outer)) in rays.iter_mut().zip(self.lines[FIRST..].iter().zip(&self.outer[FIRST..])) {
            let blockers = occupied.0 & line | outer;
            let closest = 63 - (blockers & lower).leading_zeros();
            *ray = between_blockers(blockers, closest) & line;
        }
        Bitboard(rays.into_iter().fold(0, |all, ray| all | ray))
    }
}

/// All squares of the board below the slider, the same for every line; bit 0 where there are none, so that a bit scan
/// always finds one.
#[inline(always)]
const fn lower(square: Square) -> u64 {
    (square.bitboard().0 - 1) | 1
}

/// The bits from the one numbered `closest` up to the next higher one of `blockers`, both included.
#[inline(always)]
const fn between_blockers(blockers: u64, closest: u32) -> u64 {
    blockers ^ blockers.wrapping_sub(3 << closest)
}

static MASKS: [LineMasks; 64] = by_square!(LineMasks::new);

/// SBAMG.
///
/// Three times the blocker on c1 taken from the rank, and three times the one on e3 from the file:
///
/// ```
/// # use sleight::types::{Bitboard, Square};
/// # use sleight_lab::sliders::{Sbamg, Sliders};
/// let occupied = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . X . . .
///      . . . . . . . .
///      . . X . . . . .",
/// );
/// let attacked = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . X . . .
///      . . . . X . . .
///      . . X X . X X X",
/// );
/// assert_eq!(Sbamg.rook(Square::E1, occupied), attacked);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sbamg;

impl Sliders for Sbamg {
    const NAME: &'static str = "sbamg";
    const TABLE_BYTES: usize = size_of_val(&MASKS);

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        MASKS[square.index()].attacks::<0, 2>(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        MASKS[square.index()].attacks::<2, 2>(square, occupied)
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        MASKS[square.index()].attacks::<0, 4>(square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANK: usize = Axis::Rank as usize;

    /// The "two nibble sample" of the SBAMG page.
    #[test]
    fn the_sample_of_the_document_comes_out() {
        let (occupied, closest) = (0x43u64, 1);
        assert_eq!(1 << closest, 2);
        assert_eq!(occupied - (3 << closest), 0x3d);
        assert_eq!(between_blockers(occupied, closest), 0x7e);
        let rank = LineMasks::new(Square::D1).attacks::<RANK, 1>(Square::D1, Bitboard(occupied));
        assert_eq!(rank, Bitboard(0x76));
    }

    /// With nothing below the slider, bit 0 of the outer squares is the closest blocker.
    #[test]
    fn a_slider_at_the_lower_end_of_its_line_sees_up() {
        for square in Square::ALL {
            let masks = LineMasks::new(square);
            assert!(masks.outer.iter().all(|outer| outer & 1 == 1));
            let lines =
                Axis::ALL.map(|line| line.around(square)).into_iter().fold(Bitboard::EMPTY, |all, line| all | line);
            assert_eq!(masks.attacks::<0, 4>(square, Bitboard::EMPTY), lines);
        }
        assert_eq!([Square::A1, Square::B1, Square::C1].map(lower), [1, 1, 3]);
    }
}
