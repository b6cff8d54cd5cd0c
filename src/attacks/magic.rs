//! Fancy magic bitboards: a multiplication and a shift turn the relevant occupancy into a table index.
//!
//! Mask the occupancy by the relevant squares, multiply, keep the top bits. Two occupancies have the same index only if
//! they give the same attack set.
// CITE: Lasse Hansen - the method; Pradyumna Kannan, "Magic Move-Bitboard Generation in Computer Chess" (2007) - tables
// of each square's own size.

use super::{
    Slider,
    magic_numbers::{BISHOP, ROOK, SEED},
    slider::{FLAT_LEN, FLAT_TABLE, FlatTable, SPAN, by_square, start},
};
use crate::types::{Bitboard, Square};

/// One magic number for every square and both sliders, for an index of as many bits as the square has relevant squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MagicNumbers {
    /// The seed of the search that found them.
    pub seed: u64,
    /// The rook's, by square.
    pub rook: [u64; 64],
    /// The bishop's, by square.
    pub bishop: [u64; 64],
}

impl MagicNumbers {
    /// The numbers that [`Magic`] uses.
    pub const EMBEDDED: Self = Self { seed: SEED, rook: ROOK, bishop: BISHOP };

    /// The number of `slider` on `square`.
    const fn get(&self, slider: Slider, square: Square) -> u64 {
        match slider {
            Slider::Rook => self.rook[square.index()],
            Slider::Bishop => self.bishop[square.index()],
        }
    }
}

/// The shift of a product: 64 minus the number of index bits.
///
/// An enum, because its range tells the compiler that every index is below [`SPAN`]: a lookup needs neither a bounds
/// check nor `unsafe`.
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
            _ => panic!("every index has 5 to 12 bits"),
        }
    }
}

/// The data of a lookup for one slider on one square.
struct MagicEntry {
    attacks: &'static [Bitboard; SPAN],
    mask: u64,
    magic: u64,
    shift: Shift,
}

impl MagicEntry {
    const fn new(slider: Slider, square: Square) -> Self {
        let mask = slider.relevant(square);
        Self {
            attacks: TABLE.part(start(slider, square)),
            mask: mask.0,
            magic: MagicNumbers::EMBEDDED.get(slider, square),
            shift: Shift::to_leave(mask.len()),
        }
    }

    #[inline(always)]
    fn lookup(&self, occupied: Bitboard) -> Bitboard {
        self.attacks[((occupied.0 & self.mask).wrapping_mul(self.magic) >> self.shift as u8) as usize]
    }
}

/// The entries of one square in one cache line, as a queen needs both.
#[repr(align(64))]
struct SquareEntries {
    rook: MagicEntry,
    bishop: MagicEntry,
}

static ENTRIES: [SquareEntries; 64] = by_square!(SquareEntries::new);

impl SquareEntries {
    const fn new(square: Square) -> Self {
        Self { rook: MagicEntry::new(Slider::Rook, square), bishop: MagicEntry::new(Slider::Bishop, square) }
    }
}

/// The attack sets of each square where its magic number puts them. It does not compile when two different ones
/// collide.
static TABLE: FlatTable = {
    let mut table = [Bitboard::EMPTY; FLAT_LEN];
    let mut index = 0;
    while index < 128 {
        let (slider, square) = (Slider::ALL[index / 64], Square::from_low_bits(index));
        let (mask, magic) = (slider.relevant(square), MagicNumbers::EMBEDDED.get(slider, square));
        let (shift, start) = (64 - mask.len(), start(slider, square));
        let (mut from, mut subset) = (start, 0u64);
        while from < start + (1 << mask.len()) {
            let slot = &mut table[start + (subset.wrapping_mul(magic) >> shift) as usize].0;
            let attacks = FLAT_TABLE.0[from].0;
            assert!(*slot == 0 || *slot == attacks, "the magic number makes two attack sets collide");
            *slot = attacks;
            subset = subset.wrapping_sub(mask.0) & mask.0;
            from += 1;
        }
        index += 1;
    }
    FlatTable(table)
};

/// Fancy magic bitboards.
///
/// The index is made of e2, e6 and b4: c6 and f5 are off the rook's lines, and h4 is the end of one.
///
/// ```
/// # use sleight::{attacks::Magic, types::{Bitboard, Square}};
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

impl Magic {
    /// Size in bytes of the lookup tables.
    pub const TABLE_BYTES: usize = size_of_val(&TABLE) + size_of_val(&ENTRIES);

    /// The attack set of a rook on `square`.
    #[inline(always)]
    pub fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        ENTRIES[square.index()].rook.lookup(occupied)
    }

    /// The attack set of a bishop on `square`.
    #[inline(always)]
    pub fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        ENTRIES[square.index()].bishop.lookup(occupied)
    }
}
