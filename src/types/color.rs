//! White and Black, as values and as types.

use std::ops::Not;

use crate::util::enums::index_enum;

index_enum! {
    /// White or Black.
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

/// A [`Color`] known at compile time, so that ranks and pawn shifts are constants in code generic over it.
pub trait Side: Copy + Send + Sync + 'static {
    /// The color of the side.
    const US: Color;
    /// The color of the other side.
    const THEM: Color;
    /// The other side.
    type Them: Side;
}

/// The side of [`Color::White`].
#[derive(Clone, Copy, Debug)]
pub struct White;

/// The side of [`Color::Black`].
#[derive(Clone, Copy, Debug)]
pub struct Black;

impl Side for White {
    const US: Color = Color::White;
    const THEM: Color = Color::Black;
    type Them = Black;
}

impl Side for Black {
    const US: Color = Color::Black;
    const THEM: Color = Color::White;
    type Them = White;
}
