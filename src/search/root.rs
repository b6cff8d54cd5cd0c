//! Root moves.

use crate::{
    tt::Bound,
    types::{Move, Score},
};

/// One move of the root position.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The score of the current iteration; `-INFINITE` if the move failed low.
    pub(super) score: Score,
    /// Whether that score is exact or a bound.
    pub(super) bound: Bound,
    /// The score of the previous iteration, the center of the aspiration window.
    pub(super) previous: Score,
    /// Nodes searched below the move, over all iterations: time management goes by the best move's share.
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
