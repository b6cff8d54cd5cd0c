//! Voting of the threads of a lazy SMP search on the move to play.

use super::report::SearchResult;
use crate::params;

impl SearchResult {
    /// Index of the result to play in a lazy SMP search; 0 if there are none.
    ///
    /// Each thread that has completed an iteration votes for its move with its depth times the difference of its score
    /// to the worst one, plus an offset. A proven win outvotes everything; a proven loss loses to everything else.
    // CITE: Stockfish, by way of Reckless and Berserk - votes of (score - worst + offset) * depth. Not measured here
    // alone; two threads against one: +113 ± 23 Elo.
    pub fn best_thread(results: &[Self]) -> usize {
        let completed = results.iter().filter(|result| result.depth > 0);
        let Some(worst) = completed.map(|result| result.score.0).min() else { return 0 };
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
        (0..results.len()).filter(|&index| results[index].depth > 0).max_by_key(key).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        search::Line,
        types::{Bound, Depth, Move, MoveKind, Score, Square},
    };

    fn result(to: Square, score: Score, depth: Depth) -> SearchResult {
        let mv = Move::new(Square::A1, to, MoveKind::Quiet);
        SearchResult {
            thread_id: 0,
            score,
            bound: Bound::Exact,
            depth,
            nodes: 0,
            lines: vec![Line::new(depth, 0, score, Bound::Exact, vec![mv])],
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
        let none = result(Square::A1, -Score::INFINITE, 0);
        let better = [result(Square::B1, Score(80), 11), result(Square::C1, Score(10), 12), none];
        assert_eq!(SearchResult::best_thread(&better), 0, "a thread without a completed iteration has no worst score");
        let aborted = [result(Square::D1, Score::mated_in(4), 20), result(Square::A1, Score(30), 0)];
        assert_eq!(SearchResult::best_thread(&aborted), 0, "nor a vote");
        assert_eq!(SearchResult::best_thread(&[alone]), 0);
        assert_eq!(SearchResult::best_thread(&[]), 0);
    }
}
