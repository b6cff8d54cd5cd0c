//! Pruning of whole nodes: hindsight depth adjustment, razoring, RFP, NMP and ProbCut.

use super::{
    node::{Node, NonPv},
    picker::{MovePicker, Stage},
    prune,
    worker::Worker,
};
use crate::{
    attacks::Sliders,
    history::ContinuationKey,
    params::*,
    tt::{Bound, TtEntry},
    types::{Depth, Score},
};

impl<S: Sliders> Worker<S> {
    /// Razoring, RFP, NMP and ProbCut, the cheap ones first: the node's score if one of them applies.
    pub(super) fn prune_node(&mut self, node: &Node) -> Option<Score> {
        let &Node { ply, depth, alpha, beta, estimate, .. } = node;
        if prune::razor(depth, estimate, alpha) && !alpha.is_decisive() {
            return Some(self.qsearch::<NonPv>(alpha, beta, ply));
        }
        if !node.tt_pv
            && !beta.is_loss()
            && !estimate.is_decisive()
            && let Some(score) = prune::reverse_futility(depth, node.improving, estimate, beta)
        {
            return Some(score);
        }
        self.try_null_move(node).or_else(|| self.try_probcut(node))
    }

    /// Hindsight depth adjustment: the previous move was reduced by LMR. One ply deeper if the evaluation shows that it
    /// was better for the opponent than expected; one ply shallower if it cost him more than a margin.
    pub(super) fn hindsight_adjustment(&self, node: &Node) -> Depth {
        let previous = self.stack.before(node.ply, 1);
        let (Some(eval), Some(opponent_eval)) = (node.eval, previous.eval) else { return 0 };
        // The previous move's cost for the opponent: two evaluations from opposite sides.
        let loss = eval.0 + opponent_eval.0;
        if !rules::hindsight_adjustment() {
            0
        } else if previous.reduction >= 3072 && loss <= 0 {
            1
        } else if previous.reduction >= 2048 && node.depth >= 2 && !node.tt_pv && loss > hindsight_margin() {
            -1
        } else {
            0
        }
    }

    fn try_null_move(&mut self, node: &Node) -> Option<Score> {
        let &Node { ply, depth, beta, estimate, .. } = node;
        let after_null = ply > 0 && self.stack.before(ply, 1).mv.is_none();
        let promising =
            estimate >= beta && node.eval.is_some_and(|eval| eval + nmp_depth_margin() * depth - nmp_margin() >= beta);
        if !rules::null_move_pruning()
            || !node.cut_node
            || after_null
            || !promising
            || beta.is_loss()
            || depth < 3
            || ply < self.nmp_min_ply
            || !self.position.has_non_pawn_material()
        {
            return None;
        }
        let reduced = depth - prune::null_move_reduction(depth, estimate, beta);
        self.stack[ply].mv = None;
        self.stack[ply].continuation = ContinuationKey::NONE;
        self.stack[ply].reduction = 0;
        self.position.make_null();
        self.nodes += 1;
        let score = -self.search_node::<NonPv>(-beta, -beta + 1, reduced, ply + 1, false);
        self.position.unmake_null();
        if self.stopped {
            return Some(Score::ZERO);
        }
        if score < beta {
            return None;
        }
        // A mate found after passing is no proof.
        let score = if score.is_decisive() { beta } else { score };
        if depth < 15 || self.nmp_min_ply > 0 {
            return Some(score);
        }
        // Zugzwang is likeliest to fool deep searches: verify without null moves near the root.
        self.nmp_min_ply = ply + (3 * (reduced.max(0) as usize)) / 4 + 1;
        let verified = self.search_node::<NonPv>(beta - 1, beta, reduced.max(1), ply, false);
        self.nmp_min_ply = 0;
        (verified >= beta || self.stopped).then_some(score)
    }

    fn try_probcut(&mut self, node: &Node) -> Option<Score> {
        let &Node { ply, depth, beta, .. } = node;
        let probcut_beta = prune::probcut_beta(beta, node.improving);
        let refuted =
            matches!(node.tt_score, Some((score, _, tt_depth)) if tt_depth >= depth - 3 && score < probcut_beta);
        if !rules::probcut() || depth < 5 || beta.is_decisive() || refuted {
            return None;
        }
        let eval = node.eval?;
        let mut picker = MovePicker::noisy(self, node.tt_move, probcut_beta - eval, false);
        while let Some(mv) = picker.next(self, ply) {
            if picker.stage() == Stage::BadNoisy {
                break;
            }
            self.stack[ply].reduction = 0;
            self.make(mv, ply);
            let mut score = -self.qsearch::<NonPv>(-probcut_beta, -probcut_beta + 1, ply + 1);
            if score >= probcut_beta && depth > 5 {
                score =
                    -self.search_node::<NonPv>(-probcut_beta, -probcut_beta + 1, depth - 4, ply + 1, !node.cut_node);
            }
            self.unmake();
            if self.stopped {
                return Some(Score::ZERO);
            }
            if score >= probcut_beta {
                let stored = Some((score.to_table(ply), Bound::Lower));
                let entry = TtEntry { mv: Some(mv), score: stored, eval: node.raw, depth: depth - 3, pv: node.tt_pv };
                self.shared.tt.store(self.position.hash_key(), entry);
                return Some(if score.is_decisive() { score } else { score - (probcut_beta - beta) });
            }
        }
        None
    }
}
