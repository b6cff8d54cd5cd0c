//! Plain "fancy" magics: one multiplication and one shift turn the relevant occupancy into a table index.
//!
//! The method is Kannan's ("Magic Move-Bitboard Generation in Computer Chess", 2007), with tables of each square's
//! own size after Romstad: mask away all but the relevant squares, multiply, keep the top bits. The product scatters
//! the occupancies so that two of them share an index only if they leave the same attack set. Near the corners, bishops
//! have numbers good enough for an index with one bit less than there are relevant squares.

use super::{
    Slider, Sliders,
    magic_numbers::EMBEDDED,
    slider::{FLAT_TABLE, FlatTable, SPAN, start},
};
use crate::types::{Bitboard, Square};

/// How far a product is shifted: 64 less the bits of the index.
///
/// It is an enum because the range of one tells the compiler that every index is below [`SPAN`], so that a lookup
/// needs neither a check of its bounds nor `unsafe`.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Shift {
    By52 = 52,
    By53,
    By54,
    By55,
    By56,
    By57,
    By58,
    By59,
    By60,
}

impl Shift {
    const fn to_leave(bits: usize) -> Self {
        match bits {
            12 => Self::By52,
            11 => Self::By53,
            10 => Self::By54,
            9 => Self::By55,
            8 => Self::By56,
            7 => Self::By57,
            6 => Self::By58,
            5 => Self::By59,
            4 => Self::By60,
            _ => panic!("every index has 4 to 12 bits"),
        }
    }
}

/// All that a lookup of one slider on one square needs.
struct Entry {
    attacks: &'static [Bitboard; SPAN],
    mask: u64,
    magic: u64,
    shift: Shift,
}

impl Entry {
    const fn new(slider: Slider, square: Square) -> Self {
        let Place { start, bits } = LAYOUT.0[slider as usize][square.index()];
        Self {
            attacks: TABLE.part(start),
            mask: slider.relevant(square).0,
            magic: EMBEDDED.get(slider, square),
            shift: Shift::to_leave(bits),
        }
    }

    #[inline(always)]
    fn lookup(&self, occupied: Bitboard) -> Bitboard {
        self.attacks[((occupied.0 & self.mask).wrapping_mul(self.magic) >> self.shift as u8) as usize]
    }
}

/// The entries of one square side by side in a cache line, since a queen reads both.
#[repr(align(64))]
struct Pair {
    rook: Entry,
    bishop: Entry,
}

static ENTRIES: [Pair; 64] = {
    let mut entries = [const { Pair::new(Square::A1) }; 64];
    let mut index = 1;
    while index < 64 {
        entries[index] = Pair::new(Square::from_low_bits(index));
        index += 1;
    }
    entries
};

impl Pair {
    const fn new(square: Square) -> Self {
        Self { rook: Entry::new(Slider::Rook, square), bishop: Entry::new(Slider::Bishop, square) }
    }
}

/// Where a square's entries lie in [`TABLE`].
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    /// The width of their index: one bit for each relevant square, or one less where the magic number does for that.
    bits: usize,
}

/// The places by slider and square, the bishop's first as in [`FLAT_TABLE`], and how many entries there are.
const LAYOUT: ([[Place; 64]; 2], usize) = {
    let mut places = [[Place { start: 0, bits: 0 }; 64]; 2];
    let mut next = 0;
    let mut index = 0;
    while index < 128 {
        let slider = if index < 64 { Slider::Bishop } else { Slider::Rook };
        let square = Square::from_low_bits(index);
        let mut bits = slider.relevant(square).len();
        if fill(&mut [Bitboard::EMPTY; SPAN], Place { start: 0, bits: bits - 1 }, slider, square) {
            bits -= 1;
        }
        places[slider as usize][square.index()] = Place { start: next, bits };
        next += 1 << bits;
        index += 1;
    }
    (places, next)
};

