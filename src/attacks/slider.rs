//! The two kinds of sliders, their relevant squares, and the attack table that PEXT and magics share.

use super::Rays;
use crate::types::{Bitboard, File, PieceType, Rank, Square};

/// A table that has the value of a `const` function for each square.
macro_rules! by_square {
    ($of:path) => {{
        let mut table = [const { $of(Square::A1) }; 64];
        let mut index = 1;
        while index < 64 {
            table[index] = $of(Square::from_low_bits(index));
            index += 1;
        }
        table
    }};
}

pub(super) use by_square;

/// A kind of slider; a queen is both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slider {
    /// Moves along the rank and the file.
    Rook,
    /// Moves along the two diagonals.
    Bishop,
}

impl Slider {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Rook, Self::Bishop];

    /// The piece that moves like that alone.
    pub const fn piece_type(self) -> PieceType {
        match self {
            Self::Rook => PieceType::Rook,
            Self::Bishop => PieceType::Bishop,
        }
    }

    /// The attack set by the classical scan: `const`, and the source of all lookup tables.
    pub const fn attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Self::Rook => Rays::rook_attacks(square, occupied),
            Self::Bishop => Rays::bishop_attacks(square, occupied),
        }
    }

    /// The squares whose occupancy determines the attack set: the rays without their last squares, as nothing is behind
    /// a blocker there.
    ///
    /// ```
    /// # use sleight::{attacks::Slider, types::{Bitboard, Square}};
    /// let relevant = Bitboard::from_diagram(
    ///     ". . . . . . . .
    ///      . . . X . . . .
    ///      . . . X . . . .
    ///      . . . X . . . .
    ///      . X X . X X X .
    ///      . . . X . . . .
    ///      . . . X . . . .
    ///      . . . . . . . .",
    /// );
    /// assert_eq!(Slider::Rook.relevant(Square::D4), relevant);
    /// ```
    pub const fn relevant(self, square: Square) -> Bitboard {
        let end_ranks = (Rank::One.bitboard().0 | Rank::Eight.bitboard().0) & !square.rank().bitboard().0;
        let end_files = (File::A.bitboard().0 | File::H.bitboard().0) & !square.file().bitboard().0;
        Bitboard(self.attacks(square, Bitboard::EMPTY).0 & !(end_ranks | end_files))
    }

    /// The attack sets of all subsets of the relevant squares, by PEXT index: entry n is that of the subset which PEXT
    /// packs into n. After them come those of other squares.
    pub const fn attacks_by_subset(self, square: Square) -> &'static [Bitboard; SPAN] {
        FLAT_TABLE.part(start(self, square))
    }
}

/// Entries of a flat table with an attack set for every subset of every mask of relevant squares: 5,248 for the
/// bishop, then 102,400 for the rook.
pub(super) const FLAT_LEN: usize = 107_648;

/// The entries of the widest square, a rook's corner with its 12 relevant squares.
pub const SPAN: usize = 1 << 12;

/// A flat table of attack sets, where each square's entries lie together.
///
/// It begins where a cache line does, so that the eight entries which differ in the lowest squares of a mask share one.
#[repr(align(64))]
pub(super) struct FlatTable(pub(super) [Bitboard; FLAT_LEN]);

/// The index at which each square's entries start, by slider and square.
///
/// The bishop comes first and h8 is a corner, so from every start on there is a whole [`SPAN`] left in the table: a
/// square's part can be had as an array of fixed length, its last entries borrowed from the neighbor.
const STARTS: [[usize; 64]; 2] = {
    let mut starts = [[0; 64]; 2];
    let mut next = 0;
    let mut index = 0;
    while index < 128 {
        let slider = if index < 64 { Slider::Bishop } else { Slider::Rook };
        let square = Square::from_low_bits(index);
        starts[slider as usize][square.index()] = next;
        assert!(next + SPAN <= FLAT_LEN);
        next += 1 << slider.relevant(square).len();
        index += 1;
    }
    assert!(next == FLAT_LEN);
    starts
};

/// The index in [`FLAT_TABLE`] of the first entry of `slider` on `square`.
pub(super) const fn start(slider: Slider, square: Square) -> usize {
    STARTS[slider as usize][square.index()]
}

impl FlatTable {
    /// The part that begins with a square's entries.
    pub(super) const fn part(&'static self, start: usize) -> &'static [Bitboard; SPAN] {
        match self.0.split_at(start).1.first_chunk() {
            Some(part) => part,
            None => panic!("less than a span is left"),
        }
    }
}

/// The attack sets of every subset of every mask of relevant squares, for each mask by PEXT index: entry n is that of
/// the subset which PEXT packs into n.
///
/// Blockers only ever hide squares, so what is attacked past two sets of blockers at once is what is attacked past
/// each of them apart: the subsets with one more square follow from those without it by an intersection. That takes
/// a tenth of the compiler's time that scanning for every subset would.
pub(super) static FLAT_TABLE: FlatTable = {
    let mut table = [Bitboard::EMPTY; FLAT_LEN];
    let mut index = 0;
    while index < 128 {
        let (slider, square) = (Slider::ALL[index / 64], Square::from_low_bits(index));
        let start = start(slider, square);
        table[start] = slider.attacks(square, Bitboard::EMPTY);
        let mut end = start + 1;
        let mut relevant = slider.relevant(square);
        while !relevant.is_empty() {
            let past_blocker = slider.attacks(square, relevant.lowest().bitboard()).0;
            let (mut from, filled) = (start, end);
            while from < filled {
                table[end] = Bitboard(table[from].0 & past_blocker);
                from += 1;
                end += 1;
            }
            relevant.0 &= relevant.0 - 1;
        }
        index += 1;
    }
    FlatTable(table)
};
