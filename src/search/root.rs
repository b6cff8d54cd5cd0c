//! Root moves, and the state of iterative deepening.

use crate::{
    tt::Bound,
    types::{Depth, Move, Score},
};

/// The state of iterative deepening at the root.
#[derive(Default)]
pub(super) struct Root {
    /// The moves to search, best first after each iteration.
    pub(super) moves: Vec<RootMove>,
    /// Number of PVs of a MultiPV search.
    pub(super) multi_pv: usize,
    /// The PV being searched, from 0.
    pub(super) pv_index: usize,
    /// The depth of the current iteration, in plies.
    pub(super) depth: Depth,
}

impl Root {
    /// Begins a search of `moves` for at most `multi_pv` PVs.
    pub(super) fn new(moves: Vec<RootMove>, multi_pv: usize) -> Self {
        let multi_pv = multi_pv.clamp(1, moves.len().max(1));
        Self { moves, multi_pv, pv_index: 0, depth: 0 }
    }
}

/// One move of the root position.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The score of the current iteration; `-INFINITE` if it has none, or failed low and was not the first move.
    pub(super) score: Score,
    /// The bound that this score is.
    pub(super) bound: Bound,
    /// The score of the previous iteration, the center of the aspiration window.
    pub(super) previous: Score,
    /// Nodes searched below the move, over all iterations: time management depends on the best move's share.
    pub(super) nodes: u64,
    /// The PV that begins with the move, from the last time that it did not fail low.
    pub(super) pv: Vec<Move>,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> Self {
        Self { mv, score: -Score::INFINITE, bound: Bound::Upper, previous: -Score::INFINITE, nodes: 0, pv: vec![mv] }
    }

    /// The score to report after an aborted iteration: the previous one if the move has only failed low since, because
    /// the PV does not belong to an upper bound.
    pub(super) fn last_score(&self) -> (Score, Bound) {
        if self.bound == Bound::Upper { (self.previous, Bound::Exact) } else { (self.score, self.bound) }
    }
}
