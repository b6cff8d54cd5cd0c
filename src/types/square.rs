//! Squares, files and ranks.

use std::{fmt, str::FromStr};

use super::Color;
use crate::util::enums::index_enum;

index_enum! {
    /// A file of the board.
    #[expect(missing_docs, reason = "the names say it")]
    pub enum File { A, B, C, D, E, F, G, H }
}

index_enum! {
    /// A rank of the board, from White's side.
    #[expect(missing_docs, reason = "the names say it")]
    pub enum Rank { One, Two, Three, Four, Five, Six, Seven, Eight }
}

index_enum! {
    /// A square: a1 is 0, b1 is 1, h8 is 63 (little-endian rank-file mapping).
    #[expect(missing_docs, reason = "the names say it")]
    #[rustfmt::skip]
    pub enum Square {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}

impl File {
    /// `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file with this letter, in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|file| file.letter() == letter.to_ascii_lowercase())
    }
}

impl Rank {
    /// The rank as counted from `color`'s side of the board: the first rank relative to Black is the eighth.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Self {
        match Self::from_index(self.index() ^ (7 * color.index())) {
            Some(rank) => rank,
            None => unreachable!(),
        }
    }
}

impl Square {
    /// The square on a file and a rank.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_low_bits(8 * rank.index() + file.index())
    }

    /// The square whose index is the lowest six bits of `index`.
    #[inline(always)]
    pub const fn from_low_bits(index: usize) -> Self {
        match Self::from_index(index & 63) {
            Some(square) => square,
            None => unreachable!(),
        }
    }

    /// [`Self::from_low_bits`] without its 64 cases, whose consequences LLVM would compute ahead of a loop over
    /// squares.
    #[inline(always)]
    pub(crate) fn from_low_bits_unfolded(index: usize) -> Self {
        bytemuck::checked::cast((index & 63) as u8)
    }

    /// The square's file.
    #[inline(always)]
    pub const fn file(self) -> File {
        match File::from_index(self.index() & 7) {
            Some(file) => file,
            None => unreachable!(),
        }
    }

    /// The square's rank.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        match Rank::from_index(self.index() >> 3) {
            Some(rank) => rank,
            None => unreachable!(),
        }
    }

    /// The square `files` to the right and `ranks` up, unless that is off the board.
    ///
    /// ```
    /// # use sleight::types::Square;
    /// assert_eq!(Square::E4.offset(1, 2), Some(Square::F6));
    /// assert_eq!(Square::H4.offset(1, 0), None);
    /// ```
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Self::from_low_bits((8 * rank + file) as usize))
    }

    /// The square mirrored top to bottom: e2 becomes e7.
    #[inline(always)]
    pub const fn flip_rank(self) -> Self {
        Self::from_low_bits(self.index() ^ 56)
    }

    /// The square from `color`'s perspective: mirrored top to bottom for Black.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Self {
        Self::from_low_bits(self.index() ^ (56 * color.index()))
    }

    /// The square one rank behind, as pawns of `color` move: the square that a double push has passed, or the pawn that
    /// an en-passant capture takes. Wraps around at the edge of the board.
    ///
    /// ```
    /// # use sleight::types::{Color, Square};
    /// assert_eq!(Square::E6.backward(Color::White), Square::E5);
    /// assert_eq!(Square::E3.backward(Color::Black), Square::E4);
    /// ```
    #[inline(always)]
    pub const fn backward(self, color: Color) -> Self {
        Self::from_low_bits(match color {
            Color::White => self.index().wrapping_sub(8),
            Color::Black => self.index() + 8,
        })
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().index() + 1)
    }
}

/// A text that is not the name of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a square")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `e4`; nothing else, not even upper case.
    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Ok(Self::from_low_bits(usize::from(8 * (rank - b'1') + file - b'a')))
            }
            _ => Err(ParseSquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for square in Square::ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        for bad in ["", "e", "e9", "i1", "E4", "e44", "é"] {
            assert_eq!(bad.parse::<Square>(), Err(ParseSquareError));
        }
    }
}
