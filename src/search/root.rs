//! The moves of the root and what is known of each.

use crate::{
    tt::Bound,
    types::{Move, Score},
};

/// One move of the root position.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The score of the current iteration; `-INFINITE` when the move was only shown not to be the best.
    pub(super) score: Score,
    /// Whether that score is exact.
    pub(super) bound: Bound,
    /// The score of the last iteration that made the move one of the best.
    pub(super) previous: Score,
    /// Nodes spent below the move, over all iterations.
    pub(super) nodes: u64,
    /// The line that begins with the move, from the last time that its score was not just an upper bound.
    pub(super) pv: Vec<Move>,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> Self {
        Self { mv, score: -Score::INFINITE, bound: Bound::Upper, previous: -Score::INFINITE, nodes: 0, pv: vec![mv] }
    }

    /// The score to go by when the search was broken off: that of the iteration before unless this one got better
    /// than an upper bound, which the line does not belong to.
    pub(super) fn last_score(&self) -> (Score, Bound) {
        if self.bound == Bound::Upper { (self.previous, Bound::Exact) } else { (self.score, self.bound) }
    }
}
