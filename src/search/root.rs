//! The moves of the root and what is known of each.

use crate::types::{Move, Score};

/// One move of the root position.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The score of the current iteration; `-INFINITE` when the move was only shown not to be the best.
    pub(super) score: Score,
    /// The score of the last iteration that made the move one of the best.
    pub(super) previous: Score,
    /// Nodes spent below the move, over all iterations.
    pub(super) nodes: u64,
    /// The line that begins with the move.
    pub(super) pv: Vec<Move>,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> Self {
        Self { mv, score: -Score::INFINITE, previous: -Score::INFINITE, nodes: 0, pv: vec![mv] }
    }
}
