//! The static evaluation of a node, and its correction by the search's own results.

use super::{node::Node, worker::Worker};
use crate::{eval, history::CorrectionKeys, types::Score};

impl Worker {
    /// Sets static evaluation, estimate and `improving`, and stores a new evaluation in the TT.
    pub(super) fn evaluate_node(&mut self, node: &mut Node) {
        let ply = node.ply;
        if node.excluded.is_some() {
            // The node around this singular search has evaluated the same position.
            node.static_eval = self.stack[ply].static_eval;
            node.estimate = node.static_eval.unwrap_or(-Score::INFINITE);
        } else {
            self.set_static_eval(node);
            // CITE: Stockfish, by way of Berserk - storing the evaluation before the search.
            if node.static_eval.is_some() && !node.tt_hit {
                self.store(node, None, None, -1);
            }
        }
        self.stack[ply].static_eval = node.static_eval;
        // CITE: Stockfish, by way of Reckless - `improving`: compared with two plies back, or with four if the side was
        // in check then.
        if let Some(static_eval) = node.static_eval {
            let earlier = self.stack.before(ply, 2).static_eval.or(self.stack.before(ply, 4).static_eval);
            node.improving = earlier.is_some_and(|earlier| static_eval > earlier);
        }
    }

    /// Sets the static evaluation of a node: the raw one, from the TT if it has one, corrected by what earlier searches
    /// found about such positions; and the estimate. None in check.
    #[inline(always)]
    pub(super) fn set_static_eval(&mut self, node: &mut Node) {
        if node.in_check {
            return;
        }
        let raw_eval = node.raw_eval.unwrap_or_else(|| {
            let evaluation = eval::evaluate(&self.position, &mut self.accumulators);
            #[cfg(feature = "evaluated")]
            super::evaluated::observe(&self.position, evaluation);
            evaluation
        });
        let correction = self.histories.correction.get(&self.correction_keys(node.ply));
        let static_eval = eval::static_eval(&self.position, raw_eval, correction);
        (node.raw_eval, node.static_eval) = (Some(raw_eval), Some(static_eval));
        // CITE: Stockfish, by way of akimbo and Reckless - the TT score as evaluation if its bound allows. Not measured
        // here.
        node.estimate = match node.tt_score {
            Some(tt) if !tt.score.is_decisive() && tt.bound.refines(tt.score, static_eval) => tt.score,
            _ => static_eval,
        };
    }

    /// The index of the position's correction histories.
    #[inline]
    pub(super) fn correction_keys(&self, ply: usize) -> CorrectionKeys {
        let keys = self.position.keys();
        CorrectionKeys {
            side: self.position.side_to_move(),
            pawn: keys.pawn,
            non_pawn: keys.non_pawn,
            last: self.stack.before(ply, 1).moved,
            before_last: self.stack.before(ply, 2).moved,
        }
    }
}
