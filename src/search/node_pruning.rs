//! Pruning of nodes, each rule with its guard: reverse futility (RFP), null move pruning (NMP), ProbCut.

use super::{
    node::{Node, NodeKind, NonPv},
    picker::{MovePicker, Stage},
    stack::Reduction,
    window::Window,
    worker::{Aborted, Worker},
};
use crate::{
    params::{self, rules},
    types::{Bound, Depth, Score},
};

impl Worker {
    /// Reverse futility pruning (RFP), or static null move pruning: an evaluation above beta by a margin for each ply
    /// of depth will stay above it. The node's score, if so: between evaluation and beta, as the margin is not proven.
    // CITE: akimbo, Viridithas - margin per ply, less if improving; Reckless, Berserk - returning a score between
    // evaluation and beta. Measured here, with the hand-crafted evaluation: +20 ± 23 Elo.
    #[inline(always)]
    pub(super) fn reverse_futility_pruning<N: NodeKind>(&self, node: &Node) -> Option<Score> {
        let &Node { depth, window: Window { beta, .. }, estimate, .. } = node;
        let margin = params::rfp_margin() * depth - if node.improving { params::rfp_improving() } else { 0 };
        let is_pruned = rules::reverse_futility_pruning()
            && node.may_be_pruned::<N>()
            && !node.tt_pv
            && depth <= params::rfp_max_depth()
            && !beta.is_loss()
            && estimate - margin.max(params::rfp_min_margin()) >= beta;
        is_pruned.then(|| estimate.lerp(beta, params::rfp_lerp()))
    }

    /// Null move pruning (NMP): the opponent moves twice in a row and still fails to bring the score below beta. The
    /// node's score, if so.
    // CITE: Don Beal, Goetsch and Campbell, then Chrilly Donninger - null move pruning; Stockfish - a margin that
    // shrinks with the depth; Reckless, Stash - in cut nodes only; Ernst A. Heinz - a reduction that grows with the
    // depth, akimbo, Reckless, Berserk - and with the evaluation; Stockfish, by way of akimbo, Reckless - verification.
    // Measured here: +4 ± 25 Elo with the hand-crafted evaluation, +8 ± 28 with the second network, since RFP does much
    // of its work; one ply more if improving (Reckless), +8 ± 7 Elo.
    pub(super) fn null_move_pruning<N: NodeKind>(&mut self, node: &Node) -> Result<Option<Score>, Aborted> {
        let &Node { ply, depth, window: Window { beta, .. }, estimate, .. } = node;
        let margin = params::nmp_margin() - params::nmp_depth_margin() * depth;
        let is_tried = rules::null_move_pruning()
            && node.may_be_pruned::<N>()
            && node.cut_node
            && estimate >= beta
            && node.static_eval.is_some_and(|eval| eval - margin >= beta)
            && !beta.is_loss()
            && depth >= params::nmp_min_depth()
            && ply >= self.nmp_min_ply
            // In pawn endgames there is zugzwang: passing would be best.
            && self.position.has_non_pawn_material();
        if !is_tried {
            return Ok(None);
        }
        debug_assert!(self.stack.before(ply, 1).mv.is_some(), "the child of a null move is no cut node");
        let reduction = (params::nmp_base() + params::nmp_depth_factor() * depth) / 1024
            + Depth::from(node.improving)
            + ((estimate - beta) / params::nmp_eval_divisor()).clamp(0, params::nmp_eval_max());
        let (window, reduced) = (Window::null_below(beta), depth - reduction);
        let score = self.search_null_move(window, reduced, ply)?;
        if !window.fails_high(score) {
            return Ok(None);
        }
        // A mate after a null move is no proof.
        let score = if score.is_decisive() { beta } else { score };
        if depth < params::nmp_verification_depth() || self.nmp_min_ply > 0 {
            return Ok(Some(score));
        }
        // Verification, against zugzwang: search again without null moves in the upper plies.
        self.nmp_min_ply = ply + (reduced.max(0) * params::nmp_verification_plies() / 1024) as usize + 1;
        let verified = self.search_node::<NonPv>(window, reduced.max(1), ply, false);
        self.nmp_min_ply = 0;
        Ok(window.fails_high(verified?).then_some(score))
    }

