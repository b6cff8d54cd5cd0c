//! Quiescence search: captures and promotions, or evasions, until the static evaluation can be trusted.

use super::{
    node::{Node, NodeKind},
    picker::{MovePicker, Stage},
    window::Window,
    worker::{Aborted, Worker},
};
use crate::{
    eval::is_lost,
    movegen::legal_moves,
    params,
    types::{Bound, Depth, Move, PieceType, Score},
};

/// The depth under which quiescence results are stored.
const QSEARCH_DEPTH: Depth = 0;

impl Worker {
    /// The score of the current position once all captures are resolved, and checks answered.
    // CITE: Slate and Atkin (Chess 4.5) - quiescence search of captures with stand pat; Stockfish - delta pruning
    // (futility), few quiet evasions; Reckless - TT in quiescence search, a stand-pat score between evaluation and
    // beta; akimbo, Reckless - SEE pruning. Measured here: no losing capture out of check, +19 ± 7 Elo.
    pub(super) fn qsearch<N: NodeKind>(&mut self, mut window: Window, ply: usize) -> Result<Score, Aborted> {
        self.enter_node::<N>(ply)?;

        // Step 1. Draw detection, maximum ply; upcoming repetition, mate distance pruning.
        if let Some(score) = self.draw_or_max_ply(ply).or_else(|| self.narrow_window(&mut window, ply)) {
            return Ok(score);
        }

        // Step 2. Stalemate.
        if self.is_stalemate(ply) {
            return Ok(Score::ZERO);
        }

        // Step 3. TT probe and cutoff.
        let mut node = Node::new::<N>(self, window, QSEARCH_DEPTH, ply, false, None);
        if let Some(tt) = node.tt_score
            && !N::PV
            && tt.bound.allows_cutoff(tt.score, window.beta)
        {
            return Ok(tt.score);
        }

        // Step 4. Stand pat: out of check, the side to move may decline all captures.
        self.set_static_eval(&mut node);
        if window.fails_high(node.estimate) {
            let score = stand_pat_fail_high(node.estimate, window.beta);
            // CITE: Stockfish, Reckless - storing the stand-pat score as a lower bound. Measured here: +6 ± 7 Elo.
            if !node.tt_hit {
                self.store(&node, None, Some((score, Bound::Lower)), QSEARCH_DEPTH);
            }
            return Ok(score);
        }

        // Step 5. Noisy moves; in check, all evasions.
        node.window.alpha = window.alpha.max(node.estimate);
        let (best, best_move) = self.search_noisy_moves::<N>(&mut node)?;

        // Step 6. Checkmate.
        if best == -Score::INFINITE {
            return Ok(Score::mated_in(ply));
        }

        // Step 7. TT store. No exact scores: the quiet moves were not searched.
        let bound = if window.fails_high(best) { Bound::Lower } else { Bound::Upper };
        self.store(&node, best_move, Some((best, bound)), QSEARCH_DEPTH);
        Ok(best)
    }

    /// Returns true for a stalemate after a root move, whose score is shown, or of a king with blocked pawns. Others
    /// are rare, and not looked for.
    // CITE: Stockfish - stalemate of a king with blocked pawns in quiescence search.
    fn is_stalemate(&self, ply: usize) -> bool {
        let board = self.position.board();
        let us = board.side_to_move();
        let may_be = || {
            let pawns = board.pieces(us, PieceType::Pawn);
            !self.position.has_non_pawn_material() && pawns.forward(us).without(board.occupied()).is_empty()
        };
        !self.position.in_check() && (ply == 1 || may_be()) && legal_moves(&self.position).is_empty()
    }

    /// The score of a child of the node at `ply`, after its move was made. Window and score are the parent's.
    #[inline(always)]
    pub(super) fn qsearch_child<N: NodeKind>(&mut self, window: Window, ply: usize) -> Result<Score, Aborted> {
        Ok(-self.qsearch::<N>(-window, ply + 1)?)
    }

    /// The move loop: the best score, at least the estimate of the node, and the move that raised alpha last.
    fn search_noisy_moves<N: NodeKind>(&mut self, node: &mut Node) -> Result<(Score, Option<Move>), Aborted> {
        let &mut Node { ply, in_check, estimate: mut best, .. } = node;
        let mut best_move = None;
        let futility_base = best + params::qsearch_futility_margin();
        let mut picker = MovePicker::noisy(self, node.tt_move, -params::qsearch_see_margin(), in_check);
        if in_check {
            self.update_threats(ply);
        }
        let mut searched = 0;
        while let Some(mv) = picker.next(self, ply) {
            if !is_lost(best) {
                // SEE pruning: losing captures come last, and only in check if nothing else was searched.
                if picker.stage() == Stage::BadNoisy && (!in_check || searched > 0) {
                    break;
                }
                // Delta pruning (futility). `best` is raised to what the capture might have reached, so that the bound
                // stays sound.
                if !in_check && let Some(value) = self.futile_capture(mv, futility_base, node.window.alpha) {
                    best = best.max(value);
                    continue;
                }
                // Once an evasion does not lose, at most one more quiet evasion is searched.
                if in_check && mv.is_quiet() {
                    picker.skip_quiets();
                }
            }
            searched += 1;
            let window = node.window;
            let score = self.after_move(mv, ply, |worker| worker.qsearch_child::<N::Next>(window, ply))?;
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.stack.extend_pv(ply, mv);
                    }
                    if window.fails_high(score) {
                        break;
                    }
                    node.window.alpha = score;
                }
            }
        }
        Ok((best, best_move))
    }

    /// Delta pruning: the score that a capture might reach, if that is at most alpha even though it wins the captured
    /// piece for nothing, or because it wins nothing by SEE.
    fn futile_capture(&self, mv: Move, futility_base: Score, alpha: Score) -> Option<Score> {
        if mv.is_promotion() {
            return None;
        }
        let futility_value = futility_base
            + self.captured_type(mv).map_or(0, |piece_type| params::qsearch_futility_values()[piece_type.index()]);
        if futility_value <= alpha {
            return Some(futility_value);
        }
        let wins_nothing = || !self.position.see_ge(mv, 1);
        (futility_base <= alpha && wins_nothing()).then_some(futility_base)
    }
}

/// The score of a node that fails high by standing pat: between evaluation and beta, unless beta is a proven result.
#[inline]
fn stand_pat_fail_high(stand_pat: Score, beta: Score) -> Score {
    if beta.is_decisive() { stand_pat } else { stand_pat.lerp(beta, params::stand_pat_lerp()) }
}
