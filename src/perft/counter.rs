//! The last ply: moves are counted, not listed.

use crate::{
    attacks::count_slider_moves,
    movegen::{PawnStep, Sink, SliderSets},
    types::{Bitboard, MoveKind, PieceType, Square},
};

/// Counts moves without listing them. What else it keeps, for `quiets`, costs nothing where it is not read.
#[derive(Default)]
pub(super) struct Counter {
    /// The number of moves.
    pub(super) moves: u64,
    /// The squares that the king may go to.
    pub(super) king_targets: Bitboard,
    /// The number of castling moves.
    pub(super) castlings: u32,
    /// The targets of single pushes without promotion, and of double pushes.
    pub(super) pushes: [Bitboard; 2],
    /// The sliders that are not pinned: orthogonal, diagonal.
    pub(super) sliders: [Bitboard; 2],
    /// The squares that these may move to.
    pub(super) slider_targets: Bitboard,
    /// The number of their moves.
    pub(super) slider_moves: u64,
}

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, piece_type: PieceType, _: Square, captures: Bitboard, quiets: Bitboard) {
        if piece_type == PieceType::King {
            self.king_targets = captures | quiets;
        }
        self.moves += (captures | quiets).len() as u64;
    }

    #[inline(always)]
    fn sliders(
        &mut self,
        SliderSets { bishops, rooks, queens }: SliderSets,
        occupied: Bitboard,
        captures: Bitboard,
        quiets: Bitboard,
    ) {
        self.sliders = [rooks | queens, bishops | queens];
        self.slider_targets = captures | quiets;
        self.slider_moves = count_slider_moves(rooks | queens, bishops | queens, occupied, captures | quiets) as u64;
        self.moves += self.slider_moves;
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: PawnStep, kind: MoveKind) {
        match kind {
            MoveKind::Quiet => self.pushes[0] = targets,
            MoveKind::DoublePush => self.pushes[1] = targets,
            _ => {}
        }
        self.moves += targets.len() as u64;
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: PawnStep, _: PieceType) {
        self.moves += targets.len() as u64;
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.moves += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.castlings += 1;
        self.moves += 1;
    }
}
