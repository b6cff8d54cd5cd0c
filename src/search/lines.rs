//! The lines and the report of a search, from its root moves.

use std::slice;

use super::{
    report::{Line, SearchReport},
    root::RootMove,
    worker::Worker,
};
use crate::{attacks::Sliders, eval::evaluate, types::Bound};

impl<S: Sliders> Worker<S> {
    /// What the search has found so far. With `open`, the current PV has the bound that it has just failed with.
    pub(super) fn report(&mut self, open: bool) -> SearchReport {
        self.shared.publish(self.thread_id, self.counters.nodes, self.counters.tbhits);
        let lines = self.lines(open.then_some(self.root.pv_index));
        self.shared.report(self.root.completed, lines, self.stop.clock.elapsed())
    }

    /// The lines in the order of the root moves, each with its last exact score, but `open` with its bound.
    ///
    /// Scores of two iterations need not be in order. The order is right, as it is that of the later one: a move whose
    /// fail high is all that puts it above another is shown with as much of it as that takes, and a move that the
    /// iteration has not searched as a PV is shown with no more than the score of the line above. No move is shown with
    /// the mate of another, but with a bound.
    pub(super) fn lines(&mut self, open: Option<usize>) -> Vec<Line> {
        let (depth, seldepth) = (self.root.depth, self.counters.seldepth.max(1));
        let moves = &self.root.moves[..self.root.multi_pv];
        let mut lines: Vec<Line> = Vec::with_capacity(moves.len());
        for (index, root_move) in moves.iter().enumerate() {
            let line = match open {
                Some(open) if open == index => root_move.current_line(depth, seldepth),
                _ => self.proven_mate(root_move).or_else(|| root_move.settled_line(depth, seldepth)),
            };
            lines.push(line.unwrap_or_else(|| {
                let score = evaluate(&self.position, &mut self.accumulators);
                Line::new(1, 1, score, Bound::Exact, root_move.pv.clone())
            }));
        }
        for index in (1..lines.len()).rev() {
            let (above, below) = (&moves[index - 1], lines[index].score);
            if lines[index - 1].score < below
                && lines[index - 1].bound == Bound::Exact
                && above.bound == Bound::Lower
                && let Some(line) = above.current_line(depth, seldepth)
            {
                let score = line.score.min(below);
                let bound = if score.is_mate() { Bound::Lower } else { Bound::Exact };
                lines[index - 1] = Line { score, searched_score: score, bound, ..line };
            }
        }
        for index in 1..lines.len() {
            let above = lines[index - 1].score;
            let line = &mut lines[index];
            if above < line.score {
                (line.score, line.searched_score) = (above, above);
                line.bound = if above.is_mate() { Bound::Upper } else { line.bound };
            }
        }
        lines.into_iter().zip(&self.root.moves).map(|(line, root_move)| self.with_verdict(line, root_move)).collect()
    }

    /// The line of a fail high that is a mate, if the moves up to the mate are known.
    fn proven_mate(&self, root_move: &RootMove) -> Option<Line> {
        let is_mate = root_move.bound == Bound::Lower && root_move.score.is_mate();
        let mut line = root_move.current_line(self.root.depth, self.counters.seldepth.max(1)).filter(|_| is_mate)?;
        self.shared.complete_pvs(&self.position, slice::from_mut(&mut line));
        (line.bound == Bound::Exact).then_some(line)
    }
}
