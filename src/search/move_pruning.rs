//! Pruning of single moves: late move pruning (LMP), history pruning, futility pruning (FP) and SEE pruning.

use super::{move_loop::MoveLoop, node::Node, picker::Stage, reductions, worker::Worker};
use crate::{
    attacks::Sliders,
    params::{self, rules},
    types::{Depth, Move, Score},
};

impl<S: Sliders> Worker<S> {
    /// Step 10 of [`Worker::search_node`]. Returns true if the current move is to be skipped.
    pub(super) fn prune_move(&self, node: &Node, moves: &mut MoveLoop, mv: Move, history: i32) -> bool {
        let (depth, alpha) = (node.depth, node.window.alpha);
        // The depth that LMR would leave, by depth and move count alone.
        let lmr_depth = (depth - reductions::lmr_base_reduction(depth, moves.move_count) / 1024).max(0);
        // A quiet move that gives check is treated like a capture: the evaluation does not show what it forces.
        let quiet = mv.is_quiet() && !moves.picker.quiet_gives_check();

        // Late move pruning (LMP).
        if quiet && moves.move_count >= lmp_limit(depth, node.improving) {
            moves.picker.skip_quiets_without_check();
        }

        if quiet {
            // History pruning.
            // CITE: akimbo, Viridithas, Reckless - butterfly and continuation history below a margin per ply.
            if rules::history_pruning()
                && depth <= params::history_pruning_max_depth()
                && history < -params::history_pruning_margin() * depth
            {
                return true;
            }

            // Futility pruning (FP).
            // CITE: akimbo - not if alpha is a proven win, which only a quicker mate beats, and no evaluation shows
            // that.
            if let Some(eval) = node.static_eval.filter(|_| !alpha.is_win())
                && let Some(value) = futility_value(lmr_depth, eval)
                && value <= alpha
            {
                moves.raise_best(value);
                return true;
            }
        } else if moves.picker.stage() == Stage::BadNoisy
            && let Some(eval) = node.static_eval
            && let Some(value) = bad_noisy_futility_value(depth, eval)
            && value <= alpha
        {
            // Futility pruning of losing captures.
            moves.raise_best(value);
            return true;
        }

        // SEE pruning.
        let depth = if quiet { lmr_depth } else { depth };
        rules::see_pruning()
            && depth <= params::see_max_depth()
            && moves.picker.stage() > Stage::GoodNoisy
            && !self.position.see_ge(self.sliders, mv, see_margin(depth, quiet))
    }
}

/// Late move pruning (LMP): the move count after which quiet moves are skipped. It grows with the
/// square of the depth, and is halved if the side to move is not improving.
// CITE: Stockfish (move count pruning) - (3 + depth²) / (2 - improving); Reckless - checks are exempt. Measured here:
// +149 ± 27 Elo with the hand-crafted evaluation; the exemption +19 ± 7.
#[inline]
fn lmp_limit(depth: Depth, improving: bool) -> usize {
    if !rules::late_move_pruning() {
        return usize::MAX;
    }
    ((params::lmp_base() + params::lmp_depth_factor() * depth * depth) / 1024 / if improving { 1 } else { 2 }) as usize
}

/// Futility pruning (FP): the score that a quiet move is expected to stay below at this late-move-reduced depth.
// CITE: Jonathan Schaeffer, Ernst A. Heinz - futility pruning; Stockfish, by way of Viridithas - a margin by the depth
// after LMR; Reckless - raising the best score. Measured here, with the hand-crafted evaluation, for quiet moves and
// captures together: +26 ± 24 Elo.
#[inline]
fn futility_value(depth: Depth, eval: Score) -> Option<Score> {
    (rules::futility_pruning() && depth <= params::futility_max_depth())
        .then(|| eval + params::futility_base() + params::futility_margin() * depth)
}

/// Futility pruning of captures that lose material by SEE.
// CITE: Reckless - futility of captures in the bad noisy stage.
#[inline]
fn bad_noisy_futility_value(depth: Depth, eval: Score) -> Option<Score> {
    (rules::futility_pruning() && depth <= params::bad_noisy_futility_max_depth())
        .then(|| eval + params::bad_noisy_futility_base() + params::bad_noisy_futility_margin() * depth)
}

/// SEE pruning: the SEE value below which a move is skipped.
// CITE: akimbo, Viridithas - quadratic and linear thresholds, here quadratic for quiet moves. Measured here, with the
// hand-crafted evaluation: +65 ± 25 Elo.
#[inline]
fn see_margin(depth: Depth, quiet: bool) -> i32 {
    if quiet { -params::see_quiet_margin() * depth * depth } else { -params::see_noisy_margin() * depth }
}
