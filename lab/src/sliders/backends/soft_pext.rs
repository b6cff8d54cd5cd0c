//! PEXT tables on any machine: the instruction in software.
// CITE: Lorentz Vedeler (2025).

use sleight::{
    attacks::{SPAN, Slider},
    types::{Bitboard, Square},
};

use super::{Sliders, by_square};

const ROOK: usize = Slider::Rook as usize;
const BISHOP: usize = Slider::Bishop as usize;

/// Attack sets of all squares: 5,248 of the bishop and 102,400 of the rook.
const ATTACK_SETS: usize = 107_648;

/// The data of a lookup for one slider on one square.
struct Entry {
    mask: u64,
    attacks: &'static [Bitboard; SPAN],
}

static ENTRIES: [[Entry; 2]; 64] = by_square!(entries);

const fn entries(square: Square) -> [Entry; 2] {
    let [rook, bishop] = Slider::ALL;
    [entry(rook, square), entry(bishop, square)]
}

const fn entry(slider: Slider, square: Square) -> Entry {
    Entry { mask: slider.relevant(square).0, attacks: slider.attacks_by_subset(square) }
}

/// PEXT in software: gathers the bits of `value` under `mask` into the lowest bits, keeping their order.
///
/// ```
/// # use sleight_lab::sliders::soft_pext;
/// // The bits under the mask, from the top: 1, 0, 1, 1.
/// assert_eq!(soft_pext(0b1011_0110, 0b1100_1010), 0b1001);
/// ```
#[inline]
pub const fn soft_pext(value: u64, mask: u64) -> u64 {
    let mut rest = value & mask;
    let mut packed = 0;
    // One round per set bit of the value, of which a board has fewer than squares under the mask.
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        packed |= 1 << (mask & below).count_ones();
        rest &= rest - 1;
    }
    packed
}

/// PEXT tables through [`soft_pext`], for any machine.
///
/// Of the bishop's nine relevant squares, b2, e3, c5 and g7 are the first, fourth, fifth and ninth.
///
/// ```
/// # use sleight::{attacks::Slider, types::{Bitboard, Square}};
/// # use sleight_lab::sliders::{Sliders, SoftPext, soft_pext};
/// let occupied = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . X .
///      . . . . . . . .
///      . . X . . . . .
///      . . . . . . . .
///      . . . . X . . .
///      . X . . . . . .
///      . . . . . . . .",
/// );
/// let attacked = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . X .
///      . . . . . X . .
///      . . X . X . . .
///      . . . . . . . .
///      . . X . X . . .
///      . X . . . . . .
///      . . . . . . . .",
/// );
/// assert_eq!(soft_pext(occupied.0, Slider::Bishop.relevant(Square::D4).0), 0b1_0001_1001);
/// assert_eq!(SoftPext.bishop(Square::D4, occupied), attacked);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SoftPext;

impl SoftPext {
    #[inline(always)]
    fn lookup<const SLIDER: usize>(square: Square, occupied: Bitboard) -> Bitboard {
        let entry = &ENTRIES[square.index()][SLIDER];
        entry.attacks[soft_pext(occupied.0, entry.mask) as usize]
    }
}

impl Sliders for SoftPext {
    const NAME: &'static str = "soft-pext";
    const TABLE_BYTES: usize = ATTACK_SETS * size_of::<Bitboard>() + size_of_val(&ENTRIES);

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::lookup::<ROOK>(square, occupied)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::lookup::<BISHOP>(square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use sleight::util::Rng;

    use super::*;

    /// As the manuals define the instruction: bit by bit under the mask, from the lowest.
    fn defined(value: u64, mask: u64) -> u64 {
        let bits = Bitboard(mask).into_iter().enumerate();
        bits.map(|(to, from)| (value >> from.index() & 1) << to).sum()
    }

    #[test]
    fn it_follows_the_definition() {
        let mut rng = Rng::new(3);
        for _ in 0..10_000 {
            let occupied = rng.next_u64();
            for entry in ENTRIES.iter().flatten() {
                assert_eq!(soft_pext(occupied, entry.mask), defined(occupied, entry.mask));
            }
        }
    }
}
