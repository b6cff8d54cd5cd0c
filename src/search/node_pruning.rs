//! Rules for whole nodes: hindsight depth adjustment, razoring, reverse futility pruning (RFP), null move pruning
//! (NMP), ProbCut and internal iterative reduction (IIR).

use super::{
    node::{Node, NodeKind, NonPv},
    picker::{MovePicker, Stage},
    window::Window,
    worker::{Aborted, Worker},
};
use crate::{
    attacks::Sliders,
    history::ContinuationKey,
    params::{self, rules},
    tt::TtEntry,
    types::{Bound, Depth, Score},
};

impl<S: Sliders> Worker<S> {
    /// Hindsight depth adjustment: the previous move was reduced by LMR. One ply deeper if the evaluation shows that it
    /// was better for the opponent than expected; one ply shallower if it cost the opponent more than a margin.
    // CITE: Stockfish, by way of Reckless - both directions, by the sum of the evaluations. Measured here: pruning with
    // the adjusted depth, -1 ± 21 Elo.
    pub(super) fn hindsight_adjustment(&self, node: &Node) -> Depth {
        let previous = self.stack.before(node.ply, 1);
        let (Some(eval), Some(opponent_eval)) = (node.static_eval, previous.static_eval) else { return 0 };
        // The previous move's cost for the opponent: two evaluations from opposite sides.
        let loss = eval.0 + opponent_eval.0;
        if !rules::hindsight_adjustment() {
            0
        } else if previous.reduction >= params::hindsight_deeper_reduction() && loss <= 0 {
            1
        } else if previous.reduction >= params::hindsight_shallower_reduction()
            && node.depth >= params::hindsight_min_depth()
            && !node.tt_pv
            && loss > params::hindsight_margin()
        {
            -1
        } else {
            0
        }
    }

    /// Null move pruning (NMP): the opponent moves twice in a row and still fails to bring the score below beta. The node's
    /// score, if so.
    // CITE: Don Beal, Goetsch and Campbell, then Chrilly Donninger - null move pruning; Stockfish - a margin that shrinks
    // with the depth; Reckless, Stash - in cut nodes only; Ernst A. Heinz - a reduction that grows with the depth; akimbo,
    // Reckless, Berserk - and with the evaluation above beta; Stockfish, by way of akimbo and Reckless - verification.
    // Measured here: +4 ± 25 Elo with the hand-crafted evaluation, +8 ± 28 with the second network, since RFP does much of
    // its work; one ply more if improving (Reckless), +8 ± 7 Elo.
    pub(super) fn null_move_pruning(&mut self, node: &Node) -> Result<Option<Score>, Aborted> {
        let &Node { ply, depth, window: Window { beta, .. }, estimate, .. } = node;
        let after_null = self.stack.before(ply, 1).mv.is_none();
        let margin = params::nmp_margin() - params::nmp_depth_margin() * depth;
        let is_tried = rules::null_move_pruning()
            && node.cut_node
            && !after_null
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
        self.stack[ply].continuation = ContinuationKey::NONE;
        self.stack[ply].reduction = 0;
        self.shared.tt.prefetch(self.position.tt_key_after_null());
        self.position.make_null();
        self.counters.nodes += 1;
        let score = self.search_child::<NonPv>(window, depth, ply, false);
        self.position.unmake_null();
        score
    }

