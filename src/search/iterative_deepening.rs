//! A search from its job to its result: iterative deepening, and when to stop between two iterations.

use super::{
    aspiration::aspiration_search,
    clock::IterationProgress,
    job::Job,
    lines::{current_report, report_details, shown_lines, with_known_result},
    report::{Line, OnReport, SearchResult},
    search_state::{Aborted, SearchState},
    worker::Worker,
};
use crate::types::{Bound, Depth, Score};

impl Worker {
    /// Searches until a limit is reached or the search is stopped. The main worker passes what it finds on the way to
    /// `on_report`; the last lines are in the result. A search that has reached the maximum depth returns even if it is
    /// infinite or pondering: the caller has to wait before it answers.
    pub fn search(&mut self, job: &Job, on_report: OnReport<'_>) -> SearchResult {
        self.begin(job);
        if self.state.root.moves.is_empty() {
            let score = if self.tree.position.in_check() { Score::mated_in(0) } else { Score::ZERO };
            self.state.shared.end(self.state.stop.search_id);
            let thread_id = self.state.thread_id;
            return SearchResult { thread_id, score, bound: Bound::Exact, depth: 0, nodes: 0, lines: Vec::new() };
        }
        let depth = iterative_deepening(self, on_report);
        if self.state.is_main() {
            self.state.shared.end(self.state.stop.search_id);
        }
        self.state.publish();
        let lines = shown_lines(self, None);
        let best = &self.state.root.moves[0];
        let (score, bound) = match best.last_score() {
            // The first iteration was aborted before the move had a score.
            (score, _) if score == -Score::INFINITE => (lines[0].score, lines[0].bound),
            last => last,
        };
        let line = Line::new(depth, 1, score, bound, best.pv.clone());
        let Line { score, bound, .. } = with_known_result(&self.tree.position, &self.state, line, best);
        SearchResult { thread_id: self.state.thread_id, score, bound, depth, nodes: self.state.counters.nodes, lines }
    }
}

/// Iterative deepening: searches to depth 1, 2, 3... until a limit is reached. Reports every iteration but the last,
/// whose lines are the result's. Returns the last completed depth.
// CITE: Jim Gillogly (Tech); David Slate and Larry Atkin (Chess 4.5).
fn iterative_deepening(worker: &mut Worker, mut on_report: OnReport<'_>) -> Depth {
    let (mut best_move, mut stable_iterations) = (None, 0);
    for depth in 1..=worker.state.stop.max_depth {
        worker.state.root.begin_iteration(depth);
        let previous_score = worker.state.root.moves[0].previous;
        if search_iteration(worker, &mut on_report).is_err() {
            worker.state.root.sort_searched();
            break;
        }
        worker.state.root.completed_depth = depth;
        let best = Some(worker.state.root.moves[0].mv);
        stable_iterations = if best == best_move { stable_iterations + 1 } else { 0 };
        best_move = best;
        if worker.state.is_main() {
            if end_iteration(&mut worker.state, previous_score, stable_iterations) {
                break;
            }
            if let Some(on_report) = on_report.as_mut().filter(|_| depth < worker.state.stop.max_depth) {
                on_report(current_report(worker, false));
            }
        }
    }
    worker.state.root.completed_depth
}

/// Searches the root to the depth of this iteration, once for each PV of a MultiPV search. One that takes long reports
/// each PV, the last one's report being the iteration's.
fn search_iteration(worker: &mut Worker, on_report: &mut OnReport<'_>) -> Result<(), Aborted> {
    let count = worker.state.root.pv_count;
    for pv_index in 0..count {
        worker.state.root.pv_index = pv_index;
        worker.state.counters.seldepth = 0;
        aspiration_search(worker, on_report)?;
        worker.state.root.sort_searched();
        if pv_index + 1 < count {
            report_details(worker, on_report, false);
        }
    }
    Ok(())
}

/// Decides after an iteration: returns true if no further one should be started. While pondering, only notes that one
/// should not.
fn end_iteration(state: &mut SearchState, previous_score: Score, stable_iterations: u32) -> bool {
    let best = &state.root.moves[0];
    if let (Some(wanted), Some(found)) = (state.stop.mate, best.score.mate_moves())
        && found > 0
        && found as u32 <= wanted
    {
        return true;
    }
    let nodes = state.shared.nodes().max(state.counters.nodes);
    if state.stop.nodes.is_some_and(|limit| nodes >= limit) {
        return true;
    }
    if state.stop.infinite {
        return false;
    }
    let known = previous_score != -Score::INFINITE && !previous_score.is_decisive();
    let progress = IterationProgress {
        best_move_share: best.nodes as f64 / state.counters.nodes.max(1) as f64,
        stable_iterations,
        score_drop: if known { previous_score - best.score } else { 0 },
    };
    let is_reached =
        state.stop.soft_nodes.is_some_and(|limit| nodes >= limit) || state.stop.clock.is_soft_limit_reached(progress);
    if state.is_pondering() {
        // CITE: Stockfish - `stopOnPonderhit`.
        state.stop.ends_at_ponderhit = is_reached;
        return false;
    }
    is_reached
}

#[cfg(test)]
mod tests {
    use std::{
        sync::Arc,
        time::{Duration, Instant},
    };

    use super::*;
    use crate::{
        position::Position,
        search::{Control, Limits, Shared},
        tt::TranspositionTable,
    };

    /// After ten seconds of pondering the soft limit of two seconds has passed, and the hard limit of forty-five has
    /// not. A soft node limit works the same way.
    #[test]
    fn a_ponderhit_after_the_soft_limit_ends_the_search() {
        for (pondered, soft_nodes, ends) in [(10, None, true), (0, None, false), (0, Some(1000), true)] {
            let shared = Arc::new(Shared::new(TranspositionTable::new(1).unwrap(), Arc::new(Control::new()), 1));
            let mut worker = Worker::new(shared.clone(), 0).unwrap();
            let limits = Limits { ponder: true, time: [Some(100_000); 2], soft_nodes, ..Limits::default() };
            let started = Instant::now().checked_sub(Duration::from_secs(pondered)).unwrap();
            worker.begin(&Job { started, ..Job::new(Position::startpos(), limits) });
            let state = &mut worker.state;
            state.counters.nodes = 1_000_000;
            state.root.depth = 12;
            state.root.moves[0].nodes = state.counters.nodes;
            state.root.moves[0].score = Score::ZERO;
            assert!(!end_iteration(state, Score::ZERO, 9) && !state.check_limits(), "still pondering");
            shared.control.ponderhit(1);
            assert_eq!(state.check_limits(), ends, "after {pondered} s, {soft_nodes:?} nodes");
        }
    }
}
