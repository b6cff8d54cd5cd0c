//! Search reports, results, and the choice between the results of several threads.

use std::time::Duration;

use crate::{
    params,
    tt::Bound,
    types::{Depth, Move, Score},
};

/// One PV at the end of an iteration, or after a fail high or fail low of the aspiration search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReport {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The deepest ply reached in a PV node.
    pub seldepth: usize,
    /// Rank of the PV in a multi-PV search, from 1.
    pub multipv: usize,
    /// The score for the side to move, in internal units.
    pub score: Score,
    /// Exact, or a bound after a fail high or fail low.
    pub bound: Bound,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since `go` was read.
    pub time: Duration,
    /// TT occupancy by entries of this search, in permille.
    pub hashfull: u32,
    /// Tablebase hits of all threads.
    pub tbhits: u64,
    /// The principal variation: legal moves, beginning at the root.
    pub pv: Vec<Move>,
}

/// The result of one worker's search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The worker's thread id; 0 is the main worker.
    pub worker: usize,
    /// The principal variation; empty if there is no legal move.
    pub pv: Vec<Move>,
    /// Its score for the side to move, in internal units.
    pub score: Score,
    /// The last completed iteration.
    pub depth: Depth,
    /// The deepest ply reached in a PV node.
    pub seldepth: usize,
    /// Nodes searched by this worker.
    pub nodes: u64,
}

impl SearchResult {
    /// The best move; `None` if there is no legal move.
    pub fn best(&self) -> Option<Move> {
        self.pv.first().copied()
    }

    /// Index of the result to play in a lazy SMP search; 0 if there are none.
    ///
    /// Each votes for its move with its depth times how far its score lies above the worst one; a worker that has
    /// proven a win, or whose move allows_cutoff it avoids a loss, outvotes all.
    // CITE: Reckless, Berserk - votes of (score - worst + offset) * depth. Two threads against one: +46 ± 25 Elo.
    pub fn best_thread(results: &[Self]) -> usize {
        let Some(worst) = results.iter().map(|result| result.score.0).min() else { return 0 };
        let weight =
            |result: &Self| i64::from(result.score.0 - worst + params::vote_score_offset()) * i64::from(result.depth);
        let votes = |candidate: &Self| -> i64 {
            results.iter().filter(|result| result.best() == candidate.best()).map(weight).sum()
        };
        let key = |index: &usize| {
            let result = &results[*index];
            let proven = if result.score.is_win() { result.score.0 } else { 0 };
            (proven, !result.score.is_loss(), votes(result), result.depth, std::cmp::Reverse(*index))
        };
        (0..results.len()).max_by_key(key).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    fn result(to: Square, score: Score, depth: Depth) -> SearchResult {
        SearchResult {
            worker: 0,
            pv: vec![Move::new(Square::A1, to, MoveKind::Quiet)],
            score,
            depth,
            seldepth: 0,
            nodes: 0,
        }
    }

    #[test]
    fn votes_add_up_and_proofs_outvote() {
        let alone = result(Square::A2, Score(30), 12);
        let together = [alone.clone(), result(Square::B1, Score(28), 11), result(Square::B1, Score(25), 12)];
        assert_eq!(SearchResult::best_thread(&together), 2, "the deeper of the two that agree");
        let mate = result(Square::C1, Score::mate_in(5), 9);
        assert_eq!(SearchResult::best_thread(&[alone.clone(), alone.clone(), mate.clone()]), 2);
        assert_eq!(
            SearchResult::best_thread(&[result(Square::D1, Score::mate_in(9), 20), mate]),
            1,
            "the quicker mate"
        );
        assert_eq!(SearchResult::best_thread(&[result(Square::D1, Score::mated_in(4), 20), alone.clone()]), 1);
        assert_eq!(SearchResult::best_thread(&[alone]), 0);
        assert_eq!(SearchResult::best_thread(&[]), 0);
    }
}
