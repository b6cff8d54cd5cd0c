//! Perfect hashing of lines by a remainder, after Trevor Fenner and Mark Levene ("Move Generation with Perfect Hash
//! Functions", ICGA Journal, 2008).
//!
//! Squares of a line lie K bits apart: 8 on a file, 9 and 7 on the diagonals. Modulo 2^K + 2 a step of K bits is worth
//! -2, since 2^K = -2 there, so that the line's bits become the digits of a number to the base -2, all of them
//! different; modulo 2^(K+1) + 1 much the same happens. The remainder is an address below a few hundred, found without
//! any search for magic numbers.
//!
//! As the paper proposes for a further improvement, the address indexes the attacks directly. A rank needs no hashing,
//! only a shift.
// CITE: Trevor Fenner and Mark Levene (2008).

use sleight::{
    attacks::{Axis, Slider},
    types::{Bitboard, Square},
};

use super::{Sliders, by_square};

/// Squares on a whole line of the chess board.
const N: u32 = 8;

/// h1, equation (3): the remainder modulo 2^K + 2. One-to-one on the sets of N squares K bits apart for N <= K.
///
/// ```
/// # use sleight_lab::sliders::h1;
/// // One square of a file counts 1, -2, 4, -8 and so on, modulo 258.
/// assert_eq!([0, 8, 16, 24].map(|bit| h1::<8>(1 << bit)), [1, 256, 4, 250]);
/// ```
#[inline(always)]
pub const fn h1<const K: u32>(line: u64) -> usize {
    (line % h1_modulus(K)) as usize
}

/// h1-hat, equation (14): h1 moved so that its 2^N addresses are those from 0 to 2^N - 1.
///
/// `line` must have its lowest square on bit 0 and leave 2^N below the top of the word, as every line of N = 8 does.
#[inline(always)]
pub const fn h1_minimal<const K: u32, const N: u32>(line: u64) -> usize {
    ((line + least_negated(N)) % h1_modulus(K)) as usize
}

/// h2, equation (10): the remainder modulo 2^(K+1) + 1. One-to-one for N <= K + 1, wherever the line begins.
#[inline(always)]
pub const fn h2<const K: u32>(line: u64) -> usize {
    (line % h2_modulus(K)) as usize
}

/// h2-hat, after equation (15): h2 turned and moved so that its 2^N addresses are those from 0 to 2^N - 1.
///
/// `line` must have its lowest square on bit 0, and room for K + 1 bits above the highest.
#[inline(always)]
pub const fn h2_minimal<const K: u32, const N: u32>(line: u64) -> usize {
    let modulus = h2_modulus(K);
    let turn = 1 << (N - 1);
    // For even N the paper multiplies by -2^(N-1): a complement, as the remainder is taken of positive numbers.
    let factor = if N.is_multiple_of(2) { modulus - turn } else { turn };
    ((line * factor + least_negated(N)) % modulus) as usize
}

const fn h1_modulus(k: u32) -> u64 {
    (1 << k) + 2
}

const fn h2_modulus(k: u32) -> u64 {
    (1 << (k + 1)) + 1
}

/// The least number of N digits to the base -2, without its sign: all odd digits 1, by the bound (8).
const fn least_negated(n: u32) -> u64 {
    2 * (4u64.pow(n / 2) - 1) / 3
}

/// The address of a line whose lowest square is on bit 0, by the hash function that the paper picks for each K.
#[inline(always)]
const fn address<const K: u32, const MINIMAL: bool>(line: u64) -> usize {
    match (K < N, MINIMAL) {
        (false, false) => h1::<K>(line),
        (false, true) => h1_minimal::<K, N>(line) & 0xff,
        (true, false) => h2::<K>(line),
        (true, true) => h2_minimal::<K, N>(line) & 0xff,
    }
}

/// Attacks along a line of eight squares with its lowest on bit 0, by the slider's place on it and the address.
type LineTable<const LEN: usize> = [[Bitboard; LEN]; 8];

/// Fills a table for the lines whose longest begins on `lowest`.
const fn table<const K: u32, const MINIMAL: bool, const LEN: usize>(lowest: Square, line: Axis) -> LineTable<LEN> {
    let mut table = [[Bitboard::EMPTY; LEN]; 8];
    let whole = line.around(lowest).0 | lowest.bitboard().0;
    let mut place = 0;
    while place < 8 {
        let square = Square::from_low_bits(lowest.index() + place * K as usize);
        let mut occupied = 0u64;
        loop {
            let attacks = match line {
                Axis::Rank | Axis::File => Slider::Rook.attacks(square, Bitboard(occupied)),
                Axis::NorthEast | Axis::NorthWest => Slider::Bishop.attacks(square, Bitboard(occupied)),
            };
            let entry = &mut table[place][address::<K, MINIMAL>(occupied >> lowest.index())];
            let attacks = (attacks.0 & whole) >> lowest.index();
            // Occupancies with and without the slider are different keys, which never share an address.
            assert!(entry.0 == 0, "two occupancies have the same address");
            *entry = Bitboard(attacks);
            occupied = occupied.wrapping_sub(whole) & whole;
            if occupied == 0 {
                break;
            }
        }
        place += 1;
    }
    table
}

