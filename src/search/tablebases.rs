//! Syzygy tablebases in the search: ranks of root moves, and WDL probes of inner nodes.

use super::{job::SyzygyOptions, root::RootMove};
use crate::{
    position::Position,
    syzygy::{Ranking, Wdl},
    types::{Bound, Depth, MoveList, Score},
};

/// The score of a win that the fifty-move rule turns into a draw: better than a draw, which the opponent may miss.
// CITE: Stockfish.
pub(super) const CURSED_WIN: Score = Score(2);

/// The use of tablebases in one search.
#[derive(Default)]
pub(super) struct TablebaseState {
    pub(super) options: SyzygyOptions,
    /// True if the ranks of the root moves tell all that inner nodes could be probed for.
    pub(super) root_is_solved: bool,
}

impl TablebaseState {
    /// The root moves. If the root is in the tablebases, they are ranked by result and DTZ, best first, and inner nodes
    /// are probed only if the root is won and a DTZ table is missing: there a win is no progress by itself, but a
    /// capture or pawn move that keeps it is.
    // CITE: Stockfish.
    pub(super) fn rank_root_moves(&mut self, position: &Position, moves: &MoveList) -> Vec<RootMove> {
        let tables = self.options.tablebases_for(position.board().occupied().len());
        let ranking = tables.and_then(|tables| tables.rank_root_moves(position, moves, self.options.fifty_move_rule));
        let Some(Ranking { moves, has_dtz }) = ranking else {
            return moves.iter().map(|&mv| RootMove::new(mv, None)).collect();
        };
        let is_won = moves.first().is_some_and(|(_, rank)| rank.result == Wdl::Win);
        self.root_is_solved = has_dtz || !is_won;
        moves.into_iter().map(|(mv, rank)| RootMove::new(mv, Some(rank))).collect()
    }

    /// The score and bound of a tablebase result at `ply`: a tablebase win is a lower bound, as it may be a mate.
    pub(super) fn score(&self, result: Wdl, ply: usize) -> (Score, Bound) {
        match result {
            Wdl::CursedWin if self.options.fifty_move_rule => (CURSED_WIN, Bound::Exact),
            Wdl::BlessedLoss if self.options.fifty_move_rule => (-CURSED_WIN, Bound::Exact),
            Wdl::Draw => (Score::ZERO, Bound::Exact),
            Wdl::Win | Wdl::CursedWin => (Score::TB_WIN - ply as i32, Bound::Lower),
            Wdl::Loss | Wdl::BlessedLoss => (-Score::TB_WIN + ply as i32, Bound::Upper),
        }
    }

    /// Probes the WDL tables at an inner node. Only right after a capture or pawn move, because the tables assume a
    /// fifty-move counter of zero; and not if the root is solved, where the search has to make progress.
    // CITE: Stockfish - when to probe, and bounds of the result.
    pub(super) fn probe(&self, position: &Position, depth: Depth, ply: usize) -> Option<(Score, Bound)> {
        let board = position.board();
        let pieces = board.occupied().len();
        let tables = self.options.tablebases_for(pieces)?;
        if self.root_is_solved
            || position.halfmove_clock() != 0
            || !board.castling_rights().is_empty()
            || pieces == self.options.most_pieces(tables) && depth < self.options.probe_depth
        {
            return None;
        }
        Some(self.score(tables.probe_wdl(position)?, ply))
    }
}
