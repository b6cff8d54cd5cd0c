//! Ends of a node before it is evaluated: a stop, a draw, the mates still possible, the TT, the tablebases.

use super::{
    history_updates::update_quiet_histories,
    state::{NodeKind, TtData, TtScore},
};
use crate::{
    eval::evaluate,
    history::history_bonus,
    movegen::{is_legal, legal_moves},
    params,
    search::{
        search_state::{Aborted, SearchState},
        tree::Tree,
        window::Window,
        worker::Worker,
    },
    types::{Bound, Depth, Score},
};

/// Begins a node, unless the search has to stop.
#[inline(always)]
pub(super) fn enter_node<N: NodeKind>(worker: &mut Worker, ply: usize) -> Result<(), Aborted> {
    if N::PV {
        worker.tree.stack.clear_pv(ply);
        worker.state.counters.seldepth = worker.state.counters.seldepth.max(ply);
    }
    worker.state.check_stop()
}

/// The score of a draw by the rules, unless it is checkmate, or of a node at the maximum ply.
pub(super) fn draw_or_max_ply(tree: &mut Tree, state: &SearchState, ply: usize) -> Option<Score> {
    let Tree { position, accumulators, .. } = tree;
    let is_mated = || position.in_check() && legal_moves(position).is_empty();
    // The root has to have a move.
    if ply == 0 {
        None
    } else if position.is_draw(ply) && !is_mated() {
        Some(state.draw_score())
    } else if ply < state.stop.max_ply {
        None
    } else if is_mated() {
        Some(Score::mated_in(ply))
    } else {
        Some(evaluate(position, accumulators))
    }
}

/// Raises alpha to a draw where the side to move can repeat a position. The score, if no other is left in the window.
// CITE: Marcel van Kervinck - an upcoming repetition; Stockfish, by way of Reckless, Stash and Berserk - alpha is
// raised to a draw. Not measured here.
#[inline(always)]
pub(super) fn upcoming_repetition(tree: &Tree, state: &SearchState, window: &mut Window, ply: usize) -> Option<Score> {
    let applies = ply > 0 && window.alpha < Score::ZERO && tree.position.has_upcoming_repetition(ply);
    if !applies {
        return None;
    }
    window.alpha = state.draw_score();
    window.is_empty().then_some(window.alpha)
}

/// Mate distance pruning: narrows the window to mated in `ply` plies at worst and mate in `ply + 1` plies at best. The
/// score, if only one is left.
// CITE: Stockfish, by way of Reckless, Stash and Berserk. Not measured here.
#[inline(always)]
pub(super) fn mate_distance_pruning(window: &mut Window, ply: usize) -> Option<Score> {
    let applies = ply > 0;
    if !applies {
        return None;
    }
    window.alpha = window.alpha.max(Score::mated_in(ply));
    window.beta = window.beta.min(Score::mate_in(ply + 1));
    window.is_empty().then_some(window.alpha)
}

/// The TT score of a non-PV node, if the entry is deep enough and its bound fails high or low; a singular search has
/// none. No cutoff close to the fifty-move rule, which the position's key shows only roughly. A quiet TT move that
/// fails high has its histories raised.
// CITE: Stockfish, by way of Reckless - cutoffs in non-PV nodes only, none from a halfmove clock of 90, and the bonus
// for a quiet TT move that fails high. Not measured here.
pub(super) fn tt_cutoff<N: NodeKind>(
    tree: &mut Tree,
    tt: &TtData,
    window: Window,
    depth: Depth,
    ply: usize,
) -> Option<Score> {
    let TtScore { score, bound, depth: tt_depth } = tt.score?;
    let applies = !N::PV
        && tt_depth >= depth
        && bound.allows_cutoff(score, window.beta)
        && i32::from(tree.position.halfmove_clock()) < params::tt_cutoff_max_clock();
    if !applies {
        return None;
    }
    if window.fails_high(score)
        && let Some(mv) = tt.mv.filter(|mv| mv.is_quiet())
        && is_legal(&tree.position, mv)
    {
        tree.update_threats(ply);
        update_quiet_histories(tree, mv, ply, history_bonus(depth));
    }
    Some(score)
}

/// The result of a tablebase probe for a node.
pub(super) enum TablebaseOutcome {
    /// The score of the node.
    Cutoff(Score),
    /// The least and the greatest score that the node can have.
    Bounds(Score, Score),
}

/// The score of the tablebases if it ends the node; otherwise it bounds the node's.
// CITE: Stockfish - the depth under which it is stored.
pub(super) fn tablebase_cutoff<N: NodeKind>(
    tree: &Tree,
    state: &mut SearchState,
    tt: &TtData,
    window: Window,
    depth: Depth,
    ply: usize,
) -> TablebaseOutcome {
    const ANY: TablebaseOutcome = TablebaseOutcome::Bounds(Score(-Score::INFINITE.0), Score::INFINITE);
    let applies = !N::ROOT && tree.stack[ply].excluded.is_none();
    if !applies {
        return ANY;
    }
    let Some((score, bound)) = state.tablebases.probe(&tree.position, depth, ply) else { return ANY };
    state.counters.tbhits += 1;
    // In a PV node, a loss inside the window may yet be a longer or shorter one.
    if bound.allows_cutoff(score, window.beta) && (!N::PV || bound != Bound::Upper || window.fails_low(score)) {
        // As if it came from a deeper search.
        let depth = depth + params::tablebase_depth_bonus();
        tt.store(state, tt.raw_eval, None, Some((score, bound)), depth);
        return TablebaseOutcome::Cutoff(score);
    }
    match bound {
        Bound::Lower => TablebaseOutcome::Bounds(score, Score::INFINITE),
        // An exact score always ends the node.
        Bound::Upper | Bound::Exact => TablebaseOutcome::Bounds(-Score::INFINITE, score),
    }
}