/// The table, which does not compile when a magic number makes two different attack sets collide.
static TABLE: FlatTable<{ LAYOUT.1 }> = {
    let mut table = [Bitboard::EMPTY; LAYOUT.1];
    let mut index = 0;
    while index < 128 {
        let (slider, square) = (Slider::ALL[index / 64], Square::from_low_bits(index));
        let place = LAYOUT.0[slider as usize][square.index()];
        assert!(fill(&mut table, place, slider, square), "the magic number makes two attack sets collide");
        index += 1;
    }
    FlatTable(table)
};

/// Fills a square's place, and says whether no two different attack sets collided there.
const fn fill(table: &mut [Bitboard], place: Place, slider: Slider, square: Square) -> bool {
    let (mask, magic) = (slider.relevant(square), EMBEDDED.get(slider, square));
    let (mut from, mut subset) = (start(slider, square), 0u64);
    let end = from + (1 << mask.len());
    while from < end {
        let slot = &mut table[place.start + (subset.wrapping_mul(magic) >> (64 - place.bits)) as usize];
        let attacks = FLAT_TABLE.0[from];
        if slot.0 != 0 && slot.0 != attacks.0 {
            return false;
        }
        *slot = attacks;
        subset = subset.wrapping_sub(mask.0) & mask.0;
        from += 1;
    }
    true
}

/// Plain magics.
///
/// The index is made of e2, e6 and b4: c6 and f5 are off the rook's lines, and h4 is the end of one.
///
/// ```
/// # use sleight::{attacks::{Magic, Sliders}, types::{Bitboard, Square}};
/// let occupied = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . X . X . . .
///      . . . . . X . .
///      . X . . . . . X
///      . . . . . . . .
///      . . . . X . . .
///      . . . . . . . .",
/// );
/// let attacked = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . . X . . .
///      . . . . X . . .
///      . X X X . X X X
///      . . . . X . . .
///      . . . . X . . .
///      . . . . . . . .",
/// );
/// assert_eq!(Magic.rook(Square::E4, occupied), attacked);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Magic;

impl Sliders for Magic {
    const NAME: &'static str = "magic";
    const TABLE_BYTES: usize = size_of_val(&TABLE) + size_of_val(&ENTRIES);

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        ENTRIES[square.index()].rook.lookup(occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        ENTRIES[square.index()].bishop.lookup(occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MagicNumbers, slider::FLAT_LEN};
    use super::*;

    /// The candidates that `sleight magics` was given to find the denser numbers.
    const DENSER: u64 = 3_000_000;

    #[test]
    fn the_seed_finds_the_embedded_numbers_again() {
        let mut told = 0;
        let mut found = MagicNumbers::find(EMBEDDED.seed, |_, _, _| told += 1).unwrap();
        assert_eq!(told, 128);
        for square in Square::ALL {
            if LAYOUT.0[Slider::Bishop as usize][square.index()].bits < Slider::Bishop.relevant(square).len() {
                let denser = MagicNumbers::find_denser(EMBEDDED.seed, Slider::Bishop, square, DENSER);
                found.bishop[square.index()] = denser.unwrap().magic;
            }
        }
        assert_eq!(found, EMBEDDED);
    }

    /// Wherever the longer diagonal of two is short enough.
    #[test]
    fn two_dozen_bishops_have_a_denser_index() {
        let mut dense = Bitboard::EMPTY;
        for square in Square::ALL {
            let [rook, bishop] = Slider::ALL
                .map(|slider| slider.relevant(square).len() - LAYOUT.0[slider as usize][square.index()].bits);
            assert_eq!(rook, 0);
            if bishop == 1 {
                dense |= square.into();
            }
        }
        let drawn = Bitboard::from_diagram(
            "X X . . . . X X
             X X . . . . X X
             X X . . . . X X
             . . . . . . . .
             . . . . . . . .
             X X . . . . X X
             X X . . . . X X
             X X . . . . X X",
        );
        assert_eq!(dense, drawn);
        assert_eq!(LAYOUT.1, FLAT_LEN - 448);
    }

    #[test]
    fn the_listing_is_the_embedded_source() {
        assert_eq!(MagicNumbers::embedded().to_string(), include_str!("magic_numbers.rs"));
    }
}
