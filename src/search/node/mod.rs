//! Principal variation search of one node, in numbered steps: here up to the move loop, in `move_loop` the moves.
//!
//! A rule that only reads takes the [`Node`], and the [`Tree`](super::tree::Tree) or a part of it by `&`. The rules
//! that search - null move pruning, ProbCut, singular extension, the move loop - take the [`Worker`], and call the
//! functions here: a search of a node is made of searches of nodes.

mod cutoffs;
mod evaluation;
mod extensions;
mod history_updates;
mod move_loop;
mod move_pruning;
mod pruning;
mod qsearch;
mod reductions;
mod state;

pub(super) use state::RootNode;

use self::{
    cutoffs::{
        TablebaseOutcome, draw_or_max_ply, enter_node, mate_distance_pruning, tablebase_cutoff, tt_cutoff,
        upcoming_repetition,
    },
    evaluation::{evaluate_node, is_improving},
    history_updates::update_history_by_evaluation,
    move_loop::move_loop,
    pruning::{null_move_pruning, probcut, reverse_futility_pruning},
    qsearch::qsearch,
    reductions::{hindsight_adjustment, internal_iterative_reduction},
    state::{Node, NodeKind, TtData},
};
use super::{search_state::Aborted, window::Window, worker::Worker};
use crate::types::{Depth, Score};

/// The score of the current position, at `ply` plies from the root, by a search of `depth` plies: fail-soft, so the
/// score may lie outside the window.
pub(super) fn search_node<N: NodeKind>(
    worker: &mut Worker,
    mut window: Window,
    depth: Depth,
    ply: usize,
    cut_node: bool,
) -> Result<Score, Aborted> {
    debug_assert!(!window.is_empty() && (N::PV || window.is_null()));

    // Step 1. Drop into quiescence search at the horizon.
    if depth <= 0 {
        return qsearch::<N>(worker, window, ply);
    }
    enter_node::<N>(worker, ply)?;

    // Step 2. Draw detection, maximum ply; upcoming repetition, mate distance pruning.
    let Worker { tree, state } = &mut *worker;
    if let Some(score) = draw_or_max_ply(tree, state, ply)
        .or_else(|| upcoming_repetition(tree, state, &mut window, ply))
        .or_else(|| mate_distance_pruning(&mut window, ply))
    {
        return Ok(score);
    }

    // Step 3. Transposition table (TT) probe and cutoff.
    let excluded = tree.stack[ply].excluded;
    let tt = TtData::probe::<N>(tree, state, ply, excluded);
    if let Some(score) = tt_cutoff::<N>(tree, &tt, window, depth, ply) {
        return Ok(score);
    }

    // Step 4. Tablebase (Syzygy) probe.
    let tablebase_bounds = match tablebase_cutoff::<N>(tree, state, &tt, window, depth, ply) {
        TablebaseOutcome::Cutoff(score) => return Ok(score),
        TablebaseOutcome::Bounds(min, max) => (min, max),
    };
    window.alpha = window.alpha.max(tablebase_bounds.0);

    // Step 5. Static evaluation, `improving`; history of the move before. The children's fail highs, for LMR, are
    // counted from here on, that of the null move included.
    let in_check = tree.position.in_check();
    let eval = evaluate_node(tree, state, &tt, ply);
    let improving = is_improving(&tree.stack, ply, eval.static_eval);
    let mut node = Node { ply, depth, window, cut_node, in_check, excluded, tt, eval, improving, tablebase_bounds };
    update_history_by_evaluation(tree, &node);
    tree.stack[ply + 1].cutoffs = 0;

    // Step 6. Hindsight depth adjustment.
    node.depth += hindsight_adjustment::<N>(&tree.stack, &node);

    // Step 7. Reverse futility pruning (RFP).
    if let Some(score) = reverse_futility_pruning::<N>(&node) {
        return Ok(score);
    }

    // Step 8. Null move pruning (NMP).
    if let Some(score) = null_move_pruning::<N>(worker, &node)? {
        return Ok(score);
    }

    // Step 9. ProbCut.
    if let Some(score) = probcut::<N>(worker, &node)? {
        return Ok(score);
    }

    // Step 10. Internal iterative reduction (IIR).
    node.depth -= internal_iterative_reduction::<N>(&node);

    // Step 11. Move loop.
    move_loop::<N>(worker, node)
}

/// The score of a child of the node at `ply`, after its move was made. Window and score are the parent's.
#[inline(always)]
fn search_child<N: NodeKind>(
    worker: &mut Worker,
    window: Window,
    depth: Depth,
    ply: usize,
    cut_node: bool,
) -> Result<Score, Aborted> {
    Ok(-search_node::<N>(worker, -window, depth, ply + 1, cut_node)?)
}
