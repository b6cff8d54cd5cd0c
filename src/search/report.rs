//! Reports during a search, and its result.

use std::time::Duration;

use crate::{
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
    /// Rank of the PV in a MultiPV search, from 1.
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

impl SearchReport {
    /// The report of a search that had nothing to search, or no time to report: without nodes and time.
    pub(crate) fn bare(depth: Depth, score: Score, best: Option<Move>) -> Self {
        Self {
            depth,
            seldepth: usize::try_from(depth).unwrap_or_default(),
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: best.into_iter().collect(),
        }
    }
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
    /// Exact, or a lower bound if the search ended after a fail high.
    pub bound: Bound,
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
}