    /// The score of the node at `ply` after a null move.
    fn search_null_move(&mut self, window: Window, depth: Depth, ply: usize) -> Result<Score, Aborted> {
        self.stack[ply].mv = None;
        self.stack[ply].moved = None;
        self.stack[ply].reduction = Reduction::NONE;
        self.shared.tt.prefetch(self.position.tt_key_after_null());
        // No move is made, and none is counted.
        // CITE: Stockfish - nodes are moves made, so that limits on nodes mean the same in both.
        self.position.make_null();
        let score = self.search_child::<NonPv>(window, depth, ply, false);
        self.position.unmake();
        score
    }

    /// ProbCut: a capture that beats beta by a margin in a shallow search is expected to beat beta in a full one. The
    /// node's score, if there is one.
    // CITE: Michael Buro - ProbCut; Stockfish, by way of Reckless and Viridithas - the margin, less if improving;
    // Stockfish, by way of Reckless and Stash - quiescence search first, then depth - 4, over captures whose SEE value
    // can reach the margin; Reckless - in cut nodes only, measured here: +7 ± 7
    // Elo; ProbCut itself on the clock +3 ± 8.
    pub(super) fn probcut<N: NodeKind>(&mut self, node: &Node) -> Result<Option<Score>, Aborted> {
        let &Node { ply, depth, window: Window { beta, .. }, .. } = node;
        let probcut_beta =
            beta + params::probcut_margin() - if node.improving { params::probcut_improving() } else { 0 };
        let is_refuted =
            node.tt_score.is_some_and(|tt| tt.depth > depth - params::probcut_reduction() && tt.score < probcut_beta);
        let is_tried = rules::probcut()
            && node.may_be_pruned::<N>()
            && node.cut_node
            && depth >= params::probcut_min_depth()
            && !beta.is_decisive()
            && !is_refuted;
        let Some(eval) = node.static_eval.filter(|_| is_tried) else { return Ok(None) };
        let window = Window::null_below(probcut_beta);
        let reduced = (depth - params::probcut_reduction()).max(0);
        let mut picker = MovePicker::noisy(self, node.tt_move, probcut_beta - eval, false);
        while let Some(mv) = picker.next(self, ply) {
            if picker.stage() == Stage::BadNoisy {
                break;
            }
            self.stack[ply].reduction = Reduction::NONE;
            let score = self.after_move(mv, ply, |worker| {
                let score = worker.qsearch_child::<NonPv>(window, ply)?;
                if window.fails_high(score) && reduced > 0 {
                    worker.search_child::<NonPv>(window, reduced, ply, false)
                } else {
                    Ok(score)
                }
            })?;
            if window.fails_high(score) {
                self.store(node, Some(mv), Some((score, Bound::Lower)), reduced + 1);
                let margin = probcut_beta - beta;
                return Ok(Some(if score.is_decisive() { score } else { score - margin }));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        position::Position,
        search::{Control, Job, Limits, Shared},
        tt::TranspositionTable,
    };

    #[test]
    fn a_null_move_is_no_node() {
        let shared = Arc::new(Shared::new(TranspositionTable::new(1).unwrap(), Arc::new(Control::new()), 1));
        let mut worker = Worker::new(shared, 0).unwrap();
        let position = Position::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
        worker.prepare(&Job::new(position, Limits::depth(1)));
        // Black, to move again, has nothing to take.
        let score = worker.search_null_move(Window::null_below(Score::ZERO), 0, 1).unwrap();
        assert!(score > Score::ZERO);
        assert_eq!(worker.counters.nodes, 0);
    }
}
