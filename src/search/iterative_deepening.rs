//! Iterative deepening: the iterations of a search, and their reports.

use super::{control::Aborted, report::SearchReport, worker::Worker};
use crate::{
    attacks::Sliders,
    clock::IterationProgress,
    eval::evaluate,
    tt::Bound,
    types::{Depth, Move, Score},
};

/// Receives the reports of a search, if anyone does.
pub(super) type Report<'a> = Option<&'a mut dyn FnMut(SearchReport)>;

impl<S: Sliders> Worker<S> {
    /// Iterative deepening: searches to depth 1, 2, 3... until a limit is reached. Returns the last completed depth.
    // CITE: Jim Gillogly (Tech); David Slate and Larry Atkin (Chess 4.5).
    pub(super) fn iterative_deepening(&mut self, mut report: Report<'_>) -> Depth {
        let mut completed = 0;
        let (mut best_move, mut stable_iterations) = (None, 0);
        let mut reported: Option<Vec<Move>> = None;
        for depth in 1..=self.max_depth() {
            self.root.depth = depth;
            for root_move in &mut self.root.moves {
                root_move.previous = root_move.score;
                root_move.score = -Score::INFINITE;
                root_move.bound = Bound::Upper;
            }
            let previous_score = self.root.moves[0].previous;
            let searched = self.search_iteration(&mut report);
            self.root.moves[..self.root.multi_pv].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            if searched.is_err() {
                break;
            }
            completed = depth;
            if self.thread_id == 0 {
                self.report_pvs(&mut report);
                reported = Some(self.root.moves[0].pv.clone());
            }
            let best = Some(self.root.moves[0].mv);
            stable_iterations = if best == best_move { stable_iterations + 1 } else { 0 };
            best_move = best;
            if self.thread_id == 0 && self.is_last_iteration(previous_score, stable_iterations) {
                break;
            }
        }
        if self.thread_id == 0 {
            self.report_end(reported, report);
        }
        completed
    }

    /// Returns true if no further iteration should be started.
    pub(super) fn is_last_iteration(&mut self, previous_score: Score, stable_iterations: u32) -> bool {
        let best = &self.root.moves[0];
        if let (Some(wanted), Some(found)) = (self.stop.limits.mate, best.score.mate_moves())
            && found > 0
            && found as u32 <= wanted
        {
            return true;
        }
        let enough = self.stop.limits.nodes.into_iter().chain(self.stop.limits.soft_nodes).min();
        if enough.is_some_and(|limit| self.shared.nodes().max(self.counters.nodes) >= limit) {
            return true;
        }
        if self.stop.limits.infinite {
            return false;
        }
        let known = previous_score != -Score::INFINITE && !previous_score.is_decisive();
        let drop = if known { previous_score - best.score } else { 0 };
        let progress = IterationProgress {
            best_move_share: best.nodes as f64 / self.counters.nodes.max(1) as f64,
            stable_iterations,
            score_drop: drop,
        };
        let is_reached = self.stop.clock.is_soft_limit_reached(progress);
        if self.is_pondering() {
            // CITE: Stockfish - `stopOnPonderhit`.
            self.stop.ends_at_ponderhit = is_reached;
            return false;
        }
        is_reached
    }

    /// Searches the root to the depth of this iteration, once for each PV of a MultiPV search.
    fn search_iteration(&mut self, report: &mut Report<'_>) -> Result<(), Aborted> {
        for pv_index in 0..self.root.multi_pv {
            self.root.pv_index = pv_index;
            self.counters.seldepth = 0;
            self.aspiration_search(report)?;
        }
        Ok(())
    }

    /// Reports all PVs of a completed iteration.
    fn report_pvs(&self, report: &mut Report<'_>) {
        let Some(report) = report else { return };
        for index in 0..self.root.multi_pv {
            report(self.new_report(index, self.root.moves[index].score, Bound::Exact));
        }
    }

    /// Reports the PV again if it is not the one that was reported last, after an aborted iteration.
    fn report_end(&mut self, reported: Option<Vec<Move>>, report: Report<'_>) {
        let Some(report) = report else { return };
        let best = &self.root.moves[0];
        let (score, bound) = match best.last_score() {
            (score, _) if score == -Score::INFINITE => (evaluate(&self.position, &mut self.accumulators), Bound::Exact),
            known => known,
        };
        if reported.is_none_or(|pv| pv != best.pv) {
            report(self.new_report(0, score, bound));
        }
    }

    pub(super) fn new_report(&self, index: usize, score: Score, bound: Bound) -> SearchReport {
        SearchReport {
            depth: self.root.depth,
            // A search that is stopped at once has not reached the moves of the root.
            seldepth: self.counters.seldepth.max(1),
            multipv: index + 1,
            score: self.displayed_score(score),
            bound,
            nodes: self.shared.nodes().max(self.counters.nodes),
            time: self.stop.clock.elapsed(),
            hashfull: self.shared.tt.hashfull(),
            tbhits: self.shared.tbhits().max(self.counters.tbhits),
            pv: self.root.moves[index].pv.clone(),
        }
    }
}
