//! What ends a search.

use std::time::Instant;

use super::{
    clock::Clock,
    job::{Job, SearchOptions},
    limits::{Limits, hard_node_budget},
};
use crate::{
    position::Position,
    types::{Depth, MAX_PLY},
};

/// The conditions that end a search: here `mate`, the node budget of a player of limited strength and the clock become
/// depths, nodes and times. The engine chooses the budget, and bounds an infinite search where there are no threads.
pub(super) struct StopConditions {
    /// The number by which other threads stop it.
    pub(super) search_id: u64,
    /// The deepest iteration, in plies.
    pub(super) max_depth: Depth,
    /// Positions at this ply are evaluated, not searched: the end of the stack, or of the mates that are looked for.
    pub(super) max_ply: usize,
    /// A mate in so many moves ends the search.
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
    /// The conditions of a job.
    pub(super) fn new(job: &Job) -> Self {
        let Job { search_id, limits, options: SearchOptions { move_overhead, node_budget, .. }, .. } = job;
        let side = job.position.side_to_move();
        let infinite = limits.is_infinite(side);
        // An infinite or pondering search is watched, and goes on at full depth whatever the strength.
        let budget = node_budget.filter(|_| !infinite && !limits.ponder);
        let hard_budget = budget.map(hard_node_budget);
        let deepest = MAX_PLY - 1;
        // A search of depth 0 must find a move, too.
        let depths = [limits.depth.map(|depth| depth.max(1)), limits.mate.map(max_depth_for_mate)];
        Self {
            search_id: *search_id,
            max_depth: depths.into_iter().flatten().fold(deepest as Depth, Depth::min),
            max_ply: limits.mate.map_or(deepest, |moves| (moves as usize).saturating_mul(2).min(deepest)),
            mate: limits.mate,
            nodes: limits.nodes.into_iter().chain(hard_budget).min(),
            soft_nodes: limits.soft_nodes.into_iter().chain(*node_budget).min(),
            infinite,
            ponder: limits.ponder,
            clock: Clock::new(limits, side, *move_overhead, job.started),
            ends_at_ponderhit: false,
            next_check: 0,
        }
    }

    /// The conditions before the first search.
    pub(super) fn none() -> Self {
        Self::new(&Job { started: Instant::now(), ..Job::new(Position::startpos(), Limits::default()) })
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
        let conditions = |limits, node_budget| {
            let options = SearchOptions { node_budget, ..SearchOptions::default() };
            StopConditions::new(&Job { options, ..Job::new(Position::startpos(), limits) })
        };
        let depth = |limits| conditions(limits, None).max_depth;
        assert_eq!(depth(Limits::depth(0)), 1);
        assert_eq!(depth(Limits { mate: Some(3), ..Limits::depth(40) }), 30);
        assert_eq!(depth(Limits { mate: Some(u32::MAX), ..Limits::depth(40) }), 40);
        assert_eq!(depth(Limits::depth(Depth::MAX)), MAX_PLY as Depth - 1);
        assert_eq!(conditions(Limits { mate: Some(3), ..Limits::default() }, None).max_ply, 6);
        let nodes_with = |budget, limits| {
            let conditions = conditions(limits, Some(budget));
            (conditions.nodes, conditions.soft_nodes)
        };
        let nodes = |limits| nodes_with(950, limits);
        assert_eq!(nodes(Limits::nodes(10)), (Some(10), Some(950)));
        assert_eq!(nodes(Limits::nodes(u64::MAX)), (Some(7600), Some(950)));
        assert_eq!(nodes_with(10, Limits::depth(9)), (Some(5000), Some(10)), "enough for the first iteration");
        for watched in [Limits::default(), Limits { ponder: true, ..Limits::depth(9) }] {
            assert_eq!(nodes(watched).0, None);
        }
    }
}
