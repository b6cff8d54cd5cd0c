//! Learning from a cut.

use arrayvec::ArrayVec;

use super::{
    prune::{bonus, malus},
    worker::Worker,
};
use crate::{
    attacks::Sliders,
    types::{Depth, Move},
};

/// The moves a node tried before the one that cut, as far as they can learn.
pub(super) type Tried = ArrayVec<Move, 64>;

impl<S: Sliders> Worker<S> {
    /// Rewards the move that cut at this node and punishes those tried before it.
    pub(super) fn learn_cut(&mut self, best: Move, depth: Depth, ply: usize, quiets: &Tried, noisies: &Tried) {
        let (bonus, malus) = (bonus(depth), malus(depth));
        if best.is_quiet() {
            self.learn_quiet(best, ply, bonus);
            for &mv in quiets {
                self.learn_quiet(mv, ply, -malus);
            }
        } else {
            self.learn_noisy(best, bonus);
        }
        for &mv in noisies {
            self.learn_noisy(mv, -malus);
        }
    }

    pub(super) fn learn_quiet(&mut self, mv: Move, ply: usize, bonus: i32) {
        let Some(key) = self.quiet_key(mv, ply) else { return };
        self.histories.update_quiet(&key, bonus);
        for context in self.contexts(ply) {
            self.histories.update_continuation(context, key.piece, mv.to(), bonus);
        }
    }

    fn learn_noisy(&mut self, mv: Move, bonus: i32) {
        if let Some(piece) = self.moved_piece(mv) {
            self.histories.update_noisy(piece, mv.to(), self.captured_kind(mv), bonus);
        }
    }
}