/// The data of a lookup along one line through one square.
struct LineEntry<const K: u32, const LEN: usize> {
    line: u64,
    attacks: &'static [Bitboard; LEN],
    shift: u32,
}

impl<const K: u32, const LEN: usize> LineEntry<K, LEN> {
    const fn new(square: Square, line: Axis, table: &'static LineTable<LEN>) -> Self {
        let lowest = (line.below(square).0 | square.bitboard().0).trailing_zeros();
        Self { line: line.around(square).0, attacks: &table[line.below(square).len()], shift: lowest }
    }

    #[inline(always)]
    fn attacks<const MINIMAL: bool>(&self, occupied: Bitboard) -> Bitboard {
        let address = address::<K, MINIMAL>((occupied.0 & self.line) >> self.shift);
        // A short line reads the entry of the longest one, and stops at its own end.
        Bitboard(self.attacks[address].0 << self.shift & self.line)
    }
}

/// The attacks along the first rank, by the slider's file and the rank's occupancy.
static RANK: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut index = 0;
    while index < 8 * 256 {
        let square = Square::from_low_bits(index / 256);
        let attacks = Slider::Rook.attacks(square, Bitboard(index as u64 % 256)).0;
        table[index / 256][index % 256] = attacks as u8;
        index += 1;
    }
    table
};

#[inline(always)]
fn rank_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let shift = square.index() & !7;
    let attacks = RANK[square.index() & 7][usize::from((occupied.0 >> shift) as u8)];
    Bitboard(u64::from(attacks) << shift)
}

/// Makes a backend of the hash functions, minimal or not; the three lengths are those of the tables that they address.
macro_rules! hashed {
    ($(#[$meta:meta])* $name:ident, $text:literal, $minimal:literal, $file:literal, $north_east:literal, $north_west:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        const _: () = {
            static FILE: LineTable<$file> = table::<8, $minimal, $file>(Square::A1, Axis::File);
            static NORTH_EAST: LineTable<$north_east> = table::<9, $minimal, $north_east>(Square::A1, Axis::NorthEast);
            static NORTH_WEST: LineTable<$north_west> = table::<7, $minimal, $north_west>(Square::H1, Axis::NorthWest);

            struct Entries {
                file: LineEntry<8, $file>,
                north_east: LineEntry<9, $north_east>,
                north_west: LineEntry<7, $north_west>,
            }

            impl Entries {
                const fn new(square: Square) -> Self {
                    Self {
                        file: LineEntry::new(square, Axis::File, &FILE),
                        north_east: LineEntry::new(square, Axis::NorthEast, &NORTH_EAST),
                        north_west: LineEntry::new(square, Axis::NorthWest, &NORTH_WEST),
                    }
                }
            }

            static ENTRIES: [Entries; 64] = by_square!(Entries::new);

            impl Sliders for $name {
                const NAME: &'static str = $text;
                const TABLE_BYTES: usize = size_of_val(&FILE)
                    + size_of_val(&NORTH_EAST)
                    + size_of_val(&NORTH_WEST)
                    + size_of_val(&RANK)
                    + size_of_val(&ENTRIES);

                #[inline(always)]
                fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
                    ENTRIES[square.index()].file.attacks::<$minimal>(occupied) | rank_attacks(square, occupied)
                }

                #[inline(always)]
                fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
                    let entry = &ENTRIES[square.index()];
                    entry.north_east.attacks::<$minimal>(occupied) | entry.north_west.attacks::<$minimal>(occupied)
                }
            }
        };
    };
}

hashed! {
    /// Perfect hashing with h1 on files and north-east diagonals and h2 on north-west diagonals.
    ///
    /// The north-west diagonal through e3 has its first square on g1, bit 6. Moved to bit 0, the one on f2 becomes bit
    /// 7 and the one on b6 bit 35, which are 128 and 8 modulo 257.
    ///
    /// ```
    /// # use sleight::types::{Bitboard, Square};
    /// # use sleight_lab::sliders::{PerfectHash, Sliders, h2};
    /// let occupied = Bitboard::from_diagram(
    ///     ". . . . . . . .
    ///      . . . . . . . .
    ///      . X . . . . . .
    ///      . . . . X . . .
    ///      . . . . . . . .
    ///      . . . . . . . .
    ///      . . . . . X . .
    ///      . . . . . . . .",
    /// );
    /// let attacked = Bitboard::from_diagram(
    ///     ". . . . . . . .
    ///      . . . . . . . .
    ///      . X . . . . . X
    ///      . . X . . . X .
    ///      . . . X . X . .
    ///      . . . . . . . .
    ///      . . . X . X . .
    ///      . . X . . . . .",
    /// );
    /// assert_eq!(h2::<7>(1 << 7 | 1 << 35), 136);
    /// assert_eq!(PerfectHash.bishop(Square::E3, occupied), attacked);
    /// ```
    PerfectHash, "perfect-hash", false, 258, 514, 257
}

hashed! {
    /// Minimal perfect hashing, which leaves no entry of its tables unused: h1-hat and h2-hat.
    MinimalHash, "minimal-hash", true, 256, 256, 256
}
