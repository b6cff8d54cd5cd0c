//! SBAMG, "subtraction based attack mask generation", o^(o-3cbn): one subtraction serves a line's both directions.
//!
//! The idea is Syed Fahad's ("SBAMG - Completing Hyperbola Quintessence", CCC, 2016), the form with masks Gerd
//! Isenberg's. Take the occupied squares of a line as a number `o` and let `cbn` be the closest blocker below the
//! slider. Subtracting it three times takes away the blocker and makes the square above it borrow from the first
//! blocker above the slider: all bits between the two change, the blockers included, and `o ^ (o - 3cbn)` is the answer.
//!
//! ```text
//!   bit           7654 3210
//!   line          .b.. r.bb     blockers and a rook on bit 3
//!   o             0100 0011     without the rook
//!   cbn           0000 0010
//!   o - 3cbn      0011 1101
//!   o ^ (..)      0111 1110     less the rook: its attacks
//! ```

use super::{Line, Sliders};
use crate::types::{Bitboard, Square};

/// The masks of one line through one square.
struct Masks {
    /// All squares of the board below the slider; bit 0 where there are none, so that a bit scan always finds one.
    lower: u64,
    /// The line without the slider.
    line: u64,
    /// The ends of the line, which change nothing when they count as occupied, and bit 0, which keeps the closest
    /// blocker from missing where the slider is itself the lower end.
    outer: u64,
}

impl Masks {
    const fn new(line: Line, square: Square) -> Self {
        let squares = line.around(square).0 | square.bitboard().0;
        let ends = 1 << squares.trailing_zeros() | 1 << (63 - squares.leading_zeros());
        let lower = match square.bitboard().0 - 1 {
            0 => 1,
            lower => lower,
        };
        Self { lower, line: line.around(square).0, outer: ends & !square.bitboard().0 | 1 }
    }

    #[inline(always)]
    const fn attacks(&self, occupied: Bitboard) -> Bitboard {
        let blockers = occupied.0 & self.line | self.outer;
        let closest = 63 - (blockers & self.lower).leading_zeros();
        Bitboard(between_blockers(blockers, closest) & self.line)
    }
}

/// The bits from the one numbered `closest` up to the next higher one of `blockers`, both included.
#[inline(always)]
const fn between_blockers(blockers: u64, closest: u32) -> u64 {
    blockers ^ blockers.wrapping_sub(3 << closest)
}

/// By square and in the order of [`Line::ALL`].
static MASKS: [[Masks; 4]; 64] = {
    let mut masks = [const { [const { Masks::new(Line::Rank, Square::A1) }; 4] }; 64];
    let mut index = 0;
    while index < 4 * 64 {
        masks[index / 4][index % 4] = Masks::new(Line::ALL[index % 4], Square::from_low_bits(index / 4));
        index += 1;
    }
    masks
};

/// SBAMG.
///
/// Three times the blocker on c1 taken from the rank, and three times the one on e3 from the file:
///
/// ```
/// # use sleight::{attacks::{Sbamg, Sliders}, types::{Bitboard, Square}};
/// let occupied = Bitboard::drawn(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . X . . .
///      . . . . . . . .
///      . . X . . . . .",
/// );
/// let attacked = Bitboard::drawn(
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
        let [rank, file, ..] = &MASKS[square.index()];
        rank.attacks(occupied) | file.attacks(occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let [.., north_east, north_west] = &MASKS[square.index()];
        north_east.attacks(occupied) | north_west.attacks(occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The "two nibble sample" of the SBAMG page.
    #[test]
    fn the_sample_of_the_document_comes_out() {
        let (occupied, closest) = (0x43u64, 1);
        assert_eq!(1 << closest, 2);
        assert_eq!(occupied - (3 << closest), 0x3d);
        assert_eq!(between_blockers(occupied, closest), 0x7e);
        assert_eq!(Masks::new(Line::Rank, Square::D1).attacks(Bitboard(occupied)), Bitboard(0x76));
    }

    /// With nothing below the slider, bit 0 of the outer squares is the closest blocker.
    #[test]
    fn a_slider_at_the_lower_end_of_its_line_sees_up() {
        for (line, square) in [(Line::File, Square::E1), (Line::Rank, Square::A1), (Line::NorthWest, Square::H5)] {
            let masks = Masks::new(line, square);
            assert_eq!(masks.outer & 1, 1);
            assert_eq!(masks.attacks(Bitboard::EMPTY), line.around(square));
        }
    }
}
