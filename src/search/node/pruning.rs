//! Pruning of nodes, each rule with its guard: reverse futility (RFP), null move pruning (NMP), ProbCut.

use super::{
    qsearch::qsearch_child,
    search_child, search_node,
    state::{Evaluation, Node, NodeKind, NonPv, TtScore},
};
use crate::{
    params::{self, rules},
    search::{
        ordering::{MovePicker, Stage},
        search_state::Aborted,
        stack::Reduction,
        window::Window,
        worker::Worker,
    },
    types::{Bound, Depth, Score},
};

/// Reverse futility pruning (RFP), or static null move pruning: an evaluation above beta by a margin for each ply of
/// depth will stay above it. The node's score, if so: between evaluation and beta, as the margin is not proven.
// CITE: akimbo, Viridithas - margin per ply, less if improving; Reckless, Berserk - returning a score between
// evaluation and beta. Measured here, with the hand-crafted evaluation: +20 ± 23 Elo.
#[inline(always)]
pub(super) fn reverse_futility_pruning<N: NodeKind>(node: &Node) -> Option<Score> {
    let &Node { depth, window: Window { beta, .. }, eval: Evaluation { adjusted_eval, .. }, .. } = node;
    let applies = rules::reverse_futility_pruning()
        && node.may_be_pruned::<N>()
        && !node.tt.pv
        && depth <= params::rfp_max_depth()
        && !beta.is_loss();
    if !applies {
        return None;
    }
    let margin = params::rfp_margin() * depth - if node.improving { params::rfp_improving() } else { 0 };
    let stays_above = adjusted_eval - margin.max(params::rfp_min_margin()) >= beta;
    stays_above.then(|| adjusted_eval.lerp(beta, params::rfp_lerp()))
}

/// Null move pruning (NMP): the opponent moves twice in a row and still fails to bring the score below beta. The node's
/// score, if so.
// CITE: Don Beal, Goetsch and Campbell, then Chrilly Donninger - null move pruning; Stockfish - a margin that shrinks
// with the depth; Reckless, Stash - in cut nodes only; Ernst A. Heinz - a reduction that grows with the depth, akimbo,
// Reckless, Berserk - and with the evaluation; Stockfish, by way of akimbo, Reckless - verification. Measured here: +4
// ± 25 Elo with the hand-crafted evaluation, +8 ± 28 with the second network, since RFP does much of its work; one ply
// more if improving (Reckless), +8 ± 7 Elo.
pub(super) fn null_move_pruning<N: NodeKind>(worker: &mut Worker, node: &Node) -> Result<Option<Score>, Aborted> {
    let &Node { ply, depth, window: Window { beta, .. }, eval: Evaluation { static_eval, adjusted_eval, .. }, .. } =
        node;
    let margin = params::nmp_margin() - params::nmp_depth_margin() * depth;
    let applies = rules::null_move_pruning()
        && node.may_be_pruned::<N>()
        && node.cut_node
        && adjusted_eval >= beta
        && static_eval.is_some_and(|eval| eval - margin >= beta)
        && !beta.is_loss()
        && depth >= params::nmp_min_depth()
        && ply >= worker.tree.nmp_min_ply
        // In pawn endgames there is zugzwang: passing would be best.
        && worker.tree.position.has_non_pawn_material();
    if !applies {
        return Ok(None);
    }
    debug_assert!(worker.tree.stack.before(ply, 1).mv.is_some(), "the child of a null move is no cut node");
    let reduction = (params::nmp_base() + params::nmp_depth_factor() * depth) / 1024
        + Depth::from(node.improving)
        + ((adjusted_eval - beta) / params::nmp_eval_divisor()).clamp(0, params::nmp_eval_max());
    let (window, reduced) = (Window::null_below(beta), depth - reduction);
    let score = search_null_move(worker, window, reduced, ply)?;
    if !window.fails_high(score) {
        return Ok(None);
    }
    // A mate after a null move is no proof.
    let score = if score.is_decisive() { beta } else { score };
    if depth < params::nmp_verification_depth() || worker.tree.nmp_min_ply > 0 {
        return Ok(Some(score));
    }
    // Verification, against zugzwang: search again without null moves in the upper plies.
    worker.tree.nmp_min_ply = ply + (reduced.max(0) * params::nmp_verification_plies() / 1024) as usize + 1;
    let verified = search_node::<NonPv>(worker, window, reduced.max(1), ply, false);
    worker.tree.nmp_min_ply = 0;
    Ok(window.fails_high(verified?).then_some(score))
}

