//! What a search tells the world.

use std::time::Duration;

use crate::{
    tt::Bound,
    types::{Depth, Move, Score},
};

/// The state of one line at the end of an iteration, or when its score left the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReport {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The deepest ply reached, selectively.
    pub seldepth: usize,
    /// Which of the best lines this is, from 1.
    pub multipv: usize,
    /// The score of the line.
    pub score: Score,
    /// Whether the score is exact, or only known to be better or worse.
    pub bound: Bound,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub time: Duration,
    /// How full the hash table is, in permille.
    pub hashfull: u32,
    /// Positions found in the tablebases.
    pub tbhits: u64,
    /// The line: legal moves, the first one first.
    pub pv: Vec<Move>,
}

/// What a worker comes back with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// Whose it is; 0 is the main worker.
    pub worker: usize,
    /// The best line found; empty where there is no legal move.
    pub pv: Vec<Move>,
    /// The score of the line.
    pub score: Score,
    /// The last completed iteration.
    pub depth: Depth,
    /// The deepest ply reached, selectively.
    pub seldepth: usize,
    /// Nodes that this worker searched.
    pub nodes: u64,
}

impl SearchResult {
    /// The move to play; none where there is no legal move.
    pub fn best(&self) -> Option<Move> {
        self.pv.first().copied()
    }

    /// Which of several workers' results to believe, as an index; 0 when there are none.
    ///
    /// Each votes for its move with its depth times how far its score lies above the worst one; a worker that has
    /// proven a win, or whose move proves it avoids a loss, outvotes all.
    pub fn best_thread(results: &[Self]) -> usize {
        let Some(worst) = results.iter().map(|result| result.score.0).min() else { return 0 };
        let weight = |result: &Self| i64::from(result.score.0 - worst + 12) * i64::from(result.depth);
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
