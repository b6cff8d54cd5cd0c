//! The conditions that end a search.

use super::{clock::Clock, job::Job, limits::Limits};
use crate::{
    position::Position,
    types::{Depth, MAX_PLY},
};

/// Milliseconds for a move that a clock alone limits and that has no alternative: enough for a score and for a line to
/// ponder on, well below half a second on a busy machine, too.
// CITE: Stockfish - half a second for the only root move.
const ONLY_MOVE_TIME: i64 = 200;

/// Milliseconds for a search that only a command would end, where there are no threads: none is read meanwhile.
const UNBOUNDED_MOVE_TIME: i64 = 60_000;

/// The conditions that end a search: here the strength becomes a number of nodes, `mate` a depth, the clock a time.
pub(super) struct StopConditions {
    /// The number by which other threads stop it.
    pub(super) search_id: u64,
    /// The deepest iteration, in plies.
    pub(super) max_depth: Depth,
    /// Positions at this ply are evaluated, not searched: the end of the stack, or of the mates that are looked for.
    pub(super) max_ply: usize,
    /// A mate in this many moves ends the search.
    pub(super) mate: Option<u32>,
    /// Nodes of all threads that end the search.
    pub(super) nodes: Option<u64>,
    /// Nodes of all threads after which no iteration begins.
    pub(super) soft_nodes: Option<u64>,
    /// True if only a stop ends the search.
    pub(super) infinite: bool,
    /// True for a search on the opponent's time, until the ponderhit.
    pub(super) ponder: bool,
    pub(super) clock: Clock,
    /// True once a soft limit has been reached while pondering: the search ends at the ponderhit.
    pub(super) ends_at_ponderhit: bool,
    /// The node count at which flags, limits and clock are looked at again.
    pub(super) next_check: u64,
}

impl StopConditions {
    /// The conditions of a job with this number of root moves.
    pub(super) fn new(job: &Job, root_moves: usize) -> Self {
        let mut limits = job.limits.clone();
        let side = job.position.side_to_move();
        if root_moves == 1 && limits.is_clock_alone(side) {
            limits.move_time = Some(ONLY_MOVE_TIME);
        }
        if cfg!(single_threaded) {
            if limits.is_infinite(side) {
                limits.move_time = Some(limits.move_time.unwrap_or(UNBOUNDED_MOVE_TIME).min(UNBOUNDED_MOVE_TIME));
            }
            (limits.infinite, limits.ponder) = (false, false);
        }
        if let Some(nodes) = job.soft_nodes() {
            limits.limit_nodes(nodes, side);
        }
        let deepest = MAX_PLY - 1;
        // A search of depth 0 must find a move, too.
        let depths = [limits.depth.map(|depth| depth.max(1)), limits.mate.map(max_depth_for_mate)];
        Self {
            search_id: job.search_id,
            max_depth: depths.into_iter().flatten().fold(deepest as Depth, Depth::min),
            max_ply: limits.mate.map_or(deepest, |moves| (moves as usize).saturating_mul(2).min(deepest)),
            mate: limits.mate,
            nodes: limits.nodes,
            soft_nodes: limits.soft_nodes,
            infinite: limits.is_infinite(side),
            ponder: limits.ponder,
            clock: Clock::new(&limits, side, job.options.move_overhead, job.started),
            ends_at_ponderhit: false,
            next_check: 0,
        }
    }

    /// The conditions before the first search.
    pub(super) fn none() -> Self {
        Self::new(&Job::new(Position::startpos(), Limits::default()), 0)
    }
}

/// The deepest iteration of a search for a mate in `moves` moves, in plies: a mate that was not found by then is given
/// up.
///
/// A full-width search would prove it at depth `2 * moves - 1`. This one reduces quiet moves, so that a mate with quiet
/// moves in it shows some iterations later: up to 21 in those of two to five moves of `tests/data/mates.epd`.
fn max_depth_for_mate(moves: u32) -> Depth {
    const MARGIN: i64 = 24;
    Depth::try_from(2 * i64::from(moves) + MARGIN).unwrap_or(Depth::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_of_two_limits_holds() {
        let conditions = |limits| StopConditions::new(&Job::new(Position::startpos(), limits), 20);
        let depth = |limits| conditions(limits).max_depth;
        assert_eq!(depth(Limits::depth(0)), 1);
        assert_eq!(depth(Limits { mate: Some(3), ..Limits::depth(40) }), 30);
        assert_eq!(depth(Limits { mate: Some(u32::MAX), ..Limits::depth(40) }), 40);
        assert_eq!(depth(Limits::depth(Depth::MAX)), MAX_PLY as Depth - 1);
        assert_eq!(conditions(Limits { mate: Some(3), ..Limits::default() }).max_ply, 6);
    }
}
