use std::ops::Not;

use crate::util::enums::index_enum;

index_enum! {
    /// A side of the game.
    ///
    /// ```
    /// # use sleight::types::Color;
    /// assert_eq!(!Color::White, Color::Black);
    /// ```
    pub enum Color {
        /// Moves up the board, and first.
        White,
        /// Moves down the board.
        Black,
    }
}

impl Not for Color {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}
