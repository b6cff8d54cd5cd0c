//! Syzygy tablebases in the search: ranks of root moves, and WDL probes of inner nodes.

use super::{
    node::{Node, NodeKind},
    root::RootMove,
    worker::Worker,
};
use crate::{
    params,
    syzygy::{Ranking, Wdl},
    types::{Bound, Depth, MoveList, Score},
};

/// The score of a win that the fifty-move rule turns into a draw: better than a draw, which the opponent may miss.
// CITE: Stockfish.
pub(super) const CURSED_WIN: Score = Score(2);

impl Worker {
    /// The root moves. If the root is in the tablebases, they are ranked by result and DTZ, best first, and inner nodes
    /// are probed only if the root is won and a DTZ table is missing: there a win is no progress by itself, but a
    /// capture or pawn move that keeps it is.
    // CITE: Stockfish.
    pub(super) fn rank_by_tablebases(&mut self, moves: &MoveList) -> Vec<RootMove> {
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

    /// The score and bound of a tablebase result at `ply`: a tablebase win is a lower bound, as it may be a mate.
    pub(super) fn tablebase_score(&self, result: Wdl, ply: usize) -> (Score, Bound) {
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
            || !board.castling_rights().is_empty()
            || pieces == self.tablebases.options.most_pieces(tables) && depth < self.tablebases.options.probe_depth
        {
            return None;
        }
        let result = tables.probe_wdl(&self.position)?;
        self.counters.tbhits += 1;
        Some(self.tablebase_score(result, ply))
    }
}
