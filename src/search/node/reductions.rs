//! Reductions of the depth, each rule with its guard: hindsight adjustment, internal iterative reduction (IIR), late
//! move reduction (LMR), and what follows from the result of a reduced search.

use once_cell::sync::Lazy;

use super::state::{MoveLoop, Node, NodeKind};
use crate::{
    params::{self, rules},
    search::{
        stack::{Reduction, Stack},
        tree::Tree,
    },
    types::{Depth, Move, Score},
};

/// Hindsight depth adjustment, where the previous move was reduced by LMR. One ply deeper if the evaluation shows that
/// it was better for the opponent than expected; one ply shallower if it cost the opponent more than a margin.
// CITE: Stockfish, by way of Reckless - both directions, by the sum of the evaluations. Measured here, on the clock: +3
// ± 8 Elo.
#[inline(always)]
pub(super) fn hindsight_adjustment<N: NodeKind>(stack: &Stack, node: &Node) -> Depth {
    let previous = stack.before(node.ply, 1);
    let Some(cost) = node.cost_of_previous_move(previous) else { return 0 };
    let applies = rules::hindsight_adjustment() && node.may_be_pruned::<N>();
    if !applies {
        return 0;
    }
    let deeper = previous.reduction >= Reduction(params::hindsight_deeper_reduction()) && cost <= 0;
    let shallower = previous.reduction >= Reduction(params::hindsight_shallower_reduction())
        && node.depth >= params::hindsight_min_depth()
        && !node.tt.pv
        && cost > params::hindsight_margin();
    Depth::from(deeper) - Depth::from(shallower)
}

/// Internal iterative reduction (IIR), in plies: without a TT move, the order of the moves is poor and the search
/// expensive. A ply less costs less, and leaves a TT move for the next visit.
// CITE: Ed Schröder (Rebel) - one ply less without a TT move; Stockfish, by way of Berserk - in PV and cut nodes only.
// Measured here, on the clock: +3 ± 8 Elo.
#[inline(always)]
pub(super) fn internal_iterative_reduction<N: NodeKind>(node: &Node) -> Depth {
    let applies = rules::internal_iterative_reduction()
        && (N::PV || node.cut_node)
        && node.excluded.is_none()
        && node.depth >= params::iir_min_depth()
        && node.tt.mv.is_none();
    Depth::from(applies)
}

/// Late move reduction (LMR) of a move that has been made; none for the first moves, nor at low depth.
// CITE: Fruit, Glaurung - late move reductions; Stockfish, by way of Reckless and Viridithas - the terms, among them
// cut nodes, tt_pv, history, the kind of the TT move, and (also akimbo) the children's fail highs; Reckless - checks.
// Measured here, with the hand-crafted evaluation: +184 ± 27 Elo; the terms not one by one.
pub(super) fn late_move_reduction<N: NodeKind>(
    tree: &Tree,
    node: &Node,
    moves: &MoveLoop,
    mv: Move,
) -> Option<Reduction> {
    // The first move is not reduced, at the root not the second either: an error costs most there.
    let is_late = moves.move_count > 1 + usize::from(N::ROOT);
    let applies = rules::late_move_reduction() && node.depth >= params::lmr_min_depth() && is_late;
    if !applies {
        return None;
    }
    let Reduction(mut reduction) = lmr_base_reduction(node.depth, moves.move_count);
    // A noisy move changes the material, so its place in the order says less about it.
    if mv.is_noisy() {
        reduction = reduction * params::lmr_noisy_factor() / 1024 - params::lmr_noisy();
    }
    // A move that failed high elsewhere is likely to do so here.
    reduction -= moves.history * 1024 / params::lmr_history_divisor();
    // One good move is enough in a cut node, and it is likely to be among the first.
    if node.cut_node {
        reduction += params::lmr_cut_node();
    }
    // If the evaluation does not rise, late moves rarely change that.
    if !node.improving {
        reduction += params::lmr_not_improving();
    }
    // A position that is or was on the PV decides the result: an error costs more there.
    if node.tt.pv {
        reduction -= params::lmr_tt_pv();
    }
    if N::PV {
        reduction -= params::lmr_pv();
    }
    // A check forces the reply, which the static evaluation does not see.
    let gives_check = tree.position.in_check();
    if gives_check {
        reduction -= params::lmr_check();
    }
    // Where the best move known is a capture, other moves seldom are better.
    if node.tt.mv.is_some_and(Move::is_noisy) {
        reduction += params::lmr_noisy_tt_move();
    }
    // Where the opponent had an answer to several moves, it is likely to have one to this move.
    if tree.stack[node.ply + 1].cutoffs > params::lmr_cutoff_count() {
        reduction += params::lmr_cutoffs();
    }
    Some(Reduction(reduction))
}

/// The depth at which a move is searched again whose reduced search has failed high: the full one, a ply more if the
/// score is well above alpha, a ply less if it is hardly better than the best move's. Not less at the root, where the
/// move may be the one to play.
// CITE: Stockfish, by way of Reckless and Berserk. Measured here: the shallower search +8 ± 8 Elo.
#[inline(always)]
pub(super) fn depth_after_fail_high<N: NodeKind>(alpha: Score, new_depth: Depth, score: Score, best: Score) -> Depth {
    let margin = params::lmr_deeper_margin() + params::lmr_deeper_depth_margin() * new_depth;
    let deeper = score > alpha + margin;
    let shallower = !N::ROOT && score < best + params::lmr_shallower_margin();
    new_depth + Depth::from(deeper) - Depth::from(shallower)
}

/// The reduction of the moves after one that raised alpha to `score`, in plies: it is rarely improved upon.
// CITE: Stockfish. Measured here, on the clock: +3 ± 8 Elo.
#[inline(always)]
pub(super) fn reduction_after_alpha_raise(depth: Depth, score: Score) -> Depth {
    let depths = params::alpha_raise_min_depth()..=params::alpha_raise_max_depth();
    let applies = depths.contains(&depth) && !score.is_decisive();
    Depth::from(applies)
}

/// Natural logarithms for late move reductions: those of `libm`, as the platform's may differ in the last bit.
static LN: Lazy<[f32; 256]> = Lazy::new(|| std::array::from_fn(|n| libm::logf(n.max(1) as f32)));

/// Late move reduction (LMR): the reduction before adjustments.
// CITE: Stockfish, by way of akimbo, Viridithas and Berserk - base + ln(depth) * ln(move count) / divisor; Reckless,
// Viridithas - units of 1/1024 ply.
#[inline]
pub(super) fn lmr_base_reduction(depth: Depth, move_number: usize) -> Reduction {
    let logs = LN[depth.clamp(0, 255) as usize] * LN[move_number.min(255)];
    Reduction(params::lmr_base() + (logs * 1024.0 * 1024.0 / params::lmr_divisor() as f32) as i32)
}
