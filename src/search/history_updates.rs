//! Lookups and updates of the histories of a node's moves.

use arrayvec::ArrayVec;

use super::{node::Node, worker::Worker};
use crate::{
    history::{ButterflyKey, CONTINUATION_PLIES, ContinuationKeys, history_bonus, history_malus},
    params,
    types::{Depth, Move, Piece, Score, Square},
};

/// The moves of one kind, quiet or noisy, that a node searched; more than fit are left out.
pub(super) type SearchedMoves = ArrayVec<Move, 64>;

impl Worker {
    /// Updates the squares attacked by the opponent, which index the butterfly history.
    #[inline]
    pub(super) fn update_threats(&mut self, ply: usize) {
        let board = self.position.board();
        self.stack[ply].threats = board.attacked_squares(!board.side_to_move(), board.occupied());
    }

    /// The moves that index the continuation histories of a node's quiet moves.
    #[inline]
    pub(super) fn continuation_keys(&self, ply: usize) -> ContinuationKeys {
        CONTINUATION_PLIES.map(|back| self.stack.before(ply, back).moved)
    }

    /// The history of a move by which it is pruned and reduced.
    #[inline]
    pub(super) fn move_history(&self, mv: Move, ply: usize) -> i32 {
        if mv.is_quiet() { self.quiet_history(mv, ply) } else { self.capture_history(mv) }
    }

    /// The history of a quiet move: butterfly, and continuation one and two plies back.
    // CITE: Stockfish, by way of Reckless. Not measured here.
    #[inline]
    fn quiet_history(&self, mv: Move, ply: usize) -> i32 {
        let Some(piece) = self.moved_piece(mv) else { return 0 };
        self.histories.butterfly(self.butterfly_key(mv, ply))
            + self.histories.continuation.get(self.stack.before(ply, 1).moved, piece, mv.to())
            + self.histories.continuation.get(self.stack.before(ply, 2).moved, piece, mv.to())
    }

    /// The capture history of a noisy move.
    #[inline]
    fn capture_history(&self, mv: Move) -> i32 {
        self.moved_piece(mv).map_or(0, |piece| self.histories.capture(piece, mv.to(), self.captured_type(mv)))
    }

    /// Rewards the move that failed high and penalizes the moves searched before it: all noisy ones, and the quiet ones
    /// if the move is quiet itself.
    // CITE: Jonathan Schaeffer - history heuristic; Reckless, akimbo - malus for the moves searched before;
    // Reckless - less malus for later quiet moves, measured here: +6 ± 7 Elo.
    pub(super) fn update_histories(
        &mut self,
        best: Move,
        depth: Depth,
        ply: usize,
        quiets: &SearchedMoves,
        noisies: &SearchedMoves,
    ) {
        let (bonus, malus) = (history_bonus(depth), history_malus(depth));
        if best.is_quiet() {
            self.update_quiet_histories(best, ply, bonus);
            for (index, &mv) in quiets.iter().enumerate() {
                let decay = 1024 + params::history_malus_decay() * index as i32;
                self.update_quiet_histories(mv, ply, -malus * 1024 / decay * 1024 / decay);
            }
        } else {
            self.update_capture_history(best, bonus);
        }
        for &mv in noisies {
            self.update_capture_history(mv, -malus);
        }
    }

    /// Updates the butterfly, pawn and continuation histories of a quiet move.
    pub(super) fn update_quiet_histories(&mut self, mv: Move, ply: usize, bonus: i32) {
        let Some(piece) = self.moved_piece(mv) else { return };
        self.histories.update_butterfly(self.butterfly_key(mv, ply), bonus);
        self.histories.update_pawn(self.position.keys().pawn, piece, mv.to(), bonus);
        self.update_continuation_histories(piece, mv.to(), ply, bonus);
    }

    /// Updates the continuation histories of a quiet move at `ply`, which may have been made.
    fn update_continuation_histories(&mut self, piece: Piece, to: Square, ply: usize, bonus: i32) {
        for continuation in self.continuation_keys(ply) {
            self.histories.continuation.update(continuation, piece, to, bonus);
        }
    }

