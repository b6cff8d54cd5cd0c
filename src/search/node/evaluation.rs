//! The static evaluation of a node, and its correction by the search's own results.

use super::state::{Evaluation, TtData};
use crate::{
    eval,
    search::{search_state::SearchState, stack::Stack, tree::Tree},
    types::Score,
};

/// The evaluation of a node of the main search, on its stack entry as well. A new one is stored in the TT.
// CITE: Stockfish, by way of Berserk - storing the evaluation before the search.
#[inline(always)]
pub(super) fn evaluate_node(tree: &mut Tree, state: &SearchState, tt: &TtData, ply: usize) -> Evaluation {
    if tree.stack[ply].excluded.is_some() {
        // The node around this singular search has evaluated the same position.
        let static_eval = tree.stack[ply].static_eval;
        return Evaluation { raw_eval: None, static_eval, adjusted_eval: static_eval.unwrap_or(-Score::INFINITE) };
    }
    let eval = evaluate_position(tree, tt, ply);
    if eval.static_eval.is_some() && !tt.hit {
        tt.store(state, eval.raw_eval, None, None, -1);
    }
    tree.stack[ply].static_eval = eval.static_eval;
    eval
}

/// The evaluation of the position: the raw one, from the TT if it has one, corrected by what earlier searches found
/// about such positions; and the adjusted evaluation.
#[inline(always)]
pub(super) fn evaluate_position(tree: &mut Tree, tt: &TtData, ply: usize) -> Evaluation {
    if tree.position.in_check() {
        return Evaluation { raw_eval: tt.raw_eval, static_eval: None, adjusted_eval: -Score::INFINITE };
    }
    let raw_eval = tt.raw_eval.unwrap_or_else(|| {
        let evaluation = eval::evaluate(&tree.position, &mut tree.accumulators);
        #[cfg(feature = "evaluated")]
        crate::search::evaluated::observe(&tree.position, evaluation);
        evaluation
    });
    let correction = tree.histories.correction.get(&tree.correction_keys(ply));
    let static_eval = eval::static_eval(&tree.position, raw_eval, correction);
    // CITE: Stockfish, by way of akimbo and Reckless - the TT score as evaluation if its bound allows. Not measured
    // here.
    let adjusted_eval = match tt.score {
        Some(tt) if !tt.score.is_decisive() && tt.bound.refines(tt.score, static_eval) => tt.score,
        _ => static_eval,
    };
    Evaluation { raw_eval: Some(raw_eval), static_eval: Some(static_eval), adjusted_eval }
}

/// Returns true if the static evaluation is higher than two plies back, or than four if the side was in check then.
// CITE: Stockfish, by way of Reckless.
#[inline(always)]
pub(super) fn is_improving(stack: &Stack, ply: usize, static_eval: Option<Score>) -> bool {
    let earlier = stack.before(ply, 2).static_eval.or(stack.before(ply, 4).static_eval);
    static_eval.zip(earlier).is_some_and(|(now, earlier)| now > earlier)
}
