//! Pieces and their types.

use std::fmt;

use super::Color;
use crate::util::enums::index_enum;

index_enum! {
    /// The type of a piece without its color, in order of value.
    pub enum PieceType {
        /// ♙
        Pawn,
        /// ♘
        Knight,
        /// ♗
        Bishop,
        /// ♖
        Rook,
        /// ♕
        Queen,
        /// ♔
        King,
    }
}

index_enum! {
    /// A piece of one color. White and Black alternate, so that a piece's index is `2 * type + color`.
    pub enum Piece {
        /// ♙
        WhitePawn,
        /// ♟
        BlackPawn,
        /// ♘
        WhiteKnight,
        /// ♞
        BlackKnight,
        /// ♗
        WhiteBishop,
        /// ♝
        BlackBishop,
        /// ♖
        WhiteRook,
        /// ♜
        BlackRook,
        /// ♕
        WhiteQueen,
        /// ♛
        BlackQueen,
        /// ♔
        WhiteKing,
        /// ♚
        BlackKing,
    }
}

impl PieceType {
    /// The letter of English notation, upper case.
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'P',
            Self::Knight => 'N',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }
}

impl Piece {
    /// The piece of that type and color.
    #[inline(always)]
    pub const fn new(piece_type: PieceType, color: Color) -> Self {
        match Self::from_index(2 * piece_type.index() + color.index()) {
            Some(piece) => piece,
            None => unreachable!(),
        }
    }

    /// The piece's type.
    #[inline(always)]
    pub const fn piece_type(self) -> PieceType {
        match PieceType::from_index(self.index() / 2) {
            Some(piece_type) => piece_type,
            None => unreachable!(),
        }
    }

    /// The piece's color.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.index().is_multiple_of(2) { Color::White } else { Color::Black }
    }

    /// The FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.piece_type().letter(),
            Color::Black => self.piece_type().letter().to_ascii_lowercase(),
        }
    }

    /// The piece with this FEN letter.
    ///
    /// ```
    /// # use sleight::types::Piece;
    /// assert_eq!(Piece::from_letter('q'), Some(Piece::BlackQueen));
    /// assert_eq!(Piece::from_letter('x'), None);
    /// ```
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|piece| piece.letter() == letter)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_whole_agree() {
        for piece_type in PieceType::ALL {
            for color in Color::ALL {
                let piece = Piece::new(piece_type, color);
                assert_eq!((piece.piece_type(), piece.color()), (piece_type, color));
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
    }
}