    /// ProbCut: a capture that beats beta by a margin in a shallow search is expected to beat beta in a full one. The node's
    /// score, if there is one.
    // CITE: Michael Buro - ProbCut; Stockfish, by way of Reckless and Viridithas - the margin, less if improving; Stockfish,
    // by way of Reckless and Stash - quiescence search first, then depth - 4, over captures whose SEE value can reach the
    // margin; Reckless - in cut nodes only, measured here: +7 ± 7 Elo.
    pub(super) fn probcut(&mut self, node: &Node) -> Result<Option<Score>, Aborted> {
        let &Node { ply, depth, window: Window { beta, .. }, .. } = node;
        let probcut_beta =
            beta + params::probcut_margin() - if node.improving { params::probcut_improving() } else { 0 };
        let refuted =
            node.tt_score.is_some_and(|tt| tt.depth > depth - params::probcut_reduction() && tt.score < probcut_beta);
        if !rules::probcut() || !node.cut_node || depth < params::probcut_min_depth() || beta.is_decisive() || refuted {
            return Ok(None);
        }
        let Some(eval) = node.static_eval else { return Ok(None) };
        let window = Window::null_below(probcut_beta);
        let mut picker = MovePicker::noisy(self, node.tt_move, probcut_beta - eval, false);
        while let Some(mv) = picker.next(self, ply) {
            if picker.stage() == Stage::BadNoisy {
                break;
            }
            self.stack[ply].reduction = 0;
            let score = self.after_move(mv, ply, |worker| {
                let score = worker.qsearch_child::<NonPv>(window, ply)?;
                if window.fails_high(score) && depth > params::probcut_min_depth() {
                    worker.search_child::<NonPv>(window, depth - params::probcut_reduction(), ply, !node.cut_node)
                } else {
                    Ok(score)
                }
            })?;
            if window.fails_high(score) {
                let tt_score = Some((score.to_tt(ply), Bound::Lower));
                let (mv, raw_eval) = (Some(mv), node.raw_eval);
                let entry_depth = depth - params::probcut_reduction() + 1;
                let entry = TtEntry { mv, score: tt_score, raw_eval, depth: entry_depth, pv: node.tt_pv };
                self.shared.tt.store(node.key, entry);
                let margin = probcut_beta - beta;
                return Ok(Some(if score.is_decisive() { score } else { score - margin }));
            }
        }
        Ok(None)
    }

    /// Internal iterative reduction (IIR), in plies: without a TT move, the next visit of a deep node will have one.
    // CITE: Ed Schröder (Rebel) - one ply less without a TT move; Stockfish, by way of Berserk - in PV and cut nodes
    // only. Not measured here.
    pub(super) fn internal_iterative_reduction<N: NodeKind>(&self, node: &Node) -> Depth {
        Depth::from(
            rules::internal_iterative_reductions()
                && node.depth >= params::iir_min_depth()
                && node.tt_move.is_none()
                && node.excluded.is_none()
                && (N::PV || node.cut_node),
        )
    }
}

impl Node {
    /// Razoring: with little depth left and an evaluation far below alpha, only captures could help, and quiescence search
    /// tries those. Returns true if it should take the place of the node.
    // CITE: Birmingham and Kent - razoring; akimbo, Berserk - by quiescence search, with a margin per ply. Measured here,
    // with the second network: 0 ± 28 Elo.
    #[inline(always)]
    pub(super) fn is_razored(&self) -> bool {
        let &Node { depth, window: Window { alpha, .. }, estimate, .. } = self;
        rules::razoring()
            && depth <= params::razor_max_depth()
            && estimate + params::razor_margin() * depth < alpha
            && !alpha.is_decisive()
    }

    /// Reverse futility pruning (RFP), or static null move pruning: an evaluation above beta by a margin for each ply of
    /// depth will stay above it. The node's score, if so: between evaluation and beta, because the margin was never played
    /// out.
    // CITE: akimbo, Viridithas - margin per ply, less if improving; Reckless, Berserk - returning a score between
    // evaluation and beta. Measured here, with the hand-crafted evaluation: +20 ± 23 Elo.
    #[inline(always)]
    pub(super) fn reverse_futility_pruning(&self) -> Option<Score> {
        let &Node { depth, window: Window { beta, .. }, estimate, .. } = self;
        let margin = params::rfp_margin() * depth - if self.improving { params::rfp_improving() } else { 0 };
        let is_pruned = rules::reverse_futility_pruning()
            && !self.tt_pv
            && depth <= params::rfp_max_depth()
            && !beta.is_loss()
            && !estimate.is_decisive()
            && estimate - margin.max(params::rfp_min_margin()) >= beta;
        is_pruned.then(|| estimate.lerp(beta, params::rfp_lerp()))
    }
}
