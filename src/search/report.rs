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
    /// The move to play; none where there is no legal move.
    pub best: Option<Move>,
    /// The answer that is expected.
    pub ponder: Option<Move>,
    /// The score of the best move.
    pub score: Score,
    /// The last completed iteration.
    pub depth: Depth,
    /// Nodes that this worker searched.
    pub nodes: u64,
}
