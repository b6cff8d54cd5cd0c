//! Quiescence: captures until the position is quiet enough for its evaluation to be trusted.

use super::{
    node::NodeKind,
    picker::{MovePicker, Stage},
    worker::Worker,
};
use crate::{
    attacks::Sliders,
    params::*,
    tt::{Bound, Entry},
    types::{Depth, Move, PieceType, Score},
};

/// Stored depth of quiescence results.
const QUIESCENCE_DEPTH: Depth = 0;
/// Worth of a captured man when asking whether the capture can reach alpha.
const VICTIM: [i32; PieceType::COUNT] = [110, 350, 370, 560, 1050, 0];

impl<S: Sliders> Worker<S> {
    /// The value of a position once captures are played out; in check, once the check is answered.
    pub(super) fn quiesce<N: NodeKind>(&mut self, mut alpha: Score, mut beta: Score, ply: usize) -> Score {
        if self.enter::<N>(ply) {
            return Score::ZERO;
        }
        // Step 1. Draws, the end of the stack, and mates too far to matter.
        if let Some(score) = self.settled(&mut alpha, &mut beta, ply) {
            return score;
        }

        // Step 2. The table.
        let key = self.position.tt_key();
        let entry = self.shared.table.probe(key);
        let tt_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        let tt_score = entry.and_then(|entry| entry.score).map(|(score, bound)| (score.from_tt(ply), bound));
        if let Some((score, bound)) = tt_score
            && !N::PV
            && bound.proves(score, beta)
        {
            return score;
        }

        // Step 3. Stand pat: whoever moves may decline all captures, unless in check.
        let in_check = self.position.in_check();
        let raw = self.raw_evaluation(in_check, entry.as_ref());
        self.stack[ply].eval = raw;
        let mut best = raw.map_or(-Score::INFINITE, |raw| {
            let eval = self.corrected(raw, ply);
            match tt_score {
                Some((score, bound)) if !score.is_decisive() && bound.agrees(score, eval) => score,
                _ => eval,
            }
        });
        if best >= beta {
            if entry.is_none() {
                let stand_pat = Entry { mv: None, score: None, eval: raw, depth: QUIESCENCE_DEPTH, pv: tt_pv };
                self.shared.table.store(key, stand_pat);
            }
            return if best.is_decisive() || beta.is_decisive() {
                best
            } else {
                best.lerp(beta, stand_pat_softening())
            };
        }

        // Step 4. Captures; in check, everything.
        let first = entry.and_then(|entry| entry.mv);
        alpha = alpha.max(best);
        let best_move = self.search_captures::<N>(&mut best, alpha, beta, ply, first);
        if self.stopped {
            return Score::ZERO;
        }
        if best == -Score::INFINITE {
            return Score::mated_in(ply);
        }

        // Step 5. Remember the result.
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let score = Some((best.to_tt(ply), bound));
        self.shared.table.store(key, Entry { mv: best_move, score, eval: raw, depth: QUIESCENCE_DEPTH, pv: tt_pv });
        best
    }

    /// Tries what may raise `best`, so far the value of standing pat, `first` before all; the move that beat alpha.
    fn search_captures<N: NodeKind>(
        &mut self,
        best: &mut Score,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        first: Option<Move>,
    ) -> Option<Move> {
        let in_check = self.position.in_check();
        let futility = *best + quiescence_futility();
        let mut picker = MovePicker::noisy(self, first, -quiescence_see(), in_check);
        if in_check {
            self.find_threats(ply);
        }
        let mut best_move = None;
        let mut played = 0;
        while let Some(mv) = picker.next(self, ply) {
            if !best.is_loss() {
                // Bad captures come last: nothing useful follows.
                if picker.stage() == Stage::BadNoisy && played > 0 {
                    break;
                }
                if !in_check && self.is_futile_capture(mv, futility, alpha, best) {
                    continue;
                }
                if in_check && mv.is_quiet() {
                    // One quiet evasion that does not lose is proof enough that there is one.
                    picker.skip_quiets();
                }
            }
            played += 1;
            self.make(mv, ply);
            let score = -self.quiesce::<N::Next>(-beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                break;
            }
            if score > *best {
                *best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.stack.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        best_move
    }

    /// Whether even winning the captured man for nothing leaves the score below alpha; then `best` is raised to what
    /// was hoped for, so that the bound stays honest.
    fn is_futile_capture(&self, mv: Move, futility: Score, alpha: Score, best: &mut Score) -> bool {
        if mv.is_promotion() {
            return false;
        }
        let hope = futility + self.captured_kind(mv).map_or(0, |kind| VICTIM[kind.index()]);
        if hope <= alpha {
            *best = (*best).max(hope);
            return true;
        }
        if futility <= alpha && !self.position.see_ge(self.sliders, mv, 1) {
            *best = (*best).max(futility);
            return true;
        }
        false
    }
}
