//! Move ordering scores of quiet moves.

use super::worker::Worker;
use crate::{
    attacks::Sliders,
    history::QuietHistories,
    params,
    position::CheckSquares,
    types::{Move, Piece},
};

/// Scores the quiet moves of one node; lookups that all of them share are made once.
pub(super) struct QuietScorer<'a, S: Sliders> {
    worker: &'a Worker<S>,
    histories: QuietHistories<'a>,
    check_squares: &'a CheckSquares,
}

impl<'a, S: Sliders> QuietScorer<'a, S> {
    pub(super) fn new(worker: &'a Worker<S>, ply: usize, check_squares: &'a CheckSquares) -> Self {
        let (threats, pawn_key) = (worker.stack[ply].threats, worker.position.keys().pawn);
        let side = worker.position.side_to_move();
        Self {
            worker,
            histories: worker.histories.quiet_histories(side, threats, pawn_key, &worker.continuation_keys(ply)),
            check_squares,
        }
    }

    #[inline(always)]
    pub(super) fn score(&self, mv: Move) -> i32 {
        let Some(piece) = self.worker.moved_piece(mv) else { return 0 };
        self.histories.score(piece, mv) + self.check_bonus(piece, mv)
    }

    /// The bonus of a move that gives check from a square where the piece is not lost.
    // CITE: Stockfish - direct checks with a SEE condition; Reckless - direct checks.
    #[inline(always)]
    fn check_bonus(&self, piece: Piece, mv: Move) -> i32 {
        let safe_check = self.check_squares.is_direct(piece.kind(), mv.to())
            && self.worker.position.see_ge(self.worker.sliders, mv, -params::order_check_see_margin());
        if safe_check { params::order_check() } else { 0 }
    }
}
