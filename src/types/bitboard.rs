//! Sets of squares.

use std::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not},
};

use super::{Color, File, Rank, Square};

/// A set of squares, one bit each: bit 0 is a1, bit 63 is h8.
///
/// ```
/// # use sleight::types::{Bitboard, Square};
/// let knight = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . X . X . .
///      . . X . . . X .
///      . . . . . . . .
///      . . X . . . X .
///      . . . X . X . .
///      . . . . . . . .",
/// );
/// assert_eq!(knight.len(), 8);
/// assert!(knight.contains(Square::F6) && !knight.contains(Square::E4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const ALL: Self = Self(!0);
    /// The first and eighth ranks, where no pawn can stand.
    pub const PAWNLESS_RANKS: Self = Self(0xff00_0000_0000_00ff);
    /// The 32 squares of the same color as a1.
    pub const DARK_SQUARES: Self = Self(0xaa55_aa55_aa55_aa55);

    /// Returns true if the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares in the set.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if the set holds two squares or more.
    #[inline(always)]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns true if `square` is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Returns true if the two sets share a square.
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The squares of `self` that are not in `other`.
    #[inline(always)]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The lowest square; a1 for the empty set, so ask [`Self::is_empty`] first.
    #[inline(always)]
    pub const fn lowest(self) -> Square {
        Square::from_low_bits(self.0.trailing_zeros() as usize)
    }

    /// The set one rank up for White, one rank down for Black.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0 << 8),
            Color::Black => Self(self.0 >> 8),
        }
    }

    /// The set one file to the left; squares of the a-file fall off.
    #[inline(always)]
    pub const fn left(self) -> Self {
        Self(self.0 >> 1 & 0x7f7f_7f7f_7f7f_7f7f)
    }

    /// The set one file to the right; squares of the h-file fall off.
    #[inline(always)]
    pub const fn right(self) -> Self {
        Self(self.0 << 1 & 0xfefe_fefe_fefe_fefe)
    }

    /// The squares attacked by pawns of `color` standing on this set.
    #[inline(always)]
    pub const fn pawn_attacks(self, color: Color) -> Self {
        let ahead = self.forward(color);
        Self(ahead.left().0 | ahead.right().0)
    }

    /// The set mirrored top to bottom.
    #[inline(always)]
    pub const fn flip_rank(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// Reads a diagram: eight rows from the eighth rank down, `.` for a square outside the set, anything else for one
    /// in it.
    ///
    /// # Panics
    /// If the text does not have 64 characters besides white space: it is meant for tests and documentation.
    pub fn from_diagram(text: &str) -> Self {
        let squares: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        assert_eq!(squares.len(), 64, "a diagram has 64 squares");
        let rows = squares.chunks(8).zip((0..8).rev());
        rows.flat_map(|(row, rank)| row.iter().enumerate().map(move |(file, &c)| (8 * rank + file, c)))
            .filter(|&(_, c)| c != '.')
            .fold(Self::EMPTY, |set, (index, _)| set | Square::from_low_bits(index).into())
    }

    /// Every subset of the set, from the empty one to the set itself (the carry-rippler).
    pub const fn subsets(self) -> Subsets {
        Subsets { set: self.0, next: Some(0) }
    }
}

/// The subsets of a [`Bitboard`], in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Subsets {
    set: u64,
    next: Option<u64>,
}

impl Iterator for Subsets {
    type Item = Bitboard;

    fn next(&mut self) -> Option<Bitboard> {
        let subset = self.next?;
        let following = subset.wrapping_sub(self.set) & self.set;
        self.next = (following != 0).then_some(following);
        Some(Bitboard(subset))
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Self {
        square.bitboard()
    }
}

impl From<Rank> for Bitboard {
    #[inline(always)]
    fn from(rank: Rank) -> Self {
        rank.bitboard()
    }
}

impl Square {
    /// The set of this square alone.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self.index())
    }
}

impl File {
    /// The eight squares of the file.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self.index())
    }
}

impl Rank {
    /// The eight squares of the rank.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (8 * self.index()))
    }
}

/// Iterates over the squares in index order, removing each from the set.
impl Iterator for Bitboard {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_low_bits_unfolded(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
    }
}

macro_rules! bit_operators {
    ($($trait:ident $method:ident $assign_trait:ident $assign:ident;)*) => { $(
        impl $trait for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self { Self($trait::$method(self.0, other.0)) }
        }
        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign(&mut self, other: Self) { $assign_trait::$assign(&mut self.0, other.0) }
        }
    )* };
}

bit_operators! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl Not for Bitboard {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// A diagram with the eighth rank on top, as [`Bitboard::from_diagram`] reads it.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let row = File::ALL.map(|file| if self.contains(Square::new(file, rank)) { "X" } else { "." });
            writeln!(f, "{}", row.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bitboard({:#018x})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagrams_round_trip() {
        let set = Bitboard(0x8040_2010_0804_0201);
        assert_eq!(Bitboard::from_diagram(&set.to_string()), set);
    }

    #[test]
    fn iterators_know_their_length() {
        let set = Bitboard(0x8040_2010_0804_0201);
        assert_eq!(set.size_hint(), (8, Some(8)));
        assert_eq!([set, Bitboard::EMPTY].iter().map(|set| set.len()).sum::<usize>(), 8);
        assert_eq!(set.count(), 8);
    }

    #[test]
    fn subsets_are_complete_and_distinct() {
        let set = Bitboard(0x8100_0000_0024_0001);
        let subsets: std::collections::HashSet<_> = set.subsets().collect();
        assert_eq!(subsets.len(), 1 << set.len());
        assert!(subsets.iter().all(|&s| s.without(set).is_empty()));
        assert_eq!(Bitboard::EMPTY.subsets().count(), 1);
    }

    #[test]
    fn pawn_attacks_stay_on_the_board() {
        assert_eq!(Square::A2.bitboard().pawn_attacks(Color::White), Square::B3.bitboard());
        assert_eq!(Square::H7.bitboard().pawn_attacks(Color::Black), Square::G6.bitboard());
    }
}
