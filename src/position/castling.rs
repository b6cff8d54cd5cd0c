//! Castling rights and the squares they depend on, for any arrangement of king and rooks on the back rank.

use crate::{
    attacks::between,
    types::{Bitboard, CastlingRights, CastlingSide, Color, Rank, Square},
};

/// The rights that are left, the rook of each, and the squares whose disturbance ends one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CastlingSetup {
    /// Kings and rooks of every right that is left.
    sensitive: Bitboard,
    rights: CastlingRights,
    /// By color and castling_side; meaningful where the right is left.
    rooks: [[Square; CastlingSide::COUNT]; Color::COUNT],
    kings: [Square; Color::COUNT],
    /// Files of the back rank that must be free, by color and castling_side.
    ways: [[u8; CastlingSide::COUNT]; Color::COUNT],
}

impl CastlingSetup {
    /// Nobody may castle.
    pub const NONE: Self = Self {
        sensitive: Bitboard::EMPTY,
        rights: CastlingRights::NONE,
        rooks: [[Square::A1; CastlingSide::COUNT]; Color::COUNT],
        kings: [Square::E1, Square::E8],
        ways: [[0; CastlingSide::COUNT]; Color::COUNT],
    };

    /// The rights that are left.
    #[inline(always)]
    pub fn rights(&self) -> CastlingRights {
        self.rights
    }

    /// The rook that castles; ask only where the right is left.
    #[inline(always)]
    pub fn rook(&self, color: Color, castling_side: CastlingSide) -> Square {
        self.rooks[color.index()][castling_side.index()]
    }

    /// Whether the right is left and no man stands in the way of king and rook.
    #[inline(always)]
    pub(super) fn is_way_free(&self, color: Color, castling_side: CastlingSide, occupied: Bitboard) -> bool {
        self.rights.has(color, castling_side)
            && back_rank(color, occupied) & self.ways[color.index()][castling_side.index()] == 0
    }

    /// Grants a right to the king on `king` and the rook on `rook`.
    pub(super) fn grant(&mut self, color: Color, king: Square, rook: Square) {
        let castling_side = CastlingSide::of(king.file(), rook.file());
        self.rights |= CastlingRights::one(color, castling_side);
        self.rooks[color.index()][castling_side.index()] = rook;
        self.kings[color.index()] = king;
        self.sensitive |= king.bitboard() | rook.bitboard();
        let (king_to, rook_to) = (castling_side.king_to(color), castling_side.rook_to(color));
        let way = between(king, king_to) | between(rook, rook_to) | king_to.into() | rook_to.into();
        self.ways[color.index()][castling_side.index()] =
            back_rank(color, way.without(king.bitboard() | rook.bitboard()));
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
        self.sensitive = Bitboard::EMPTY;
        for color in Color::ALL {
            for castling_side in CastlingSide::ALL {
                let squares = self.kings[color.index()].bitboard() | self.rook(color, castling_side).bitboard();
                if !self.rights.has(color, castling_side) {
                    continue;
                } else if squares.meets(touched) {
                    self.rights = self.rights.without(CastlingRights::one(color, castling_side));
                    self.rooks[color.index()][castling_side.index()] = Self::NONE.rook(color, castling_side);
                    self.ways[color.index()][castling_side.index()] = 0;
                } else {
                    self.sensitive |= squares;
                }
            }
            // Boards without the right are to be equal, wherever the king once stood.
            if self.rights.without(CastlingRights::of(!color)) == CastlingRights::NONE {
                self.kings[color.index()] = Self::NONE.kings[color.index()];
            }
        }
    }
}

/// The files of the squares on a color's back rank.
#[inline(always)]
fn back_rank(color: Color, squares: Bitboard) -> u8 {
    (squares.0 >> (8 * Rank::One.relative_to(color).index())) as u8
}
