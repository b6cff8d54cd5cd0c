//! The effect of each kind of move on a board.
//!
//! One small function for each kind. The side and the piece type, which the generator knows already, are parameters, so
//! that most of the work folds away where they are constants. They change the board where it lies: a board returned by
//! value is copied in wide strides right after its parts were written, and such a copy has to wait for every write to
//! leave the store buffer.

use super::{Board, board::en_passant_victim};
use crate::types::{CastlingSide, Color, PieceType, Square};

impl Board {
    /// A move to an empty square.
    #[inline(always)]
    pub fn apply_quiet(&mut self, us: Color, piece_type: PieceType, from: Square, to: Square) {
        self.turn(us);
        self.shift(us, piece_type, from, to);
        if matches!(piece_type, PieceType::Rook | PieceType::King) {
            self.castling.remove_touched(from.into());
        }
    }

    /// A capture other than en passant, without promotion.
    #[inline(always)]
    pub fn apply_capture(&mut self, us: Color, piece_type: PieceType, from: Square, to: Square) {
        self.turn(us);
        self.remove(us, to);
        self.shift(us, piece_type, from, to);
        let mut touched = to.bitboard();
        if matches!(piece_type, PieceType::Rook | PieceType::King) {
            touched |= from.into();
        }
        self.castling.remove_touched(touched);
    }

    /// Takes one of our pieces off the board and passes the turn; the board may lose its king.
    #[inline(always)]
    pub fn lift(&mut self, us: Color, piece_type: PieceType, from: Square) {
        self.turn(us);
        self.by_type[piece_type.index()] ^= from.into();
        self.colors[us.index()] ^= from.into();
    }

    /// A pawn's double push. The en-passant square is set only if a capture there is legal.
    #[inline(always)]
    pub fn apply_double_push(&mut self, us: Color, from: Square, to: Square) {
        self.turn(us);
        self.shift(us, PieceType::Pawn, from, to);
        self.set_en_passant(to.backward(us));
    }

    /// An en-passant capture.
    #[inline(always)]
    pub fn apply_en_passant(&mut self, us: Color, from: Square, to: Square) {
        self.turn(us);
        self.shift(us, PieceType::Pawn, from, to);
        let victim = en_passant_victim(from, to).bitboard();
        self.by_type[PieceType::Pawn.index()] ^= victim;
        self.colors[(!us).index()] ^= victim;
    }

    /// A promotion to `piece_type`, with or without a capture.
    #[inline(always)]
    pub fn apply_promotion(&mut self, us: Color, from: Square, to: Square, piece_type: PieceType) {
        self.turn(us);
        self.remove(us, to);
        self.by_type[PieceType::Pawn.index()] ^= from.into();
        self.by_type[piece_type.index()] |= to.into();
        self.colors[us.index()] ^= from.bitboard() | to.bitboard();
        self.castling.remove_touched(to.into());
    }

    /// Castling with the rook on `rook`. In Chess960 the squares of king and rook, old and new, may overlap.
    #[inline(always)]
    pub fn apply_castling(&mut self, us: Color, king: Square, rook: Square) {
        self.turn(us);
        let castling_side = CastlingSide::of(king.file(), rook.file());
        let (king_to, rook_to) = (castling_side.king_to(us).bitboard(), castling_side.rook_to(us).bitboard());
        let leaving = king.bitboard() | rook.bitboard();
        self.by_type[PieceType::King.index()] ^= king.bitboard() ^ king_to;
        self.by_type[PieceType::Rook.index()] ^= rook.bitboard() ^ rook_to;
        let ours = &mut self.colors[us.index()];
        *ours = ours.without(leaving) | king_to | rook_to;
        self.castling.remove_touched(king.into());
    }

    /// Moves one of our pieces to a square without an enemy piece.
    #[inline(always)]
    fn shift(&mut self, us: Color, piece_type: PieceType, from: Square, to: Square) {
        let way = from.bitboard() | to.bitboard();
        self.by_type[piece_type.index()] ^= way;
        self.colors[us.index()] ^= way;
    }

    /// Removes the enemy piece on a square, if there is one. Clearing the bit in every type is faster than finding the
    /// type.
    #[inline(always)]
    fn remove(&mut self, us: Color, square: Square) {
        let rest = !square.bitboard();
        for set in &mut self.by_type {
            *set &= rest;
        }
        self.colors[(!us).index()] &= rest;
    }
}
