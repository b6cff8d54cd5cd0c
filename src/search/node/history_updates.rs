//! Lookups and updates of the histories of a node's moves.

use super::state::{MoveLoop, Node};
use crate::{
    history::{history_bonus, history_malus},
    params,
    search::tree::Tree,
    types::{Depth, Move, Piece, Score, Square},
};

/// The history of a move by which it is pruned and reduced.
#[inline]
pub(super) fn move_history(tree: &Tree, mv: Move, ply: usize) -> i32 {
    if mv.is_quiet() { quiet_history(tree, mv, ply) } else { capture_history(tree, mv) }
}

/// The history of a quiet move: butterfly, and continuation one and two plies back.
// CITE: Stockfish, by way of Reckless. Not measured here.
#[inline]
fn quiet_history(tree: &Tree, mv: Move, ply: usize) -> i32 {
    let Some(piece) = tree.moved_piece(mv) else { return 0 };
    tree.histories.butterfly(tree.butterfly_key(mv, ply))
        + tree.histories.continuation.get(tree.stack.before(ply, 1).moved, piece, mv.to())
        + tree.histories.continuation.get(tree.stack.before(ply, 2).moved, piece, mv.to())
}

/// The capture history of a noisy move.
#[inline]
fn capture_history(tree: &Tree, mv: Move) -> i32 {
    tree.moved_piece(mv).map_or(0, |piece| tree.histories.capture(piece, mv.to(), tree.captured_type(mv)))
}

/// Rewards the move that failed high and penalizes the moves searched before it: all noisy ones, and the quiet ones if
/// the move is quiet itself.
// CITE: Jonathan Schaeffer - history heuristic; Reckless, akimbo - malus for the moves searched before; Reckless - less
// malus for later quiet moves, measured here: +6 ± 7 Elo.
pub(super) fn update_histories(tree: &mut Tree, node: &Node, best: Move, moves: &MoveLoop) {
    let ply = node.ply;
    let (bonus, malus) = (history_bonus(node.depth), history_malus(node.depth));
    if best.is_quiet() {
        update_quiet_histories(tree, best, ply, bonus);
        for (index, &mv) in moves.quiets.iter().enumerate() {
            let decay = 1024 + params::history_malus_decay() * index as i32;
            update_quiet_histories(tree, mv, ply, -malus * 1024 / decay * 1024 / decay);
        }
    } else {
        update_capture_history(tree, best, bonus);
    }
    for &mv in &moves.noisies {
        update_capture_history(tree, mv, -malus);
    }
}

/// Updates the butterfly, pawn and continuation histories of a quiet move.
pub(super) fn update_quiet_histories(tree: &mut Tree, mv: Move, ply: usize, bonus: i32) {
    let Some(piece) = tree.moved_piece(mv) else { return };
    tree.histories.update_butterfly(tree.butterfly_key(mv, ply), bonus);
    tree.histories.update_pawn(tree.position.keys().pawn, piece, mv.to(), bonus);
    update_continuation_histories(tree, piece, mv.to(), ply, bonus);
}

/// Updates the continuation histories of a quiet move at `ply`, which may have been made.
fn update_continuation_histories(tree: &mut Tree, piece: Piece, to: Square, ply: usize, bonus: i32) {
    for continuation in tree.continuation_keys(ply) {
        tree.histories.continuation.update(continuation, piece, to, bonus);
    }
}

/// A bonus for the opponent's last move, if that was quiet, when all moves fail low: the more, the later it came, and
/// the further the score lies below the evaluations.
// CITE: Stockfish, Reckless - bonus for the prior move, with these terms. Measured here: +10 ± 7 Elo.
pub(super) fn update_previous_move_after_fail_low(tree: &mut Tree, node: &Node, best: Score) {
    let ply = node.ply;
    let Some(previous) = ply.checked_sub(1) else { return };
    let entry = &tree.stack[previous];
    let (Some(mv), Some((piece, to))) = (entry.mv, entry.moved) else { return };
    let applies = mv.is_quiet() && node.excluded.is_none();
    if !applies {
        return;
    }
    let late = (params::fail_low_move_count() * entry.move_count as i32).min(params::fail_low_move_count_max());
    let mut factor = params::fail_low_base() + late;
    if entry.is_tt_move {
        factor += params::fail_low_tt_move();
    }
    if node.eval.static_eval.is_some_and(|eval| best <= eval - params::fail_low_eval_margin()) {
        factor += params::fail_low_eval();
    }
    if entry.static_eval.is_some_and(|eval| best <= -eval - params::fail_low_opponent_eval_margin()) {
        factor += params::fail_low_opponent_eval();
    }
    let bonus = factor * history_bonus(node.depth) / 128;
    tree.histories.update_butterfly(tree.previous_butterfly_key(mv, ply), bonus);
    update_continuation_histories(tree, piece, to, previous, bonus);
}

/// A butterfly history bonus for the opponent's last quiet move if it made the evaluation better for the opponent, a
/// malus if it made it worse; only where the evaluation is new, or the depth low.
// CITE: Stockfish, Reckless - by the sum of the evaluations before and after the move. Measured here: +18 ± 7 Elo.
pub(super) fn update_history_by_evaluation(tree: &mut Tree, node: &Node) {
    let previous = tree.stack.before(node.ply, 1);
    let (Some(cost), Some(mv)) = (node.cost_of_previous_move(previous), previous.mv) else { return };
    let is_new = !node.tt.hit || node.depth < params::eval_history_max_depth();
    let applies = mv.is_quiet() && node.excluded.is_none() && is_new;
    if !applies {
        return;
    }
    let bonus = (-cost * params::eval_history_factor())
        .clamp(-params::eval_history_max_malus(), params::eval_history_max_bonus());
    tree.histories.update_butterfly(tree.previous_butterfly_key(mv, node.ply), bonus);
}

/// A continuation history malus for the opponent's last move, if that was quiet and the first of its node, when a move
/// fails high against it.
// CITE: Stockfish, Reckless - extra malus for a refuted early move. Measured here: +9 ± 5 Elo.
pub(super) fn update_refuted_first_move(tree: &mut Tree, node: &Node) {
    let Some(previous) = node.ply.checked_sub(1) else { return };
    let entry = &tree.stack[previous];
    let Some((piece, to)) = entry.moved else { return };
    let applies = entry.move_count == 1 && entry.mv.is_some_and(Move::is_quiet);
    if !applies {
        return;
    }
    update_continuation_histories(tree, piece, to, previous, -history_malus(node.depth));
}

/// A continuation history bonus for a quiet move, which was made at `ply`, when its reduced search beats alpha.
// CITE: Stockfish, Reckless - continuation history bonus after LMR. Measured here: +5 ± 7 Elo.
pub(super) fn update_after_reduced_search(tree: &mut Tree, mv: Move, ply: usize, new_depth: Depth) {
    let Some((piece, to)) = tree.stack[ply].moved else { return };
    let applies = mv.is_quiet();
    if !applies {
        return;
    }
    let bonus = (params::lmr_bonus_factor() * new_depth - params::lmr_bonus_offset()).min(params::lmr_bonus_max());
    update_continuation_histories(tree, piece, to, ply, bonus);
}

fn update_capture_history(tree: &mut Tree, mv: Move, bonus: i32) {
    if let Some(piece) = tree.moved_piece(mv) {
        tree.histories.update_capture(piece, mv.to(), tree.captured_type(mv), bonus);
    }
}
