//! Syzygy tablebases in the search: root move filtering, and WDL probes of inner nodes.

use super::{
    node::{Node, NodeKind},
    worker::Worker,
};
use crate::{
    attacks::Sliders,
    params,
    syzygy::Wdl,
    tt::{Bound, TtEntry},
    types::{CastlingRights, Depth, MoveList, Score},
};

/// The score of a win that the fifty-move rule turns into a draw: better than a draw, which the opponent may miss.
// CITE: Stockfish.
const CURSED_WIN: Score = Score(2);

impl<S: Sliders> Worker<S> {
    /// If the root is in the tablebases, keeps only the moves that preserve its result.
    // CITE: Stockfish.
    pub(super) fn filter_root_moves_by_tablebases(&mut self, moves: &mut MoveList) {
        let options = &self.tablebases.options;
        let pieces = self.position.board().occupied().len();
        let Some(tables) = options.tablebases_for(pieces) else { return };
        let Some((best, result)) = tables.root_moves(&self.position, options.fifty_move_rule) else { return };
        self.counters.tbhits += 1;
        if moves.iter().any(|mv| best.contains(mv)) {
            moves.retain(|mv| best.contains(mv));
            self.tablebases.root_result = Some(result);
        }
    }

    /// The score to report for a root score: the tablebase result, unless the search has found a mate.
    pub(super) fn displayed_score(&self, score: Score) -> Score {
        match self.tablebases.root_result {
            Some(result) if !score.is_mate() => self.tablebase_score(result, 0).0,
            _ => score,
        }
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

    /// Step 4 of [`Worker::search_node`]: the score of the tablebases if it ends the node; otherwise it bounds the node's.
    pub(super) fn tablebase_cutoff<N: NodeKind>(&mut self, node: &mut Node) -> Option<Score> {
        let window = node.window;
        let (score, bound) = self.probe_tablebases(node.depth, node.ply)?;
        // In a PV node, a loss inside the window may yet be a longer or shorter one.
        if bound.allows_cutoff(score, window.beta) && (!N::PV || bound != Bound::Upper || window.fails_low(score)) {
            self.store_tablebase_score(node, score, bound);
            return Some(score);
        }
        match bound {
            Bound::Lower => {
                node.tablebase_bounds.0 = score;
                node.window.alpha = window.alpha.max(score);
            }
            _ => node.tablebase_bounds.1 = score,
        }
        None
    }

    /// Probes the WDL tables at an inner node. Only right after a capture or pawn move, because the tables assume a
    /// fifty-move counter of zero; and not if the root is in the tablebases, where the search has to make progress.
    // CITE: Stockfish - when to probe, bounds of the result, and the depth under which it is stored.
    fn probe_tablebases(&mut self, depth: Depth, ply: usize) -> Option<(Score, Bound)> {
        let board = self.position.board();
        let pieces = board.occupied().len();
        let tables = self.tablebases.options.tablebases_for(pieces)?;
        if self.tablebases.root_result.is_some()
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

    /// Stores a tablebase score in the TT as if it came from a deeper search.
    fn store_tablebase_score(&self, node: &Node, score: Score, bound: Bound) {
        let score = Some((score.to_tt(node.ply), bound));
        let entry = TtEntry {
            mv: None,
            score,
            raw_eval: None,
            depth: node.depth + params::tablebase_depth_bonus(),
            pv: node.tt_pv,
        };
        self.shared.tt.store(node.key, entry);
    }
}
