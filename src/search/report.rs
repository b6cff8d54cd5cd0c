//! Reports during a search, and its result.

use std::time::Duration;

use crate::{
    eval::win_draw_loss,
    movegen::legal_moves,
    position::Position,
    types::{Bound, Depth, Move, Score},
};

/// A search this long is watched by a person: from then on it tells what it finds while an iteration goes on, and the
/// root move that it is at. Before, that would flood the GUI.
// CITE: Stockfish - three seconds for root moves; it tells bounds from 10 million nodes on.
pub(crate) const DETAILS_FROM: Duration = Duration::from_secs(3);

/// Receives the reports of a search, if anyone does.
pub(super) type OnReport<'a> = Option<&'a mut dyn FnMut(SearchReport)>;

/// The best lines of a search so far: at the end of an iteration, or within one that takes long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReport {
    /// The last completed iteration, in plies; 0 if there is none.
    pub depth: Depth,
    /// As many lines as are wanted, or as there are root moves: sorted by score, each root move once.
    pub lines: Vec<Line>,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since `go` was read.
    pub time: Duration,
    /// TT occupancy by entries of this search, in permille.
    pub hashfull: u32,
    /// Tablebase hits of all threads.
    pub tbhits: u64,
}

/// A principal variation and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The iteration that it comes from, in plies.
    pub depth: Depth,
    /// The deepest ply reached in a PV node.
    pub seldepth: usize,
    /// The score for the side to move, in internal units.
    pub score: Score,
    /// Exact, or a bound after a fail high or fail low.
    pub bound: Bound,
    /// Legal moves, beginning at the root.
    pub pv: Vec<Move>,
    /// A proven draw, by the rules or by the tablebases. A score of zero alone proves nothing.
    pub is_draw: bool,
    /// The order of the first move by the tablebases, 0 without: a move of lower order gives away some of the result.
    pub(crate) tablebase_order: i32,
    /// The score that the search has found, where the reported one is that of the tablebases.
    pub(crate) searched_score: Score,
}

impl Line {
    /// A line that the tablebases and the rules say nothing about.
    pub fn new(depth: Depth, seldepth: usize, score: Score, bound: Bound, pv: Vec<Move>) -> Self {
        Self { depth, seldepth, score, bound, pv, is_draw: false, tablebase_order: 0, searched_score: score }
    }

    /// Probabilities of win, draw and loss, in permille.
    pub fn win_draw_loss(&self) -> [u32; 3] {
        if self.is_draw { [0, 1000, 0] } else { win_draw_loss(self.score) }
    }
}

impl SearchReport {
    /// The report of a search that had nothing to search, or no time to report: one line, without nodes and time.
    /// Without a move, the game is over, and the score says how.
    pub(crate) fn bare(depth: Depth, score: Score, best: Option<Move>) -> Self {
        let seldepth = usize::try_from(depth).unwrap_or_default();
        let line = Line::new(depth, seldepth, score, Bound::Exact, best.into_iter().collect());
        let line = Line { is_draw: best.is_none() && !score.is_mate(), ..line };
        Self { depth, lines: vec![line], nodes: 0, time: Duration::ZERO, hashfull: 0, tbhits: 0 }
    }

    /// The report on a position in which the game is over for want of a legal move; `None` for any other.
    pub(crate) fn of_ended_game(position: &Position) -> Option<Self> {
        let score = if position.in_check() { Score::mated_in(0) } else { Score::ZERO };
        legal_moves(position).is_empty().then(|| Self::bare(0, score, None))
    }

    /// True if all lines are from the last completed iteration.
    pub fn is_complete(&self) -> bool {
        self.lines.iter().all(|line| line.depth == self.depth && line.bound == Bound::Exact)
    }
}

/// The result of one worker's search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The worker's thread id; 0 is the main worker.
    pub thread_id: usize,
    /// The score of the best move for the side to move, in internal units.
    pub score: Score,
    /// Exact, or a lower bound if the search ended after a fail high.
    pub bound: Bound,
    /// The last completed iteration.
    pub depth: Depth,
    /// Nodes searched by this worker.
    pub nodes: u64,
    /// The last lines, as in [`SearchReport::lines`]; none if there is no legal move. Where the score is a lower bound,
    /// the best line has the last exact score of its move all the same, if there is one.
    pub lines: Vec<Line>,
}

impl SearchResult {
    /// The best move; `None` if there is no legal move.
    pub fn best(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.pv.first()).copied()
    }
}

/// Nodes per second (NPS), rounded down; a time below a microsecond counts as one.
pub(crate) fn nps(nodes: u64, time: Duration) -> u64 {
    let rate = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_per_second() {
        assert_eq!(nps(3000, Duration::from_micros(1500)), 2_000_000);
    }
}
