//! Pruning of single moves: late move pruning (LMP), history pruning, futility pruning (FP) and SEE pruning.

use super::{formulas, move_loop::MoveLoop, node::Node, picker::Stage, worker::Worker};
use crate::{
    attacks::Sliders,
    params::{self, rules},
    types::Move,
};

impl<S: Sliders> Worker<S> {
    /// Step 10 of [`Worker::search_node`]. Returns true if the current move is to be skipped.
    pub(super) fn prune_move(&self, node: &Node, moves: &mut MoveLoop, mv: Move) -> bool {
        let (depth, alpha) = (node.depth, node.window.alpha);
        // The depth that LMR would leave.
        let lmr_depth = (depth - formulas::lmr_base_reduction(depth, moves.move_count) / 1024).max(0);
        // Except for LMP, a quiet move that gives check is treated like a capture: the evaluation does not show what it
        // forces. Own rule, for mates that begin with a quiet sacrifice: +5 ± 33 Elo.
        let quiet = mv.is_quiet() && !self.position.gives_check(&moves.check_squares, mv);

        // Late move pruning (LMP).
        if mv.is_quiet() && moves.move_count >= formulas::lmp_limit(depth, node.improving) {
            moves.picker.skip_quiets();
        }

        if quiet {
            // History pruning.
            // CITE: akimbo, Viridithas, Reckless - butterfly and continuation history below a margin
            // per ply.
            let history = self.quiet_history(mv, node.ply);
            if rules::history_pruning()
                && depth <= params::history_pruning_max_depth()
                && history < -params::history_pruning_margin() * depth
            {
                return true;
            }

            // Futility pruning (FP). Own exception: not if alpha is a proven win, which only a quicker mate beats, and no
            // evaluation shows that.
            if let Some(eval) = node.static_eval.filter(|_| !alpha.is_win())
                && let Some(value) = formulas::futility_value(lmr_depth, eval)
                && value <= alpha
            {
                moves.raise_best(value);
                return true;
            }
        } else if moves.picker.stage() == Stage::BadNoisy
            && let Some(eval) = node.static_eval
            && let Some(value) = formulas::bad_noisy_futility_value(depth, eval)
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
            && !self.position.see_ge(self.sliders, mv, formulas::see_margin(depth, quiet))
    }
}
