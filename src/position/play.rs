//! What each kind of move does to a board.
//!
//! One small function a kind. They take what the generator knows already - the side, the type of the man that moves -
//! as parameters, so that in code compiled for each of them most of the work folds away.

use super::Board;
use crate::{
    attacks::pawn,
    types::{Color, Move, MoveKind, PieceType, Square, Wing},
};

impl Board {
    /// The board after a legal move. What an illegal one gives is unspecified, but never unsafe.
    #[inline]
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        let from = mv.from();
        let kind = PieceType::ALL.into_iter().find(|&kind| self.kind(kind).contains(from)).unwrap_or(PieceType::Pawn);
        self.play_known(kind, mv)
    }

    /// [`Self::play`] for one who knows the type of the man that moves.
    #[inline]
    #[must_use]
    pub(super) fn play_known(&self, kind: PieceType, mv: Move) -> Self {
        let (us, from, to) = (self.side, mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Quiet => self.after_quiet(us, kind, from, to),
            MoveKind::Capture => self.after_capture(us, kind, from, to),
            MoveKind::DoublePush => self.after_double_push(us, from, to),
            MoveKind::Castle => self.after_castling(us, from, to),
            MoveKind::EnPassant => self.after_en_passant(us, from, to),
            _ => self.after_promotion(us, from, to, mv.promotion().unwrap_or(PieceType::Queen)),
        }
    }

    /// The same board with the other side to move.
    #[inline]
    #[must_use]
    pub fn pass(&self) -> Self {
        self.passed(self.side)
    }

    /// After a move to an empty square.
    #[inline(always)]
    #[must_use]
    pub fn after_quiet(&self, us: Color, kind: PieceType, from: Square, to: Square) -> Self {
        let mut next = self.passed(us);
        next.shift(us, kind, from, to);
        if matches!(kind, PieceType::Rook | PieceType::King) {
            next.castling.touch(from.into());
        }
        next
    }

    /// After a capture that is no promotion.
    #[inline(always)]
    #[must_use]
    pub fn after_capture(&self, us: Color, kind: PieceType, from: Square, to: Square) -> Self {
        let mut next = self.passed(us);
        next.remove(us, to);
        next.shift(us, kind, from, to);
        let mut touched = to.bitboard();
        if matches!(kind, PieceType::Rook | PieceType::King) {
            touched |= from.into();
        }
        next.castling.touch(touched);
        next
    }

    /// After a pawn's first move over two ranks.
    #[inline(always)]
    #[must_use]
    pub fn after_double_push(&self, us: Color, from: Square, to: Square) -> Self {
        let mut next = self.passed(us);
        next.shift(us, PieceType::Pawn, from, to);
        let passed = to.en_passant_neighbour();
        if pawn(us, passed).meets(next.pieces(!us, PieceType::Pawn)) {
            next.en_passant = Some(passed);
            if !next.en_passant_is_possible() {
                next.en_passant = None;
            }
        }
        next
    }

    /// After a pawn took one that had just passed it.
    #[inline(always)]
    #[must_use]
    pub fn after_en_passant(&self, us: Color, from: Square, to: Square) -> Self {
        let mut next = self.passed(us);
        next.shift(us, PieceType::Pawn, from, to);
        let victim = to.en_passant_neighbour().bitboard();
        next.kinds[PieceType::Pawn.index()] ^= victim;
        next.colors[(!us).index()] ^= victim;
        next
    }

    /// After a promotion to `kind`, with or without a capture.
    #[inline(always)]
    #[must_use]
    pub fn after_promotion(&self, us: Color, from: Square, to: Square, kind: PieceType) -> Self {
        let mut next = self.passed(us);
        next.remove(us, to);
        next.kinds[PieceType::Pawn.index()] ^= from.into();
        next.kinds[kind.index()] |= to.into();
        next.colors[us.index()] ^= from.bitboard() | to.bitboard();
        next.castling.touch(to.into());
        next
    }

    /// After castling with the rook on `rook`. In Chess960 the squares of king and rook, old and new, may overlap.
    #[inline(always)]
    #[must_use]
    pub fn after_castling(&self, us: Color, king: Square, rook: Square) -> Self {
        let mut next = self.passed(us);
        let wing = if rook > king { Wing::King } else { Wing::Queen };
        let (king_to, rook_to) = (wing.king_to(us).bitboard(), wing.rook_to(us).bitboard());
        let leaving = king.bitboard() | rook.bitboard();
        next.kinds[PieceType::King.index()] ^= king.bitboard() ^ king_to;
        next.kinds[PieceType::Rook.index()] ^= rook.bitboard() ^ rook_to;
        let ours = &mut next.colors[us.index()];
        *ours = ours.without(leaving) | king_to | rook_to;
        next.castling.touch(king.into());
        next
    }

    /// The move of `us` given to the other side.
    #[inline(always)]
    fn passed(&self, us: Color) -> Self {
        Self { side: !us, en_passant: None, ..*self }
    }

    /// Moves one of our men to a square that none of the enemy's stands on.
    #[inline(always)]
    fn shift(&mut self, us: Color, kind: PieceType, from: Square, to: Square) {
        let way = from.bitboard() | to.bitboard();
        self.kinds[kind.index()] ^= way;
        self.colors[us.index()] ^= way;
    }

    /// Takes the enemy's man off a square, if there is one. Clearing its bit in every type is faster than asking
    /// which.
    #[inline(always)]
    fn remove(&mut self, us: Color, square: Square) {
        let rest = !square.bitboard();
        for set in &mut self.kinds {
            *set &= rest;
        }
        self.colors[(!us).index()] &= rest;
    }
}
