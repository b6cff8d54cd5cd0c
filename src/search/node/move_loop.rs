//! The move loop of a node, principal variation search (PVS) of each move, and the TT store after the loop.

use super::{
    extensions::{SingularOutcome, singular_extension},
    history_updates::{
        move_history, update_after_reduced_search, update_histories, update_previous_move_after_fail_low,
        update_refuted_first_move,
    },
    move_pruning::prune_move,
    reductions::{depth_after_fail_high, late_move_reduction, reduction_after_alpha_raise},
    search_child,
    state::{MoveLoop, Node, NodeKind, NonPv},
};
use crate::{
    search::{
        search_state::{Aborted, SearchState},
        stack::Reduction,
        tree::Tree,
        window::Window,
        worker::Worker,
    },
    types::{Bound, Depth, Move, Score},
};

/// The score of a node by the search of its moves.
#[inline(always)]
pub(super) fn move_loop<N: NodeKind>(worker: &mut Worker, mut node: Node) -> Result<Score, Aborted> {
    let ply = node.ply;
    let initial_window = node.window;
    if node.excluded.is_none() {
        worker.tree.update_threats(ply);
    }
    let mut moves = MoveLoop::new(&worker.tree, &node);

    while let Some(mv) = moves.picker.next(&worker.tree, ply) {
        if Some(mv) == node.excluded || N::ROOT && !worker.state.root.is_candidate(mv) {
            continue;
        }
        moves.move_count += 1;
        if N::ROOT {
            worker.state.show_current_move(mv, moves.move_count);
        }

        // The first move is neither pruned nor reduced.
        if moves.move_count > 1 {
            moves.history = move_history(&worker.tree, mv, ply);

            // Step 12. Pruning of the move: late move (LMP), history, futility (FP), SEE.
            if prune_move::<N>(&worker.tree.position, &node, &mut moves, mv) {
                continue;
            }
        }

        // Step 13. Singular extension, multicut, negative extension.
        let extension = match singular_extension::<N>(worker, &node, mv)? {
            SingularOutcome::Extend(plies) => plies,
            SingularOutcome::Multicut(score) => return Ok(score),
        };

        // Step 14. Make the move; late move reduction (LMR); principal variation search (PVS).
        let nodes_before = worker.state.counters.nodes;
        let score = search_move::<N>(worker, &node, &moves, mv, extension)?;
        if N::ROOT {
            let nodes = worker.state.counters.nodes - nodes_before;
            update_root_move(worker, node.window, moves.move_count, mv, score, nodes);
        }

        // Step 15. New best move; raise alpha; beta cutoff.
        if score > moves.best {
            moves.best = score;
            if score > node.window.alpha {
                moves.best_move = Some(mv);
                if N::PV && !N::ROOT {
                    worker.tree.stack.extend_pv(ply, mv);
                }
                if node.window.fails_high(score) {
                    worker.tree.stack[ply].cutoffs += 1;
                    break;
                }
                node.window.alpha = score;
                node.depth -= reduction_after_alpha_raise(node.depth, score);
            }
        }
        if Some(mv) != moves.best_move {
            moves.add_searched(mv);
        }
    }
    Ok(finish_node::<N>(&mut worker.tree, &worker.state, &node, initial_window, &moves))
}

