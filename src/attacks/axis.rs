//! The four lines through a square: rank, file, diagonal and antidiagonal.

use crate::types::{Bitboard, Square};

/// A kind of line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// West to east.
    Rank,
    /// South to north.
    File,
    /// South-west to north-east.
    NorthEast,
    /// South-east to north-west.
    NorthWest,
}

impl Axis {
    /// All four kinds.
    pub const ALL: [Self; 4] = [Self::Rank, Self::File, Self::NorthEast, Self::NorthWest];

    /// The step from a square of the line to the next higher one, in files and ranks.
    const fn step(self) -> (i8, i8) {
        match self {
            Self::Rank => (1, 0),
            Self::File => (0, 1),
            Self::NorthEast => (1, 1),
            Self::NorthWest => (-1, 1),
        }
    }

    /// The squares of the line with a higher index than `square`.
    pub(super) const fn above(self, square: Square) -> Bitboard {
        let (files, ranks) = self.step();
        ray(square, files, ranks)
    }

    /// The squares of the line with a lower index than `square`.
    pub const fn below(self, square: Square) -> Bitboard {
        let (files, ranks) = self.step();
        ray(square, -files, -ranks)
    }

    /// The line through `square` from edge to edge, without the square itself.
    ///
    /// ```
    /// # use sleight::{attacks::Axis, types::{Bitboard, Square}};
    /// let line = Bitboard::from_diagram(
    ///     ". . . . . . . .
    ///      . . . . . . . .
    ///      . . . . . . . .
    ///      X . . . . . . .
    ///      . X . . . . . .
    ///      . . . . . . . .
    ///      . . . X . . . .
    ///      . . . . X . . .",
    /// );
    /// assert_eq!(Axis::NorthWest.around(Square::C3), line);
    /// ```
    pub const fn around(self, square: Square) -> Bitboard {
        Bitboard(self.above(square).0 | self.below(square).0)
    }
}

const fn ray(square: Square, files: i8, ranks: i8) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    let mut next = square.offset(files, ranks);
    while let Some(square) = next {
        squares.0 |= square.bitboard().0;
        next = square.offset(files, ranks);
    }
    squares
}
