//! Quiescence search: captures only, until the static evaluation can be trusted.

use super::{
    node::NodeKind,
    picker::{MovePicker, Stage},
    worker::Worker,
};
use crate::{
    attacks::Sliders,
    params::*,
    tt::{Bound, TtEntry},
    types::{Depth, Move, PieceType, Score},
};

/// Stored depth of quiescence results.
const QUIESCENCE_DEPTH: Depth = 0;
/// Value of a captured piece in futility pruning.
const FUTILITY_VALUES: [i32; PieceType::COUNT] = [110, 350, 370, 560, 1050, 0];

impl<S: Sliders> Worker<S> {
    /// The value of a position once captures are played out; in check, once the check is answered.
    pub(super) fn qsearch<N: NodeKind>(&mut self, mut alpha: Score, mut beta: Score, ply: usize) -> Score {
        if self.enter::<N>(ply) {
            return Score::ZERO;
        }
        // Step 1. Draw detection, maximum ply, and mate distance pruning.
        if let Some(score) = self.draw_or_mate_distance(&mut alpha, &mut beta, ply) {
            return score;
        }

        // Step 2. TT probe and cutoff.
        let key = self.position.hash_key();
        let entry = self.shared.tt.probe(key);
        let tt_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        let tt_score = entry.and_then(|entry| entry.score).map(|(score, bound)| (score.from_table(ply), bound));
        if let Some((score, bound)) = tt_score
            && !N::PV
            && bound.allows_cutoff(score, beta)
        {
            return score;
        }

        // Step 3. Stand pat: out of check, the side to move may decline all captures.
        let in_check = self.position.in_check();
        let raw = self.raw_eval(in_check, entry.as_ref());
        self.stack[ply].eval = raw;
        let mut best = raw.map_or(-Score::INFINITE, |raw| {
            let eval = self.static_eval(raw, ply);
            match tt_score {
                Some((score, bound)) if !score.is_decisive() && bound.refines(score, eval) => score,
                _ => eval,
            }
        });
        if best >= beta {
            if entry.is_none() {
                let stand_pat = TtEntry { mv: None, score: None, eval: raw, depth: QUIESCENCE_DEPTH, pv: tt_pv };
                self.shared.tt.store(key, stand_pat);
            }
            return if best.is_decisive() || beta.is_decisive() { best } else { best.lerp(beta, stand_pat_lerp()) };
        }

        // Step 4. Noisy moves; in check, all evasions.
        let first = entry.and_then(|entry| entry.mv);
        alpha = alpha.max(best);
        let best_move = self.search_qsearch_moves::<N>(&mut best, alpha, beta, ply, first);
        if self.stopped {
            return Score::ZERO;
        }

        // Step 5. Checkmate.
        if best == -Score::INFINITE {
            return Score::mated_in(ply);
        }

        // Step 6. TT store.
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let score = Some((best.to_table(ply), bound));
        self.shared.tt.store(key, TtEntry { mv: best_move, score, eval: raw, depth: QUIESCENCE_DEPTH, pv: tt_pv });
        best
    }

    /// Tries what may raise `best`, so far the value of standing pat, `first` before all; the move that beat alpha.
    fn search_qsearch_moves<N: NodeKind>(
        &mut self,
        best: &mut Score,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        first: Option<Move>,
    ) -> Option<Move> {
        let in_check = self.position.in_check();
        let futility = *best + qsearch_futility_margin();
        let mut picker = MovePicker::noisy(self, first, -qsearch_see_margin(), in_check);
        if in_check {
            self.update_threats(ply);
        }
        let mut best_move = None;
        let mut played = 0;
        while let Some(mv) = picker.next(self, ply) {
            if !best.is_loss() {
                // Bad captures come last: nothing useful follows.
                if picker.stage() == Stage::BadNoisy && played > 0 {
                    break;
                }
                if !in_check && self.prune_capture(mv, futility, alpha, best) {
                    continue;
                }
                if in_check && mv.is_quiet() {
                    // One quiet evasion that does not lose is proof enough that there is one.
                    picker.skip_quiets();
                }
            }
            played += 1;
            self.make(mv, ply);
            let score = -self.qsearch::<N::Next>(-beta, -alpha, ply + 1);
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
    fn prune_capture(&self, mv: Move, futility: Score, alpha: Score, best: &mut Score) -> bool {
        if mv.is_promotion() {
            return false;
        }
        let futility_value = futility + self.captured_type(mv).map_or(0, |kind| FUTILITY_VALUES[kind.index()]);
        if futility_value <= alpha {
            *best = (*best).max(futility_value);
            return true;
        }
        if futility <= alpha && !self.position.see_at_least(self.sliders, mv, 1) {
            *best = (*best).max(futility);
            return true;
        }
        false
    }
}
