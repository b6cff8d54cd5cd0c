//! Late move reductions (LMR) within principal variation search (PVS).

use once_cell::sync::Lazy;

use super::{
    node::{Node, NodeKind, NonPv},
    window::Window,
    worker::{Aborted, Worker},
};
use crate::{
    attacks::Sliders,
    params::{self, rules},
    types::{Depth, Move, Score},
};

impl<S: Sliders> Worker<S> {
    /// Step 15 of [`Worker::search_node`]: the score of a move. Late moves are searched to a reduced depth first, and
    /// again if they beat alpha; all but the first move of a PV node are searched with a null window first, and again
    /// with the full window if they beat alpha.
    // CITE: Marsland and Campbell - principal variation search.
    pub(super) fn search_move<N: NodeKind>(
        &mut self,
        node: &Node,
        mv: Move,
        move_count: usize,
        extension: Depth,
        history: i32,
        best: Score,
    ) -> Result<Score, Aborted> {
        let entry = &mut self.stack[node.ply];
        entry.reduction = 0;
        entry.move_count = move_count;
        entry.is_tt_move = Some(mv) == node.tt_move;
        self.after_move(mv, node.ply, |worker| {
            let &Node { ply, window, .. } = node;
            let null_window = Window::null_above(window.alpha);
            let new_depth = node.depth - 1 + extension;
            let mut score = -Score::INFINITE;
            let mut needs_null_window = !N::PV || move_count > 1;

            if let Some(reduction) = worker.late_move_reduction::<N>(node, mv, move_count, history) {
                let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1) + Depth::from(N::PV));
                worker.stack[ply].reduction = reduction.max(0);
                score = worker.search_child::<NonPv>(null_window, reduced, ply, true)?;
                worker.stack[ply].reduction = 0;
                needs_null_window = false;
                if score > window.alpha && reduced < new_depth {
                    if mv.is_quiet() {
                        worker.update_after_reduced_search(ply, new_depth);
                    }
                    let depth = depth_after_fail_high::<N>(node, new_depth, score, best);
                    if depth > reduced {
                        score = worker.search_child::<NonPv>(null_window, depth, ply, !node.cut_node)?;
                    }
                }
            }

            // Principal variation search (PVS).
            if needs_null_window {
                score = worker.search_child::<NonPv>(null_window, new_depth, ply, !node.cut_node)?;
            }
            if N::PV && (move_count == 1 || score > window.alpha) {
                score = worker.search_child::<N::Next>(window, new_depth, ply, false)?;
            }
            Ok(score)
        })
    }

    /// Late move reduction (LMR) of a move that has been made, in 1/1024 ply; none of the first moves and at low depth.
    // CITE: Fruit, Glaurung - late move reductions; Stockfish, by way of Reckless and Viridithas - the terms, among them cut
    // nodes, tt_pv, history, the kind of the TT move, and (also akimbo) the children's fail highs; Reckless - checks. Measured
    // here, with the hand-crafted evaluation: +184 ± 27 Elo; the terms not one by one.
    fn late_move_reduction<N: NodeKind>(
        &self,
        node: &Node,
        mv: Move,
        move_count: usize,
        history: i32,
    ) -> Option<Depth> {
        let is_late = move_count > 1 + usize::from(N::ROOT);
        if !(rules::late_move_reductions() && node.depth >= params::lmr_min_depth() && is_late) {
            return None;
        }
        let mut reduction = lmr_base_reduction(node.depth, move_count);
        if mv.is_noisy() {
            reduction = reduction * params::lmr_noisy_factor() / 1024 - params::lmr_noisy();
        }
        reduction -= history * 1024 / params::lmr_history();
        if node.cut_node {
            reduction += params::lmr_cut_node();
        }
        if !node.improving {
            reduction += params::lmr_not_improving();
        }
        if node.tt_pv {
            reduction -= params::lmr_tt_pv();
        }
        if N::PV {
            reduction -= params::lmr_pv();
        }
        if self.position.in_check() {
            reduction -= params::lmr_check();
        }
        if node.tt_move.is_some_and(Move::is_noisy) {
            reduction += params::lmr_noisy_tt_move();
        }
        if self.stack[node.ply + 1].cutoffs > params::lmr_cutoff_count() {
            reduction += params::lmr_cutoffs();
        }
        Some(reduction)
    }
}

/// The depth at which a move is searched again whose reduced search has failed high: the full one, a ply more if the score is
/// well above alpha, a ply less if it is hardly better than the best move's.
// CITE: Stockfish, by way of Reckless and Berserk. Measured here: the shallower search +8 ± 7 Elo.
#[inline(always)]
fn depth_after_fail_high<N: NodeKind>(node: &Node, new_depth: Depth, score: Score, best: Score) -> Depth {
    let margin = params::lmr_deeper_margin() + params::lmr_deeper_depth_margin() * new_depth;
    let deeper = score > node.window.alpha + margin;
    let shallower = !N::ROOT && score < best + params::lmr_shallower_margin();
    new_depth + Depth::from(deeper) - Depth::from(shallower)
}

/// Natural logarithms for late move reductions: those of `libm`, as the platform's may differ in the last bit.
static LN: Lazy<[f32; 256]> = Lazy::new(|| std::array::from_fn(|n| libm::logf(n.max(1) as f32)));

/// Late move reductions (LMR): the reduction before adjustments, in 1/1024 ply.
// CITE: Stockfish, by way of akimbo, Viridithas and Berserk - base + ln(depth) * ln(move count) / divisor; Reckless,
// Viridithas - units of 1/1024 ply.
#[inline]
pub(super) fn lmr_base_reduction(depth: Depth, move_number: usize) -> Depth {
    let logs = LN[depth.clamp(0, 255) as usize] * LN[move_number.min(255)];
    params::lmr_base() + (logs * 1024.0 * 1024.0 / params::lmr_divisor() as f32) as Depth
}
