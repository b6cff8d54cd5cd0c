//! Per-thread search state.

use std::{io, sync::Arc};

use super::{
    job::{Job, SyzygyOptions},
    report::{Line, OnReport, SearchResult},
    root::{Root, wanted_moves},
    shared::Shared,
    stack::Stack,
    stop_conditions::StopConditions,
};
use crate::{
    attacks::Lookup,
    history::Histories,
    nnue::Accumulators,
    position::Position,
    types::{Bound, Move, Piece, PieceType, Score},
};

/// One thread of a lazy SMP search: everything that it writes to but the [`Shared`] state.
pub struct Worker {
    /// 0 is the main worker: only it begins no iteration after a soft limit, and reports.
    pub(super) thread_id: usize,
    pub(super) shared: Arc<Shared>,
    pub(super) position: Position,
    pub(super) accumulators: Accumulators,
    pub(super) histories: Box<Histories>,
    pub(super) stack: Stack,
    pub(super) root: Root,
    pub(super) counters: Counters,
    pub(super) stop: StopConditions,
    pub(super) tablebases: TablebaseState,
    /// The least ply at which a null move is tried; nonzero only during the verification search of null move pruning.
    pub(super) nmp_min_ply: usize,
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

/// The use of tablebases in one search.
#[derive(Default)]
pub(super) struct TablebaseState {
    pub(super) options: SyzygyOptions,
    /// True if the ranks of the root moves tell all that inner nodes could be probed for.
    pub(super) root_is_solved: bool,
}

/// Neither a stop nor the hard time limit aborts the first iteration before this many nodes, so that the move is not
/// random: four times what the iteration takes in any of the bench positions. With a dozen queens it takes millions.
// CITE: own, not measured.
const UNSTOPPABLE_NODES: u64 = 20_000;

/// Nodes between two checks of the flags and the clock: well under a millisecond.
const CHECK_INTERVAL: u64 = 512;
/// The same while pages of the transposition table are untouched: then a node may wait for the system to provide some.
const UNTOUCHED_CHECK_INTERVAL: u64 = 32;

impl Worker {
    /// Worker `thread_id` of those that share `shared`.
    ///
    /// # Errors
    /// If there is not enough memory for the histories and the stack.
    pub fn new(shared: Arc<Shared>, thread_id: usize) -> io::Result<Self> {
        Lookup::detect();
        Ok(Self {
            thread_id,
            accumulators: Accumulators::new(shared.network.clone()),
            shared,
            position: Position::startpos(),
            histories: Histories::new()?,
            stack: Stack::new()?,
            root: Root::default(),
            counters: Counters::default(),
            stop: StopConditions::none(),
            tablebases: TablebaseState::default(),
            nmp_min_ply: 0,
        })
    }

    /// Clears the histories, for a new game.
    pub fn new_game(&mut self) {
        self.histories.clear();
    }

    /// Replaces the shared state.
    pub fn set_shared(&mut self, shared: Arc<Shared>) {
        self.shared = shared;
    }

    /// Searches until a limit is reached or the search is stopped. The main worker passes what it finds on the way to
    /// `report`; the last lines are in the result. A search that has reached the maximum depth returns even if it is
    /// infinite or pondering: the caller has to wait before it answers.
    pub fn search(&mut self, job: &Job, report: OnReport<'_>) -> SearchResult {
        self.prepare(job);
        if self.root.moves.is_empty() {
            let score = if self.position.in_check() { Score::mated_in(0) } else { Score::ZERO };
            self.shared.end(self.stop.search_id);
            let worker = self.thread_id;
            return SearchResult { worker, score, bound: Bound::Exact, depth: 0, nodes: 0, lines: Vec::new() };
        }
        let depth = self.iterative_deepening(report);
        if self.thread_id == 0 {
            self.shared.end(self.stop.search_id);
        }
        self.shared.publish(self.thread_id, self.counters.nodes, self.counters.tbhits);
        let lines = self.lines(None);
        let best = &self.root.moves[0];
        let (score, bound) = match best.last_score() {
            // The first iteration was aborted before the move had a score.
            (score, _) if score == -Score::INFINITE => (lines[0].score, lines[0].bound),
            last => last,
        };
        let Line { score, bound, .. } = self.with_verdict(Line::new(depth, 1, score, bound, best.pv.clone()), best);
        SearchResult { worker: self.thread_id, score, bound, depth, nodes: self.counters.nodes, lines }
    }

    /// Resets the state of the previous search: the main worker what all of them share, each its own.
    pub(super) fn prepare(&mut self, job: &Job) {
        if self.thread_id == 0 {
            self.shared.begin();
        }
        self.position.clone_from(&job.position);
        self.accumulators.set_network(&self.shared.network);
        self.stack.clear();
        self.histories.age();
        self.counters = Counters::default();
        self.nmp_min_ply = 0;
        self.tablebases = TablebaseState { options: job.options.syzygy.clone(), root_is_solved: false };
        let moves = self.rank_by_tablebases(&wanted_moves(&self.position, &job.limits));
        self.stop = StopConditions::new(job, moves.len());
        self.root = Root::new(moves, job.searched_lines(), self.position.is_draw(0));
    }

