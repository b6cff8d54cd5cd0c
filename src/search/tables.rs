//! Endgame tables in the search: which root moves keep the result, and what a position inside is worth.

use super::worker::Worker;
use crate::{
    attacks::Sliders,
    syzygy::Wdl,
    tt::{Bound, Entry},
    types::{CastlingRights, Depth, Score},
};

impl<S: Sliders> Worker<S> {
    /// Where the tables know the root, keeps only the moves that hold its result, of those the user allows.
    pub(super) fn ask_tables_at_root(&mut self) {
        self.root_result = None;
        let men = self.position.board().occupied().len();
        let Some(tables) = self.syzygy.tables_for(men) else { return };
        let Some((moves, result)) = tables.root_moves(&self.position, self.syzygy.fifty_move_rule) else { return };
        self.tbhits += 1;
        if self.root_moves.iter().any(|root_move| moves.contains(&root_move.mv)) {
            self.root_moves.retain(|root_move| moves.contains(&root_move.mv));
            self.root_result = Some(result);
        }
    }

    /// The score to show for a root score: the tables' verdict, unless the search has found a mate.
    pub(super) fn displayed(&self, score: Score) -> Score {
        match self.root_result {
            Some(result) if !score.is_mate() => self.table_score(result, 0).0,
            _ => score,
        }
    }

    /// A node's score by the tables, with the bound that it is: a win may yet turn out to be a quicker mate.
    fn table_score(&self, result: Wdl, ply: usize) -> (Score, Bound) {
        let spoiled = self.syzygy.fifty_move_rule;
        match result {
            Wdl::CursedWin if spoiled => (Score(2), Bound::Exact),
            Wdl::BlessedLoss if spoiled => (Score(-2), Bound::Exact),
            Wdl::Draw => (Score::ZERO, Bound::Exact),
            Wdl::Win | Wdl::CursedWin => (Score::TB_WIN - ply as i32, Bound::Lower),
            Wdl::Loss | Wdl::BlessedLoss => (-Score::TB_WIN + ply as i32, Bound::Upper),
        }
    }

    /// What the tables say of an inner node. Only right after a capture or pawn move, since the results take the
    /// fifty-move counter to be zero; and not when the root itself is in the tables, where progress matters instead.
    pub(super) fn ask_tables(&mut self, depth: Depth, ply: usize) -> Option<(Score, Bound)> {
        let board = self.position.board();
        let men = board.occupied().len();
        let tables = self.syzygy.tables_for(men)?;
        if self.root_result.is_some()
            || self.position.halfmove_clock() != 0
            || board.castling_rights() != CastlingRights::NONE
            || men == tables.max_pieces() && depth < self.syzygy.probe_depth
        {
            return None;
        }
        let result = tables.probe_wdl(&self.position)?;
        self.tbhits += 1;
        Some(self.table_score(result, ply))
    }

    /// Remembers a table's verdict as if it came from a deep search.
    pub(super) fn remember_table_score(
        &self,
        key: u64,
        score: Score,
        bound: Bound,
        depth: Depth,
        ply: usize,
        pv: bool,
    ) {
        let score = Some((score.to_tt(ply), bound));
        self.shared.table.store(key, Entry { mv: None, score, eval: None, depth: depth + 6, pv });
    }
}
