//! Castling rights and the squares they depend on, for any arrangement of king and rooks on the back rank.

use crate::{
    attacks::between,
    types::{Bitboard, CastlingRights, CastlingSide, Color, Rank, Square},
};

/// The castling rights that are left, with the king, the rook and the path of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CastlingPaths {
    /// The squares of the king and the rook of every right that is left: a move from or to one of them ends it.
    kings_and_rooks: Bitboard,
    rights: CastlingRights,
    /// The castling rooks, by color and side; A1 without the right.
    rooks: [[Square; CastlingSide::COUNT]; Color::COUNT],
    kings: [Square; Color::COUNT],
    /// Files of the back rank between and under king and rook, before and after castling, by color and side.
    paths: [[u8; CastlingSide::COUNT]; Color::COUNT],
    /// The files of the path that are occupied if castling is possible: those of king and rook. All of them without the
    /// right, more than the path then has.
    occupied_on_path: [[u8; CastlingSide::COUNT]; Color::COUNT],
}

impl CastlingPaths {
    /// No castling rights.
    pub const NONE: Self = Self {
        kings_and_rooks: Bitboard::EMPTY,
        rights: CastlingRights::NONE,
        rooks: [[Square::A1; CastlingSide::COUNT]; Color::COUNT],
        kings: [Square::E1, Square::E8],
        paths: [[0; CastlingSide::COUNT]; Color::COUNT],
        occupied_on_path: [[0xff; CastlingSide::COUNT]; Color::COUNT],
    };

    /// The rights that are left.
    #[inline(always)]
    pub fn rights(&self) -> CastlingRights {
        self.rights
    }

    /// The castling rook; meaningful only if the right is left.
    #[inline(always)]
    pub fn rook(&self, color: Color, castling_side: CastlingSide) -> Square {
        self.rooks[color.index()][castling_side.index()]
    }

    /// Returns true if the right is left and no piece stands on the path of king and rook. One comparison tells both.
    #[inline(always)]
    pub(super) fn is_path_clear(&self, color: Color, castling_side: CastlingSide, occupied: Bitboard) -> bool {
        let (color_index, side) = (color.index(), castling_side.index());
        back_rank(color, occupied) & self.paths[color_index][side] == self.occupied_on_path[color_index][side]
    }

    /// Adds the right of the king on `king` and the rook on `rook`.
    pub(super) fn add(&mut self, color: Color, king: Square, rook: Square) {
        let castling_side = CastlingSide::of(king.file(), rook.file());
        self.rights |= CastlingRights::one(color, castling_side);
        self.rooks[color.index()][castling_side.index()] = rook;
        self.kings[color.index()] = king;
        self.kings_and_rooks |= king.bitboard() | rook.bitboard();
        let (king_to, rook_to) = (castling_side.king_to(color), castling_side.rook_to(color));
        let pieces = king.bitboard() | rook.bitboard();
        let path = between(king, king_to) | between(rook, rook_to) | king_to.into() | rook_to.into() | pieces;
        self.paths[color.index()][castling_side.index()] = back_rank(color, path);
        self.occupied_on_path[color.index()][castling_side.index()] = back_rank(color, pieces);
    }

    /// Removes every right whose king or rook stands on one of the `touched` squares: the origin and target of a move.
    #[inline(always)]
    pub(super) fn remove_touched(&mut self, touched: Bitboard) {
        if self.kings_and_rooks.intersects(touched) {
            self.remove_touched_rights(touched);
        }
    }

    #[cold]
    #[inline(never)]
    fn remove_touched_rights(&mut self, touched: Bitboard) {
        self.kings_and_rooks = Bitboard::EMPTY;
        for color in Color::ALL {
            for castling_side in CastlingSide::ALL {
                let squares = self.kings[color.index()].bitboard() | self.rook(color, castling_side).bitboard();
                if !self.rights.has(color, castling_side) {
                    continue;
                } else if squares.intersects(touched) {
                    self.rights = self.rights.without(CastlingRights::one(color, castling_side));
                    self.rooks[color.index()][castling_side.index()] = Self::NONE.rook(color, castling_side);
                    self.paths[color.index()][castling_side.index()] = 0;
                    self.occupied_on_path[color.index()][castling_side.index()] = 0xff;
                } else {
                    self.kings_and_rooks |= squares;
                }
            }
            // Boards without rights compare equal, wherever the king once stood.
            if self.rights.without(CastlingRights::of(!color)).is_empty() {
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