/// The score of a move. Late moves are searched to a reduced depth first, and again if they beat alpha; all but the
/// first move of a PV node are searched with a null window first, and again with the full one if they beat alpha.
// CITE: Marsland and Campbell - principal variation search.
fn search_move<N: NodeKind>(
    worker: &mut Worker,
    node: &Node,
    moves: &MoveLoop,
    mv: Move,
    extension: Depth,
) -> Result<Score, Aborted> {
    let entry = &mut worker.tree.stack[node.ply];
    entry.reduction = Reduction::NONE;
    entry.move_count = moves.move_count;
    entry.is_tt_move = Some(mv) == node.tt.mv;
    worker.after_move(mv, node.ply, |worker| {
        let &Node { ply, window, .. } = node;
        let null_window = Window::null_above(window.alpha);
        let new_depth = node.depth - 1 + extension;
        let mut score = -Score::INFINITE;
        let mut needs_null_window = !N::PV || moves.move_count > 1;

        // Late move reduction (LMR).
        if let Some(reduction) = late_move_reduction::<N>(&worker.tree, node, moves, mv) {
            // At least a ply, so not by quiescence search; where the reduction is negative, no deeper than unreduced,
            // but by a ply in PV nodes.
            let deepest = new_depth.max(1) + Depth::from(N::PV);
            let reduced = (new_depth - reduction.plies()).clamp(1, deepest);
            worker.tree.stack[ply].reduction = reduction.max(Reduction::NONE);
            score = search_child::<NonPv>(worker, null_window, reduced, ply, true)?;
            worker.tree.stack[ply].reduction = Reduction::NONE;
            needs_null_window = false;
            if score > window.alpha && reduced < new_depth {
                update_after_reduced_search(&mut worker.tree, mv, ply, new_depth);
                let depth = depth_after_fail_high::<N>(window.alpha, new_depth, score, moves.best);
                if depth > reduced {
                    score = search_child::<NonPv>(worker, null_window, depth, ply, !node.cut_node)?;
                }
            }
        }

        // Principal variation search (PVS).
        if needs_null_window {
            score = search_child::<NonPv>(worker, null_window, new_depth, ply, !node.cut_node)?;
        }
        if N::PV && (moves.move_count == 1 || score > window.alpha) {
            score = search_child::<N::Next>(worker, window, new_depth, ply, false)?;
        }
        Ok(score)
    })
}

/// Takes in the score of a root move, number `move_count`, and the nodes that its search took. Of the moves after the
/// first, a score that fails low says nothing but that they are no better.
fn update_root_move(worker: &mut Worker, window: Window, move_count: usize, mv: Move, score: Score, nodes: u64) {
    let Worker { tree, state } = worker;
    let depth = state.root.depth;
    let Some(root_move) = state.root.moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
    root_move.nodes += nodes;
    let bound = window.bound(score);
    let score = if move_count == 1 || bound != Bound::Upper { score } else { -Score::INFINITE };
    root_move.update(score, bound, tree.stack.pv(1), depth, state.counters.seldepth.max(1));
}

/// The score of the node after updates of histories and TT. `initial_window` is the window before any move raised
/// alpha.
#[inline(always)]
fn finish_node<N: NodeKind>(
    tree: &mut Tree,
    state: &SearchState,
    node: &Node,
    initial_window: Window,
    moves: &MoveLoop,
) -> Score {
    // Step 16. Checkmate or stalemate.
    if moves.move_count == 0 {
        return match node.excluded {
            Some(_) => initial_window.alpha,
            None if node.in_check => Score::mated_in(node.ply),
            None => Score::ZERO,
        };
    }

    // Step 17. Update histories after a beta cutoff, or if all moves fail low.
    let (min_score, max_score) = node.tablebase_bounds;
    let best = moves.best.clamp(min_score, max_score);
    if let Some(mv) = moves.best_move.filter(|_| initial_window.fails_high(best)) {
        update_histories(tree, node, mv, moves);
        update_refuted_first_move(tree, node);
    }
    if initial_window.fails_low(best) {
        update_previous_move_after_fail_low(tree, node, best);
    }

    // Step 18. TT store; update correction history.
    if node.excluded.is_none() && !(N::ROOT && state.root.pv_index > 0) {
        store_result(tree, state, node, initial_window.bound(best), best, moves.best_move);
    }
    best
}

/// Stores the result of a node in the TT, and the error of its static evaluation in the correction history.
fn store_result(tree: &mut Tree, state: &SearchState, node: &Node, bound: Bound, best: Score, best_move: Option<Move>) {
    // No line is searched beyond the maximum ply.
    let depth = node.depth.min((state.stop.max_ply - node.ply) as Depth);
    node.tt.store(state, node.eval.raw_eval, best_move, Some((best, bound)), depth);

    let Some(eval) = node.eval.static_eval else { return };
    if bound.refines(best, eval) && best_move.is_none_or(Move::is_quiet) && !best.is_decisive() {
        let keys = tree.correction_keys(node.ply);
        tree.histories.correction.update(&keys, node.depth, eval, best);
    }
}
