//! Iterative deepening: the iterations of a search, and when to stop between two.

use super::{
    clock::IterationProgress,
    report::{DETAILS_FROM, OnReport},
    worker::{Aborted, Worker},
};
use crate::types::{Depth, Score};

impl Worker {
    /// Iterative deepening: searches to depth 1, 2, 3... until a limit is reached. Reports every iteration but the
    /// last, whose lines are the result's. Returns the last completed depth.
    // CITE: Jim Gillogly (Tech); David Slate and Larry Atkin (Chess 4.5).
    pub(super) fn iterative_deepening(&mut self, mut report: OnReport<'_>) -> Depth {
        let (mut best_move, mut stable_iterations) = (None, 0);
        for depth in 1..=self.stop.max_depth {
            self.root.begin_iteration(depth);
            let previous_score = self.root.moves[0].previous;
            if self.search_iteration(&mut report).is_err() {
                self.root.sort_searched();
                break;
            }
            self.root.completed = depth;
            let best = Some(self.root.moves[0].mv);
            stable_iterations = if best == best_move { stable_iterations + 1 } else { 0 };
            best_move = best;
            if self.thread_id == 0 {
                if self.is_last_iteration(previous_score, stable_iterations) {
                    break;
                }
                if let Some(report) = report.as_mut().filter(|_| depth < self.stop.max_depth) {
                    report(self.report(false));
                }
            }
        }
        self.root.completed
    }

    /// Returns true if no further iteration should be started.
    pub(super) fn is_last_iteration(&mut self, previous_score: Score, stable_iterations: u32) -> bool {
        let best = &self.root.moves[0];
        if let (Some(wanted), Some(found)) = (self.stop.mate, best.score.mate_moves())
            && found > 0
            && found as u32 <= wanted
        {
            return true;
        }
        let nodes = self.shared.nodes().max(self.counters.nodes);
        if self.stop.nodes.is_some_and(|limit| nodes >= limit) {
            return true;
        }
        if self.stop.infinite {
            return false;
        }
        let known = previous_score != -Score::INFINITE && !previous_score.is_decisive();
        let drop = if known { previous_score - best.score } else { 0 };
        let progress = IterationProgress {
            best_move_share: best.nodes as f64 / self.counters.nodes.max(1) as f64,
            stable_iterations,
            score_drop: drop,
        };
        let is_reached =
            self.stop.soft_nodes.is_some_and(|limit| nodes >= limit) || self.stop.clock.is_soft_limit_reached(progress);
        if self.is_pondering() {
            // CITE: Stockfish - `stopOnPonderhit`.
            self.stop.ends_at_ponderhit = is_reached;
            return false;
        }
        is_reached
    }

    /// Searches the root to the depth of this iteration, once for each PV of a MultiPV search. One that takes long
    /// reports each PV, the last one's report being the iteration's.
    fn search_iteration(&mut self, report: &mut OnReport<'_>) -> Result<(), Aborted> {
        for pv_index in 0..self.root.multi_pv {
            self.root.pv_index = pv_index;
            self.counters.seldepth = 0;
            self.aspiration_search(report)?;
            self.root.sort_searched();
            if pv_index + 1 < self.root.multi_pv {
                self.report_details(report, false);
            }
        }
        Ok(())
    }

    /// Reports from within a long iteration. With `open`, the current PV has failed high or low.
    pub(super) fn report_details(&mut self, report: &mut OnReport<'_>, open: bool) {
        if self.thread_id == 0
            && let Some(report) = report
            && self.stop.clock.elapsed() >= DETAILS_FROM
        {
            report(self.report(open));
        }
    }
}
