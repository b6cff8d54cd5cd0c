//! Iterative deepening with aspiration windows.

use super::{node::Root, report::SearchReport, worker::Worker};
use crate::{
    attacks::Sliders,
    clock::IterationProgress,
    eval::evaluate,
    params::aspiration_window,
    tt::Bound,
    types::{Depth, Move, Score},
};

/// Receives the reports of a search; without one, none is made.
pub(super) type Report<'a> = Option<&'a mut dyn FnMut(SearchReport)>;

/// Scores that left the window are reported only in searches of at least this many nodes: nobody reads them before.
const REPORT_BOUNDS_FROM: u64 = 5_000_000;

impl<S: Sliders> Worker<S> {
    /// Searches deeper and deeper until a limit is met; the last completed depth.
    pub(super) fn iterative_deepening(&mut self, mut report: Report<'_>) -> Depth {
        let mut completed = 0;
        let mut stable = (None, 0);
        let mut reported: Option<(Vec<Move>, Score)> = None;
        for depth in 1..=self.max_depth() {
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
                root_move.score = -Score::INFINITE;
                root_move.bound = Bound::Upper;
            }
            let before = self.root_moves[0].previous;
            for pv_index in 0..self.multi_pv {
                self.pv_index = pv_index;
                self.seldepth = 0;
                self.aspiration_search(&mut report);
                if self.stopped {
                    break;
                }
            }
            self.root_moves[..self.multi_pv].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            if self.stopped {
                break;
            }
            completed = depth;
            if self.thread_id == 0 {
                self.report_lines(&mut report);
                reported = Some((self.root_moves[0].pv.clone(), self.root_moves[0].score));
            }
            let best = self.root_moves[0].mv;
            stable = if stable.0 == Some(best) { (stable.0, stable.1 + 1) } else { (Some(best), 0) };
            if self.thread_id == 0 && self.is_last_iteration(before, stable.1) {
                break;
            }
        }
        if self.thread_id == 0 {
            self.report_end(reported, report);
        }
        completed
    }

    /// Whether this iteration was the last worth its time.
    fn is_last_iteration(&mut self, before: Score, stable_iterations: u32) -> bool {
        let best = &self.root_moves[0];
        if let (Some(wanted), Some(found)) = (self.limits.mate, best.score.mate_moves())
            && found > 0
            && found as u32 <= wanted
        {
            return true;
        }
        let enough = self.limits.nodes.into_iter().chain(self.limits.soft_nodes).min();
        if enough.is_some_and(|limit| self.shared.nodes().max(self.nodes) >= limit) {
            return true;
        }
        if self.is_pondering() || self.limits.infinite {
            return false;
        }
        let drop = if before == -Score::INFINITE || before.is_decisive() { 0 } else { before - best.score };
        let progress = IterationProgress {
            best_move_share: best.nodes as f64 / self.nodes.max(1) as f64,
            stable_iterations,
            score_drop: drop.clamp(-200, 200),
        };
        self.clock.is_soft_limit_reached(progress)
    }

    /// Searches the root with a window around the last score, widening it until the score lies inside.
    fn aspiration_search(&mut self, report: &mut Report<'_>) {
        let depth = self.root_depth;
        let previous = self.root_moves[self.pv_index].previous;
        let mut delta = aspiration_window();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= 5 && !previous.is_decisive() {
            (alpha, beta) = (aspiration_alpha(previous, delta), aspiration_beta(previous, delta));
        }
        let mut reduction = 0;
        loop {
            let score = self.search_node::<Root>(alpha, beta, (depth - reduction).max(1), 0, false);
            self.root_moves[self.pv_index..].sort_by_key(|mv| std::cmp::Reverse((mv.score, mv.previous)));
            if self.stopped {
                return;
            }
            let bound = if score <= alpha {
                beta = Score((alpha.0 + beta.0) / 2);
                alpha = aspiration_alpha(score, delta);
                reduction = 0;
                Bound::Upper
            } else if score >= beta {
                beta = aspiration_beta(score, delta);
                reduction = (reduction + 1).min(3);
                Bound::Lower
            } else {
                return;
            };
            if self.thread_id == 0
                && self.multi_pv == 1
                && self.nodes >= REPORT_BOUNDS_FROM
                && let Some(report) = report
            {
                report(self.report_line(0, score, bound));
            }
            delta += delta / 2;
        }
    }

    fn report_lines(&self, report: &mut Report<'_>) {
        let Some(report) = report else { return };
        for index in 0..self.multi_pv {
            report(self.report_line(index, self.root_moves[index].score, Bound::Exact));
        }
    }

    /// Makes sure that something was reported, and that the last report is of the move that will be played.
    fn report_end(&mut self, reported: Option<(Vec<Move>, Score)>, report: Report<'_>) {
        let Some(report) = report else { return };
        let best = &self.root_moves[0];
        let (score, bound) = match best.last_score() {
            (score, _) if score == -Score::INFINITE => (evaluate(&self.position, &mut self.accumulators), Bound::Exact),
            known => known,
        };
        if reported.is_none_or(|(pv, _)| pv != best.pv) {
            report(self.report_line(0, score, bound));
        }
    }

    fn report_line(&self, index: usize, score: Score, bound: Bound) -> SearchReport {
        SearchReport {
            depth: self.root_depth,
            seldepth: self.seldepth,
            multipv: index + 1,
            score: self.displayed_score(score),
            bound,
            nodes: self.shared.nodes().max(self.nodes),
            time: self.clock.elapsed(),
            hashfull: self.shared.tt.hashfull(),
            tbhits: self.shared.tbhits().max(self.tbhits),
            pv: self.root_moves[index].pv.clone(),
        }
    }
}

/// The lower end of a window; beyond the range of estimates it opens fully, since proofs lie far apart.
fn aspiration_alpha(score: Score, delta: i32) -> Score {
    let end = score - delta;
    if end < -Score::MAX_EVAL || delta > 800 { -Score::INFINITE } else { end }
}

/// The upper end of a window.
fn aspiration_beta(score: Score, delta: i32) -> Score {
    let end = score + delta;
    if end > Score::MAX_EVAL || delta > 800 { Score::INFINITE } else { end }
}