    /// A bonus for the opponent's last move, if that was quiet, when all moves fail low: the more, the later it came,
    /// and the further the score lies below the evaluations.
    // CITE: Stockfish, Reckless - bonus for the prior move, with these terms. Measured here: +10 ± 7 Elo.
    pub(super) fn update_previous_move_after_fail_low(&mut self, node: &Node, best: Score) {
        let ply = node.ply;
        let Some(previous) = ply.checked_sub(1) else { return };
        let entry = &self.stack[previous];
        let (Some(mv), Some((piece, to))) = (entry.mv.filter(|mv| mv.is_quiet()), entry.moved) else {
            return;
        };
        let late = (params::fail_low_move_count() * entry.move_count as i32).min(params::fail_low_move_count_max());
        let mut factor = params::fail_low_base() + late;
        if entry.is_tt_move {
            factor += params::fail_low_tt_move();
        }
        if node.static_eval.is_some_and(|eval| best <= eval - params::fail_low_eval_margin()) {
            factor += params::fail_low_eval();
        }
        if entry.static_eval.is_some_and(|eval| best <= -eval - params::fail_low_opponent_eval_margin()) {
            factor += params::fail_low_opponent_eval();
        }
        let bonus = factor * history_bonus(node.depth) / 128;
        self.histories.update_butterfly(self.previous_butterfly_key(mv, ply), bonus);
        self.update_continuation_histories(piece, to, previous, bonus);
    }

    /// A butterfly history bonus for the opponent's last quiet move if it made the evaluation better for the opponent,
    /// a malus if it made it worse; only where the evaluation is new, or the depth low.
    // CITE: Stockfish, Reckless - by the sum of the evaluations before and after the move. Measured here: +18 ± 7 Elo.
    pub(super) fn update_history_by_evaluation(&mut self, node: &Node) {
        let previous = self.stack.before(node.ply, 1);
        let (Some(eval), Some(opponent_eval), Some(mv)) = (node.static_eval, previous.static_eval, previous.mv) else {
            return;
        };
        let is_new = !node.tt_hit || node.depth < params::eval_history_max_depth();
        if mv.is_quiet() && node.excluded.is_none() && is_new {
            let loss = eval.0 + opponent_eval.0;
            let bonus = (-loss * params::eval_history_factor())
                .clamp(-params::eval_history_max_malus(), params::eval_history_max_bonus());
            self.histories.update_butterfly(self.previous_butterfly_key(mv, node.ply), bonus);
        }
    }

    /// A continuation history malus for the opponent's last move, if that was quiet and the first of its node, when a
    /// move fails high against it.
    // CITE: Stockfish, Reckless - extra malus for a refuted early move. Measured here: +9 ± 5 Elo.
    pub(super) fn update_refuted_first_move(&mut self, ply: usize, depth: Depth) {
        let Some(previous) = ply.checked_sub(1) else { return };
        let entry = &self.stack[previous];
        if entry.move_count == 1
            && entry.mv.is_some_and(Move::is_quiet)
            && let Some((piece, to)) = entry.moved
        {
            self.update_continuation_histories(piece, to, previous, -history_malus(depth));
        }
    }

    /// A continuation history bonus for the quiet move that was made at `ply` when its reduced search beats alpha.
    // CITE: Stockfish, Reckless - continuation history bonus after LMR. Measured here: +5 ± 7 Elo.
    pub(super) fn update_after_reduced_search(&mut self, ply: usize, new_depth: Depth) {
        if let Some((piece, to)) = self.stack[ply].moved {
            let bonus =
                (params::lmr_bonus_factor() * new_depth - params::lmr_bonus_offset()).min(params::lmr_bonus_max());
            self.update_continuation_histories(piece, to, ply, bonus);
        }
    }

    fn update_capture_history(&mut self, mv: Move, bonus: i32) {
        if let Some(piece) = self.moved_piece(mv) {
            self.histories.update_capture(piece, mv.to(), self.captured_type(mv), bonus);
        }
    }

    /// The index of the butterfly history of the opponent's last move, if that was quiet.
    #[inline]
    fn previous_butterfly_key(&self, mv: Move, ply: usize) -> ButterflyKey {
        ButterflyKey { side: !self.position.side_to_move(), mv, threats: self.stack.before(ply, 1).threats }
    }

    /// The index of the butterfly history of a quiet move of the side to move.
    #[inline]
    fn butterfly_key(&self, mv: Move, ply: usize) -> ButterflyKey {
        ButterflyKey { side: self.position.side_to_move(), mv, threats: self.stack[ply].threats }
    }
}