/// The score of the node at `ply` after a null move.
fn search_null_move(worker: &mut Worker, window: Window, depth: Depth, ply: usize) -> Result<Score, Aborted> {
    let Worker { tree, state } = worker;
    tree.stack[ply].mv = None;
    tree.stack[ply].moved = None;
    tree.stack[ply].reduction = Reduction::NONE;
    state.shared.tt.prefetch(tree.position.tt_key_after_null());
    // No move is made, and none is counted.
    // CITE: Stockfish - nodes are moves made, so that limits on nodes mean the same in both.
    tree.position.make_null();
    let score = search_child::<NonPv>(worker, window, depth, ply, false);
    worker.tree.position.unmake();
    score
}

/// ProbCut: a capture that beats beta by a margin in a shallow search is expected to beat beta in a full one. The
/// node's score, if there is one.
// CITE: Michael Buro - ProbCut; Stockfish, by way of Reckless and Viridithas - the margin, less if improving;
// Stockfish, by way of Reckless and Stash - quiescence search first, then depth - 4, over captures whose SEE value can
// reach the margin; Reckless - in cut nodes only, measured here: +7 ± 7 Elo; ProbCut itself on the clock +3 ± 8.
pub(super) fn probcut<N: NodeKind>(worker: &mut Worker, node: &Node) -> Result<Option<Score>, Aborted> {
    let &Node { ply, depth, window: Window { beta, .. }, .. } = node;
    let Some(static_eval) = node.eval.static_eval else { return Ok(None) };
    let margin = params::probcut_margin() - if node.improving { params::probcut_improving() } else { 0 };
    let probcut_beta = beta + margin;
    let is_refuted = |tt: TtScore| tt.depth > depth - params::probcut_reduction() && tt.score < probcut_beta;
    let applies = rules::probcut()
        && node.may_be_pruned::<N>()
        && node.cut_node
        && depth >= params::probcut_min_depth()
        && !beta.is_decisive()
        && !node.tt.score.is_some_and(is_refuted);
    if !applies {
        return Ok(None);
    }
    let window = Window::null_below(probcut_beta);
    let reduced = (depth - params::probcut_reduction()).max(0);
    let mut picker = MovePicker::noisy(&worker.tree, node.tt.mv, probcut_beta - static_eval, false);
    while let Some(mv) = picker.next(&worker.tree, ply) {
        if picker.stage() == Stage::BadNoisy {
            break;
        }
        worker.tree.stack[ply].reduction = Reduction::NONE;
        let score = worker.after_move(mv, ply, |worker| {
            let score = qsearch_child::<NonPv>(worker, window, ply)?;
            if window.fails_high(score) && reduced > 0 {
                search_child::<NonPv>(worker, window, reduced, ply, false)
            } else {
                Ok(score)
            }
        })?;
        if window.fails_high(score) {
            node.tt.store(&worker.state, node.eval.raw_eval, Some(mv), Some((score, Bound::Lower)), reduced + 1);
            return Ok(Some(if score.is_decisive() { score } else { score - margin }));
        }
    }
    Ok(None)
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
        worker.begin(&Job::new(position, Limits::depth(1)));
        // Black, to move again, has nothing to take.
        let score = search_null_move(&mut worker, Window::null_below(Score::ZERO), 0, 1).unwrap();
        assert!(score > Score::ZERO);
        assert_eq!(worker.state.counters.nodes, 0);
    }
}