    /// An error if the search has to stop. Cheap: the flags and the clock are looked at once in [`CHECK_INTERVAL`]
    /// nodes, or in [`UNTOUCHED_CHECK_INTERVAL`].
    #[inline(always)]
    pub(super) fn check_stop(&mut self) -> Result<(), Aborted> {
        if self.counters.nodes >= self.stop.next_check && self.check_limits() { Err(Aborted) } else { Ok(()) }
    }

    /// Publishes the counters, and returns true if the search has to stop.
    #[cold]
    fn check_limits(&mut self) -> bool {
        self.shared.publish(self.thread_id, self.counters.nodes, self.counters.tbhits);
        let is_time_up = || self.stop.ends_at_ponderhit || self.stop.clock.is_hard_limit_reached();
        let is_over = || self.shared.control.is_stopped(self.stop.search_id) || !self.is_pondering() && is_time_up();
        let mut stop = match self.thread_id {
            0 => (self.root.depth > 1 || self.counters.nodes >= UNSTOPPABLE_NODES) && is_over(),
            // On a busy machine a helper may run before the main worker does, and long after it has ended.
            _ => self.shared.is_ended(self.stop.search_id) || is_over(),
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

    /// Returns true until the opponent has played the move that is pondered on.
    pub(super) fn is_pondering(&self) -> bool {
        self.stop.ponder && !self.shared.control.is_ponderhit(self.stop.search_id)
    }

    /// The piece moved by a move of the current position.
    #[inline(always)]
    pub(super) fn moved_piece(&self, mv: Move) -> Option<Piece> {
        self.position.piece_at(mv.from())
    }

    /// The type of the piece captured by a move of the current position.
    #[inline(always)]
    pub(super) fn captured_type(&self, mv: Move) -> Option<PieceType> {
        if mv.is_en_passant() {
            return Some(PieceType::Pawn);
        }
        if !mv.is_capture() {
            return None;
        }
        self.position.piece_at(mv.to()).map(Piece::piece_type)
    }

    /// Makes a move at `ply`, runs `search` on the child, and unmakes the move.
    #[inline(always)]
    pub(super) fn after_move<T>(&mut self, mv: Move, ply: usize, search: impl FnOnce(&mut Self) -> T) -> T {
        self.make(mv, ply);
        let result = search(self);
        self.position.unmake();
        result
    }

    #[inline]
    fn make(&mut self, mv: Move, ply: usize) {
        let change = self.position.change_of(mv);
        self.shared.tt.prefetch(self.position.tt_key_after(&change));
        let entry = &mut self.stack[ply];
        entry.mv = Some(mv);
        entry.moved = Some((change.from.0, mv.to()));
        self.position.make_change(change);
        self.histories.correction.prefetch(&self.correction_keys(ply + 1));
        self.counters.nodes += 1;
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

    use super::{
        super::{Control, Limits},
        *,
    };
    use crate::tt::TranspositionTable;

    /// A helper that runs before the main worker does, on a busy machine, ends in time all the same.
    #[test]
    fn a_helper_looks_at_the_clock() {
        let shared = Arc::new(Shared::new(TranspositionTable::new(1).unwrap(), Arc::new(Control::new()), 2));
        let mut helper = Worker::new(shared, 1).unwrap();
        let started = Instant::now().checked_sub(Duration::from_secs(2)).unwrap();
        for (millis, ends) in [(1000, true), (1_000_000, false)] {
            let limits = Limits { move_time: Some(millis), ..Limits::default() };
            helper.prepare(&Job { started, ..Job::new(Position::startpos(), limits) });
            assert_eq!(helper.check_limits(), ends, "{millis}");
        }
        let limits = Limits { move_time: Some(1000), ponder: true, ..Limits::default() };
        helper.prepare(&Job { started, ..Job::new(Position::startpos(), limits) });
        assert!(!helper.check_limits(), "time is not up while pondering");
    }

    /// After ten seconds of pondering, the soft time limit of some two seconds has been reached, the hard one of
    /// forty-five not. A soft node limit counts alike.
    #[test]
    fn a_ponderhit_after_the_soft_limit_ends_the_search() {
        for (pondered, soft_nodes, ends) in [(10, None, true), (0, None, false), (0, Some(1000), true)] {
            let shared = Arc::new(Shared::new(TranspositionTable::new(1).unwrap(), Arc::new(Control::new()), 1));
            let mut worker = Worker::new(shared.clone(), 0).unwrap();
            let limits = Limits { ponder: true, time: [Some(100_000); 2], soft_nodes, ..Limits::default() };
            let started = Instant::now().checked_sub(Duration::from_secs(pondered)).unwrap();
            worker.prepare(&Job { started, ..Job::new(Position::startpos(), limits) });
            worker.counters.nodes = 1_000_000;
            worker.root.depth = 12;
            worker.root.moves[0].nodes = worker.counters.nodes;
            worker.root.moves[0].score = Score::ZERO;
            assert!(!worker.is_last_iteration(Score::ZERO, 9) && !worker.check_limits(), "still pondering");
            shared.control.ponderhit(1);
            assert_eq!(worker.check_limits(), ends, "after {pondered} s, {soft_nodes:?} nodes");
        }
    }
}
