//! History updates after a beta cutoff.

use arrayvec::ArrayVec;

use super::{
    prune::{history_bonus, history_malus},
    worker::Worker,
};
use crate::{
    attacks::Sliders,
    types::{Depth, Move},
};

/// The moves of one kind, quiet or noisy, that a node searched before the one that failed high; more than fit are left out.
pub(super) type SearchedMoves = ArrayVec<Move, 64>;

impl<S: Sliders> Worker<S> {
    /// Rewards the move that failed high and penalizes the moves searched before it. A quiet move that fails high says
    /// nothing against the captures' order among themselves, but they were searched in vain; a capture says nothing about
    /// the quiet moves, most of which would have come after it.
    pub(super) fn update_histories(
        &mut self,
        best: Move,
        depth: Depth,
        ply: usize,
        quiets: &SearchedMoves,
        noisies: &SearchedMoves,
    ) {
        let (bonus, malus) = (history_bonus(depth), history_malus(depth));
        if best.is_quiet() {
            self.update_quiet_histories(best, ply, bonus);
            for &mv in quiets {
                self.update_quiet_histories(mv, ply, -malus);
            }
        } else {
            self.update_capture_history(best, bonus);
        }
        for &mv in noisies {
            self.update_capture_history(mv, -malus);
        }
    }

    /// Butterfly, pawn and continuation history.
    pub(super) fn update_quiet_histories(&mut self, mv: Move, ply: usize, bonus: i32) {
        let Some(key) = self.quiet_key(mv, ply) else { return };
        self.histories.update_quiet(&key, bonus);
        for continuation in self.continuation_keys(ply) {
            self.histories.update_continuation(continuation, key.piece, mv.to(), bonus);
        }
    }

    fn update_capture_history(&mut self, mv: Move, bonus: i32) {
        if let Some(piece) = self.moved_piece(mv) {
            self.histories.update_capture(piece, mv.to(), self.captured_type(mv), bonus);
        }
    }
}
