//! Pruning of moves, each rule with its guard: late move (LMP), history, futility (FP) and SEE pruning.

use super::{
    reductions::lmr_base_reduction,
    state::{MoveLoop, Node, NodeKind},
};
use crate::{
    params::{self, rules},
    position::Position,
    search::{ordering::Stage, window::Window},
    types::{Depth, Move, Score},
};

/// Returns true if the current move is to be skipped.
#[inline(always)]
pub(super) fn prune_move<N: NodeKind>(position: &Position, node: &Node, moves: &mut MoveLoop, mv: Move) -> bool {
    // Just before the fifty-move rule draws, all but captures and pawn moves are draws: the latter come late, and must
    // not be skipped.
    if i32::from(position.halfmove_clock()) >= params::pruning_max_clock() {
        return false;
    }
    // A quiet move that gives check is treated like a capture: the evaluation does not show what it forces.
    let plain_quiet = mv.is_quiet() && !moves.picker.quiet_gives_check();
    // For quiet moves the depth that LMR would leave, by depth and move count alone.
    let reduction = if plain_quiet { lmr_base_reduction(node.depth, moves.move_count).plies() } else { 0 };
    let depth = (node.depth - reduction).max(0);

    if plain_quiet {
        // The move that reaches the limit is itself still searched, unless another rule prunes it.
        if late_move_pruning::<N>(node, moves) {
            moves.picker.skip_quiets_without_check();
        }
        if history_pruning::<N>(node, moves) {
            return true;
        }
    }
    if let Some(value) = futility_pruning::<N>(node, moves, depth, plain_quiet) {
        moves.raise_best(value);
        return true;
    }
    see_pruning::<N>(position, moves, mv, depth, plain_quiet)
}

/// Late move pruning (LMP): returns true if no more quiet moves are to be tried. Their number grows with the square of
/// the depth, and is halved if the side to move is not improving.
// CITE: Stockfish (move count pruning) - (3 + depth²) / (2 - improving); Reckless - checks are exempt. Measured here:
// +149 ± 27 Elo with the hand-crafted evaluation; the exemption +19 ± 8.
#[inline(always)]
fn late_move_pruning<N: NodeKind>(node: &Node, moves: &MoveLoop) -> bool {
    let applies = rules::late_move_pruning() && moves.may_prune_move::<N>();
    if !applies {
        return false;
    }
    let limit = (params::lmp_base() + params::lmp_depth_factor() * node.depth * node.depth)
        / 1024
        / if node.improving { 1 } else { 2 };
    moves.move_count >= limit as usize
}

/// History pruning: returns true for a quiet move whose histories are below a margin per ply.
// CITE: akimbo, Viridithas, Reckless - butterfly and continuation history. Measured here, on the clock: +3 ± 5 Elo.
#[inline(always)]
fn history_pruning<N: NodeKind>(node: &Node, moves: &MoveLoop) -> bool {
    let applies =
        rules::history_pruning() && moves.may_prune_move::<N>() && node.depth <= params::history_pruning_max_depth();
    if !applies {
        return false;
    }
    moves.history < -params::history_pruning_margin() * node.depth
}

/// Futility pruning (FP): the score that a quiet move without check (`plain_quiet`), or a capture that loses material
/// by SEE, is expected to stay below at this depth, if that does not reach above alpha. Not if alpha is a proven win,
/// which only a quicker mate beats: no evaluation does.
// CITE: Jonathan Schaeffer, Ernst A. Heinz - futility pruning; Stockfish, by way of Viridithas - a margin by the depth
// after LMR; Reckless - raising the best score, captures in the bad noisy stage; akimbo - proven wins. Measured here,
// with the hand-crafted evaluation, for quiet moves and captures together: +26 ± 24 Elo.
#[inline(always)]
fn futility_pruning<N: NodeKind>(node: &Node, moves: &MoveLoop, depth: Depth, plain_quiet: bool) -> Option<Score> {
    let (base, margin, max_depth) = if plain_quiet {
        (params::futility_base(), params::futility_margin(), params::futility_max_depth())
    } else {
        let (base, margin) = (params::bad_noisy_futility_base(), params::bad_noisy_futility_margin());
        (base, margin, params::bad_noisy_futility_max_depth())
    };
    let Window { alpha, .. } = node.window;
    let applies = rules::futility_pruning()
        && moves.may_prune_move::<N>()
        && (plain_quiet || moves.picker.stage() == Stage::BadNoisy)
        && depth <= max_depth
        && !alpha.is_win();
    if !applies {
        return None;
    }
    let value = node.eval.static_eval? + base + margin * depth;
    (value <= alpha).then_some(value)
}

/// SEE pruning: returns true for a move that loses more material than the depth could win back, by one threshold for
/// quiet moves without check (`plain_quiet`), and another for the rest.
// CITE: akimbo, Viridithas - quadratic and linear thresholds, here quadratic for quiet moves. Measured here, with the
// hand-crafted evaluation: +65 ± 25 Elo.
#[inline(always)]
fn see_pruning<N: NodeKind>(position: &Position, moves: &MoveLoop, mv: Move, depth: Depth, plain_quiet: bool) -> bool {
    let applies = rules::see_pruning()
        && moves.may_prune_move::<N>()
        && moves.picker.stage() > Stage::GoodNoisy
        && depth <= params::see_max_depth();
    if !applies {
        return false;
    }
    let margin =
        if plain_quiet { params::see_quiet_margin() * depth * depth } else { params::see_noisy_margin() * depth };
    !position.see_ge(mv, -margin)
}
