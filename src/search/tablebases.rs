//! Syzygy tablebases in the search: root move filtering, and WDL probes of inner nodes.

use super::{node::Node, worker::Worker};
use crate::{
    attacks::Sliders,
    syzygy::Wdl,
    tt::{Bound, TtEntry},
    types::{CastlingRights, Depth, Score},
};

impl<S: Sliders> Worker<S> {
    /// If the root is in the tablebases, keeps only the root moves that preserve its result.
    pub(super) fn probe_tablebases_at_root(&mut self) {
        self.root_result = None;
        let pieces = self.position.board().occupied().len();
        let Some(tables) = self.syzygy.tablebases_for(pieces) else { return };
        let Some((moves, result)) = tables.root_moves(&self.position, self.syzygy.fifty_move_rule) else { return };
        self.tbhits += 1;
        if self.root_moves.iter().any(|root_move| moves.contains(&root_move.mv)) {
            self.root_moves.retain(|root_move| moves.contains(&root_move.mv));
            self.root_result = Some(result);
        }
    }

    /// The score to report for a root score: the tablebase result, unless the search has found a mate.
    pub(super) fn displayed_score(&self, score: Score) -> Score {
        match self.root_result {
            Some(result) if !score.is_mate() => self.tablebase_score(result, 0).0,
            _ => score,
        }
    }

    /// The score and bound of a tablebase result at `ply`: a tablebase win is a lower bound, as it may be a mate.
    fn tablebase_score(&self, result: Wdl, ply: usize) -> (Score, Bound) {
        let fifty_move_rule = self.syzygy.fifty_move_rule;
        match result {
            Wdl::CursedWin if fifty_move_rule => (Score(2), Bound::Exact),
            Wdl::BlessedLoss if fifty_move_rule => (Score(-2), Bound::Exact),
            Wdl::Draw => (Score::ZERO, Bound::Exact),
            Wdl::Win | Wdl::CursedWin => (Score::TB_WIN - ply as i32, Bound::Lower),
            Wdl::Loss | Wdl::BlessedLoss => (-Score::TB_WIN + ply as i32, Bound::Upper),
        }
    }

    /// Probes the WDL tables at an inner node. Only right after a capture or pawn move, because the tables assume a
    /// fifty-move counter of zero; and not if the root is in the tablebases, where the search has to make progress.
    pub(super) fn probe_tablebases(&mut self, depth: Depth, ply: usize) -> Option<(Score, Bound)> {
        let board = self.position.board();
        let pieces = board.occupied().len();
        let tables = self.syzygy.tablebases_for(pieces)?;
        if self.root_result.is_some()
            || self.position.halfmove_clock() != 0
            || board.castling_rights() != CastlingRights::NONE
            || pieces == tables.max_pieces() && depth < self.syzygy.probe_depth
        {
            return None;
        }
        let result = tables.probe_wdl(&self.position)?;
        self.tbhits += 1;
        Some(self.tablebase_score(result, ply))
    }

    /// Stores a tablebase score in the TT as if it came from a deeper search.
    pub(super) fn store_tablebase_score(&self, node: &Node, score: Score, bound: Bound) {
        let score = Some((score.to_table(node.ply), bound));
        let entry = TtEntry { mv: None, score, raw_eval: None, depth: node.depth + 6, pv: node.tt_pv };
        self.shared.tt.store(node.key, entry);
    }
}
