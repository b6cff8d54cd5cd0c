//! Castling sides and rights.

use std::ops::BitOrAssign;

use super::{Color, File, Rank, Square};
use crate::util::enums::index_enum;

index_enum! {
    /// The side of a castling move. In Chess960, too, the king ends on the g-file or c-file, wherever the rook stood.
    pub enum CastlingSide {
        /// King to the g-file, rook to the f-file (`O-O`).
        KingSide,
        /// King to the c-file, rook to the d-file (`O-O-O`).
        QueenSide,
    }
}

impl CastlingSide {
    /// The side of the king on which a rook stands.
    #[inline(always)]
    pub const fn of(king: File, rook: File) -> Self {
        if rook.index() > king.index() { Self::KingSide } else { Self::QueenSide }
    }

    /// The square on which the king of `color` ends.
    #[inline(always)]
    pub const fn king_to(self, color: Color) -> Square {
        let file = match self {
            Self::KingSide => File::G,
            Self::QueenSide => File::C,
        };
        Square::new(file, Rank::One.relative_to(color))
    }

    /// The square on which the rook of `color` ends.
    #[inline(always)]
    pub const fn rook_to(self, color: Color) -> Square {
        let file = match self {
            Self::KingSide => File::F,
            Self::QueenSide => File::D,
        };
        Square::new(file, Rank::One.relative_to(color))
    }
}

/// The castling rights that are left: a set of color and side pairs in four bits.
///
/// ```
/// # use sleight::types::{CastlingRights, Color, CastlingSide};
/// let rights = CastlingRights::ALL.without(CastlingRights::of(Color::White));
/// assert!(!rights.has(Color::White, CastlingSide::KingSide) && rights.has(Color::Black, CastlingSide::QueenSide));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No castling.
    pub const NONE: Self = Self(0);
    /// All four.
    pub const ALL: Self = Self(15);

    /// One right alone.
    #[inline(always)]
    pub const fn one(color: Color, castling_side: CastlingSide) -> Self {
        Self(1 << (2 * color.index() + castling_side.index()))
    }

    /// Both rights of a color.
    #[inline(always)]
    pub const fn of(color: Color) -> Self {
        Self(3 << (2 * color.index()))
    }

    /// Returns true if `color` has the right to castle on `castling_side`.
    #[inline(always)]
    pub const fn has(self, color: Color, castling_side: CastlingSide) -> bool {
        self.0 & Self::one(color, castling_side).0 != 0
    }

    /// Returns true if no right is left.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rights of `self` that are not in `other`.
    #[inline(always)]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The rights as a number in `0..16`, for lookup tables.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }
}

impl BitOrAssign for CastlingRights {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
