//! The state of a search in one thread: what it is to do, what ends it, and what it has counted.

use std::sync::Arc;

use super::{
    job::Job,
    root::{Root, wanted_moves},
    shared::Shared,
    stop_conditions::StopConditions,
    tablebases::TablebaseState,
};
use crate::{
    position::Position,
    types::{Move, Score},
};

/// What one thread's search knows beside its [`Tree`](super::tree::Tree).
pub(super) struct SearchState {
    /// 0 is the main worker: only it begins no iteration after a soft limit, and reports.
    pub(super) thread_id: usize,
    pub(super) shared: Arc<Shared>,
    pub(super) root: Root,
    pub(super) counters: Counters,
    pub(super) stop: StopConditions,
    pub(super) tablebases: TablebaseState,
}

/// The error of a search that was stopped or has reached a limit: the nodes above it have no score.
#[derive(Debug)]
pub(super) struct Aborted;

/// The counters of one search.
#[derive(Clone, Copy, Default)]
pub(super) struct Counters {
    pub(super) nodes: u64,
    pub(super) tbhits: u64,
    /// The deepest ply of a PV node in this iteration.
    pub(super) seldepth: usize,
}

/// Neither a stop nor the hard time limit aborts the first iteration before this many nodes, so that the move is not
/// random: four times what the iteration takes in any of the bench positions. With a dozen queens it takes millions.
// CITE: own, not measured.
const UNSTOPPABLE_NODES: u64 = 20_000;

/// Nodes between two checks of the flags and the clock: well under a millisecond.
const CHECK_INTERVAL: u64 = 512;
/// Nodes between two checks while pages of the transposition table are untouched: then a node may wait for the system
/// to provide some. With this, and with idle threads that touch pages, the longest of fifteen stops in a new table of
/// 1 GiB took 21 ms, and up to 555 ms without (`util/touched_pages.rs`).
const UNTOUCHED_CHECK_INTERVAL: u64 = 32;

impl SearchState {
    /// The state of a thread that has not searched yet.
    pub(super) fn new(shared: Arc<Shared>, thread_id: usize) -> Self {
        Self {
            thread_id,
            shared,
            root: Root::default(),
            counters: Counters::default(),
            stop: StopConditions::none(),
            tablebases: TablebaseState::default(),
        }
    }

    /// Begins another search, from a root position.
    pub(super) fn begin(&mut self, job: &Job, root: &Position) {
        self.tablebases = TablebaseState { options: job.options.syzygy.clone(), root_is_solved: false };
        let moves = self.tablebases.rank_root_moves(root, &wanted_moves(root, &job.limits));
        let ranked = moves.iter().filter(|root_move| root_move.tablebase_rank.is_some()).count();
        self.counters = Counters { tbhits: ranked as u64, ..Counters::default() };
        self.stop = StopConditions::new(job, moves.len());
        self.root = Root::new(moves, job.pv_count(), root.is_draw(0));
    }

    /// Returns true for the main worker.
    pub(super) fn is_main(&self) -> bool {
        self.thread_id == 0
    }

    /// Publishes the counters.
    pub(super) fn publish(&self) {
        self.shared.publish(self.thread_id, self.counters.nodes, self.counters.tbhits);
    }

    /// An error if the search has to stop. Cheap: the flags and the clock are looked at once in [`CHECK_INTERVAL`]
    /// nodes, or in [`UNTOUCHED_CHECK_INTERVAL`].
    #[inline(always)]
    pub(super) fn check_stop(&mut self) -> Result<(), Aborted> {
        if self.counters.nodes >= self.stop.next_check && self.check_limits() { Err(Aborted) } else { Ok(()) }
    }

    /// Publishes the counters, and returns true if the search has to stop.
    #[cold]
    pub(super) fn check_limits(&mut self) -> bool {
        self.publish();
        let is_time_up = || self.stop.ends_at_ponderhit || self.stop.clock.is_hard_limit_reached();
        let is_over = || self.shared.control.is_stopped(self.stop.search_id) || !self.is_pondering() && is_time_up();
        let mut stop = if self.is_main() {
            (self.root.depth > 1 || self.counters.nodes >= UNSTOPPABLE_NODES) && is_over()
        } else {
            // On a busy machine a helper may run before the main worker does, and long after it has ended.
            self.shared.is_ended(self.stop.search_id) || is_over()
        };
        let interval = if self.shared.tt.is_touched() { CHECK_INTERVAL } else { UNTOUCHED_CHECK_INTERVAL };
        self.stop.next_check = self.counters.nodes + interval;
        if let Some(limit) = self.stop.nodes {
            let total = self.shared.nodes();
            stop |= total >= limit;
            // With one thread, the limit is met to the node.
            self.stop.next_check = self.stop.next_check.min(self.counters.nodes + limit.saturating_sub(total));
        }
        stop
    }

    /// Tells the main worker's current root move, number `move_count` of this PV.
    pub(super) fn show_current_move(&self, mv: Move, move_count: usize) {
        if self.is_main() {
            self.shared.set_current_move(mv, move_count + self.root.pv_index, self.root.depth);
        }
    }

    /// Returns true until the opponent has played the move that is pondered on.
    pub(super) fn is_pondering(&self) -> bool {
        self.stop.ponder && !self.shared.control.is_ponderhit(self.stop.search_id)
    }

    /// The score of a draw, varied by one unit so that the search does not see all draws as equal.
    // CITE: Stockfish, by way of Stash - draw scores that vary by one unit. Not measured here.
    #[inline]
    pub(super) fn draw_score(&self) -> Score {
        Score((self.counters.nodes & 2) as i32 - 1)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::{
        search::{Control, Limits, Worker},
        tt::TranspositionTable,
    };

    /// A helper that runs before the main worker does, as on a busy machine, still ends in time.
    #[test]
    fn a_helper_looks_at_the_clock() {
        let shared = Arc::new(Shared::new(TranspositionTable::new(1).unwrap(), Arc::new(Control::new()), 2));
        let mut helper = Worker::new(shared, 1).unwrap();
        let started = Instant::now().checked_sub(Duration::from_secs(2)).unwrap();
        for (millis, ends) in [(1000, true), (1_000_000, false)] {
            let limits = Limits { move_time: Some(millis), ..Limits::default() };
            helper.begin(&Job { started, ..Job::new(Position::startpos(), limits) });
            assert_eq!(helper.state.check_limits(), ends, "{millis}");
        }
        let limits = Limits { move_time: Some(1000), ponder: true, ..Limits::default() };
        helper.begin(&Job { started, ..Job::new(Position::startpos(), limits) });
        assert!(!helper.state.check_limits(), "time is not up while pondering");
    }
}
