//! Syzygy tablebases in the search: ranks of root moves, and WDL probes of inner nodes.

use super::{
    node::{Node, NodeKind},
    report::Line,
    root::RootMove,
    worker::Worker,
};
use crate::{
    attacks::Sliders,
    outcome::Outcome,
    params,
    syzygy::{Ranking, Wdl},
    types::{Bound, CastlingRights, Depth, Move, MoveList, Score},
};

/// The score of a win that the fifty-move rule turns into a draw: better than a draw, which the opponent may miss.
// CITE: Stockfish.
const CURSED_WIN: Score = Score(2);

impl<S: Sliders> Worker<S> {
    /// The root moves. If the root is in the tablebases, they are ranked by result and DTZ, best first, and inner nodes
    /// are probed only if the root is won and a DTZ table is missing: there a win is no progress by itself, but a
    /// capture or pawn move that keeps it is.
    // CITE: Stockfish.
    pub(super) fn rank_root_moves(&mut self, moves: &MoveList) -> Vec<RootMove> {
        let options = &self.tablebases.options;
        let tables = options.tablebases_for(self.position.board().occupied().len());
        let ranking = tables.and_then(|tables| tables.rank_root_moves(&self.position, moves, options.fifty_move_rule));
        let Some(Ranking { moves, has_dtz }) = ranking else {
            return moves.iter().map(|&mv| RootMove::new(mv, None)).collect();
        };
        self.counters.tbhits += moves.len() as u64;
        let is_won = moves.first().is_some_and(|(_, rank)| rank.result == Wdl::Win);
        self.tablebases.root_is_solved = has_dtz || !is_won;
        moves.into_iter().map(|(mv, rank)| RootMove::new(mv, Some(rank))).collect()
    }

    /// The line of a root move as it is reported: with the result by the rules or by the tablebases, unless the search
    /// has found a mate. A cursed win or blessed loss is a draw.
    pub(super) fn with_verdict(&self, line: Line, root_move: &RootMove) -> Line {
        let searched = line.score;
        let line = Line { tablebase_order: root_move.tablebase_order(), searched_score: searched, ..line };
        let draw = |line| Line { score: Score::ZERO, bound: Bound::Exact, is_draw: true, ..line };
        if self.root.is_draw && !(self.position.is_fifty_move_draw() && searched.is_mate()) {
            return draw(line);
        }
        match root_move.tablebase_rank {
            Some(rank) if !searched.is_mate() => match self.tablebase_score(rank.result, 0).0 {
                score if score.is_decisive() => Line { score, bound: Bound::Exact, ..line },
                _ => draw(line),
            },
            None if line.bound == Bound::Exact && searched.0.abs() <= CURSED_WIN.0 && self.ends_in_draw(&line.pv) => {
                draw(line)
            }
            // The search varies the scores of draws: see `draw_score`. As far from zero as what is shown as a draw
            // above, or the lines would be out of order.
            _ if searched.0.abs() <= CURSED_WIN.0 => Line { score: Score::ZERO, ..line },
            _ => line,
        }
    }

    /// Returns true if the line ends in a draw by the rules or by the tablebases.
    fn ends_in_draw(&self, pv: &[Move]) -> bool {
        let mut end = self.position.clone();
        pv.iter().for_each(|&mv| end.make(mv));
        let options = &self.tablebases.options;
        let tables = options.tablebases_for(end.board().occupied().len());
        let is_drawn = |result| !self.tablebase_score(result, 0).0.is_decisive();
        end.outcome() == Some(Outcome::Draw) || tables.and_then(|tables| tables.probe_wdl(&end)).is_some_and(is_drawn)
    }

    /// The score and bound of a tablebase result at `ply`: a tablebase win is a lower bound, as it may be a mate.
    fn tablebase_score(&self, result: Wdl, ply: usize) -> (Score, Bound) {
        let fifty_move_rule = self.tablebases.options.fifty_move_rule;
        match result {
            Wdl::CursedWin if fifty_move_rule => (CURSED_WIN, Bound::Exact),
            Wdl::BlessedLoss if fifty_move_rule => (-CURSED_WIN, Bound::Exact),
            Wdl::Draw => (Score::ZERO, Bound::Exact),
            Wdl::Win | Wdl::CursedWin => (Score::TB_WIN - ply as i32, Bound::Lower),
            Wdl::Loss | Wdl::BlessedLoss => (-Score::TB_WIN + ply as i32, Bound::Upper),
        }
    }

    /// The score of the tablebases if it ends the node; otherwise it bounds the node's.
    pub(super) fn tablebase_cutoff<N: NodeKind>(&mut self, node: &mut Node) -> Option<Score> {
        if N::ROOT || node.excluded.is_some() {
            return None;
        }
        let window = node.window;
        let (score, bound) = self.probe_tablebases(node.depth, node.ply)?;
        // In a PV node, a loss inside the window may yet be a longer or shorter one.
        if bound.allows_cutoff(score, window.beta) && (!N::PV || bound != Bound::Upper || window.fails_low(score)) {
            // As if it came from a deeper search.
            self.store(node, None, Some((score, bound)), node.depth + params::tablebase_depth_bonus());
            return Some(score);
        }
        match bound {
            Bound::Lower => {
                node.tablebase_bounds.0 = score;
                node.window.alpha = window.alpha.max(score);
            }
            // An exact score always ends the node.
            Bound::Upper | Bound::Exact => node.tablebase_bounds.1 = score,
        }
        None
    }

    /// Probes the WDL tables at an inner node. Only right after a capture or pawn move, because the tables assume a
    /// fifty-move counter of zero; and not if the root is solved, where the search has to make progress.
    // CITE: Stockfish - when to probe, bounds of the result, and the depth under which it is stored.
    fn probe_tablebases(&mut self, depth: Depth, ply: usize) -> Option<(Score, Bound)> {
        let board = self.position.board();
        let pieces = board.occupied().len();
        let tables = self.tablebases.options.tablebases_for(pieces)?;
        if self.tablebases.root_is_solved
            || self.position.halfmove_clock() != 0
            || board.castling_rights() != CastlingRights::NONE
            || pieces == tables.max_pieces() && depth < self.tablebases.options.probe_depth
        {
            return None;
        }
        let result = tables.probe_wdl(&self.position)?;
        self.counters.tbhits += 1;
        Some(self.tablebase_score(result, ply))
    }
}
