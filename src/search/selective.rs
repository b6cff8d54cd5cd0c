//! Ways to be done with a node, or nearly, without looking at each of its moves.

use super::{
    node::{Node, Zero},
    picker::{MovePicker, Stage},
    prune,
    worker::Worker,
};
use crate::{
    attacks::Sliders,
    history::Context,
    params::*,
    tt::{Bound, Entry},
    types::Score,
};

impl<S: Sliders> Worker<S> {
    /// Tries them all, the cheap ones first; may also adjust the depth that is left.
    pub(super) fn prune_node(&mut self, node: &mut Node) -> Option<Score> {
        self.look_back(node);
        let &mut Node { ply, depth, alpha, beta, estimate, .. } = node;
        if prune::is_hopeless(depth, estimate, alpha) && !alpha.is_decisive() {
            return Some(self.quiesce::<Zero>(alpha, beta, ply));
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

    /// Hindsight: the move that led here was reduced. If it turned out well for the opponent, it deserves more depth after
    /// all; if we stand better than before it, still less.
    fn look_back(&self, node: &mut Node) {
        let last = self.stack.before(node.ply, 1);
        let (Some(ours), Some(theirs)) = (node.eval, last.eval) else { return };
        // What the move gained us, by two evaluations from opposite sides.
        let gain = ours + theirs.0;
        if !rules::hindsight() {
        } else if last.reduction >= 3072 && gain <= Score::ZERO {
            node.depth += 1;
        } else if last.reduction >= 2048 && node.depth >= 2 && !node.tt_pv && gain > Score(hindsight_loss()) {
            node.depth -= 1;
        }
    }

    fn try_null_move(&mut self, node: &Node) -> Option<Score> {
        let &Node { ply, depth, beta, estimate, .. } = node;
        let after_null = ply > 0 && self.stack.before(ply, 1).mv.is_none();
        let promising = estimate >= beta
            && node.eval.is_some_and(|eval| eval + null_move_depth_margin() * depth - null_move_margin() >= beta);
        if !rules::null_move()
            || !node.cut_node
            || after_null
            || !promising
            || beta.is_loss()
            || depth < 3
            || ply < self.null_moves_from
            || !self.position.has_non_pawn_material()
        {
            return None;
        }
        let reduced = depth - prune::null_move_reduction(depth, estimate, beta);
        self.stack[ply].mv = None;
        self.stack[ply].context = Context::NONE;
        self.stack[ply].reduction = 0;
        self.position.make_null();
        self.nodes += 1;
        let score = -self.search_node::<Zero>(-beta, -beta + 1, reduced, ply + 1, false);
        self.position.unmake_null();
        if self.stopped {
            return Some(Score::ZERO);
        }
        if score < beta {
            return None;
        }
        // A mate found after passing is no proof.
        let score = if score.is_decisive() { beta } else { score };
        if depth < 15 || self.null_moves_from > 0 {
            return Some(score);
        }
        // Zugzwang is likeliest to fool deep searches: verify without null moves near the root.
        self.null_moves_from = ply + (3 * (reduced.max(0) as usize)) / 4 + 1;
        let verified = self.search_node::<Zero>(beta - 1, beta, reduced.max(1), ply, false);
        self.null_moves_from = 0;
        (verified >= beta || self.stopped).then_some(score)
    }

    fn try_probcut(&mut self, node: &Node) -> Option<Score> {
        let &Node { ply, depth, beta, .. } = node;
        let bar = prune::probcut_beta(beta, node.improving);
        let refuted = matches!(node.tt_score, Some((score, _, tt_depth)) if tt_depth >= depth - 3 && score < bar);
        if !rules::probcut() || depth < 5 || beta.is_decisive() || refuted {
            return None;
        }
        let eval = node.eval?;
        let mut picker = MovePicker::noisy(self, node.tt_move, bar - eval, false);
        while let Some(mv) = picker.next(self, ply) {
            if picker.stage() == Stage::BadNoisy {
                break;
            }
            self.stack[ply].reduction = 0;
            self.make(mv, ply);
            let mut score = -self.quiesce::<Zero>(-bar, -bar + 1, ply + 1);
            if score >= bar && depth > 5 {
                score = -self.search_node::<Zero>(-bar, -bar + 1, depth - 4, ply + 1, !node.cut_node);
            }
            self.unmake();
            if self.stopped {
                return Some(Score::ZERO);
            }
            if score >= bar {
                let stored = Some((score.to_tt(ply), Bound::Lower));
                let entry = Entry { mv: Some(mv), score: stored, eval: node.raw, depth: depth - 3, pv: node.tt_pv };
                self.shared.table.store(self.position.tt_key(), entry);
                return Some(if score.is_decisive() { score } else { score - (bar - beta) });
            }
        }
        None
    }
}
