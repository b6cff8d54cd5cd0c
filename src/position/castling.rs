//! Castling rights and the squares they depend on, for any arrangement of king and rooks on the back rank.

use crate::types::{Bitboard, CastlingRights, Color, Square, Wing};

/// The rights that are left, the rook of each, and the squares whose disturbance ends one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CastlingSetup {
    /// Kings and rooks of every right that is left.
    sensitive: Bitboard,
    rights: CastlingRights,
    /// By color and wing; meaningful where the right is left.
    rooks: [[Square; Wing::COUNT]; Color::COUNT],
    kings: [Square; Color::COUNT],
}

impl CastlingSetup {
    /// Nobody may castle.
    pub const NONE: Self = Self {
        sensitive: Bitboard::EMPTY,
        rights: CastlingRights::NONE,
        rooks: [[Square::A1; Wing::COUNT]; Color::COUNT],
        kings: [Square::E1, Square::E8],
    };

    /// The rights that are left.
    #[inline(always)]
    pub fn rights(&self) -> CastlingRights {
        self.rights
    }

    /// The rook that castles; ask only where the right is left.
    #[inline(always)]
    pub fn rook(&self, color: Color, wing: Wing) -> Square {
        self.rooks[color.index()][wing.index()]
    }

    /// Grants a right to the king on `king` and the rook on `rook`.
    pub(super) fn grant(&mut self, color: Color, king: Square, rook: Square) {
        let wing = if rook > king { Wing::King } else { Wing::Queen };
        self.rights |= CastlingRights::one(color, wing);
        self.rooks[color.index()][wing.index()] = rook;
        self.kings[color.index()] = king;
        self.sensitive |= king.bitboard() | rook.bitboard();
    }

    /// Ends every right whose king or rook stands on one of the `touched` squares of a move.
    #[inline(always)]
    pub(super) fn touch(&mut self, touched: Bitboard) {
        if self.sensitive.meets(touched) {
            self.revoke(touched);
        }
    }

    #[cold]
    #[inline(never)]
    fn revoke(&mut self, touched: Bitboard) {
        let mut left = Self::NONE;
        for color in Color::ALL {
            for wing in Wing::ALL {
                let (king, rook) = (self.kings[color.index()], self.rook(color, wing));
                let squares = king.bitboard() | rook.bitboard();
                if self.rights.has(color, wing) && !squares.meets(touched) {
                    left.grant(color, king, rook);
                }
            }
        }
        *self = left;
    }
}
