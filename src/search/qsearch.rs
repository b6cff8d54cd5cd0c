//! Quiescence: captures until the position is quiet enough for its evaluation to be trusted.

use super::{
    node::NodeKind,
    picker::{MovePicker, Stage},
    worker::Worker,
};
use crate::{
    attacks::Sliders,
    eval::evaluate,
    params::quiescence_futility,
    tt::{Bound, Entry},
    types::{Depth, MAX_PLY, Move, PieceType, Score},
};

/// Stored depth of quiescence results.
const QUIESCENCE_DEPTH: Depth = 0;
/// Worth of a captured man when asking whether the capture can reach alpha.
const VICTIM: [i32; PieceType::COUNT] = [110, 350, 370, 560, 1050, 0];

impl<S: Sliders> Worker<S> {
    /// The value of a position once captures are played out; in check, once the check is answered.
    pub(super) fn quiesce<N: NodeKind>(&mut self, mut alpha: Score, beta: Score, ply: usize) -> Score {
        if N::PV {
            self.stack[ply].pv.clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if self.must_stop() {
            return Score::ZERO;
        }
        // Step 1. Draws: by rule, or one that the side to move can force.
        if self.is_draw(ply) {
            return self.draw_score();
        }
        if alpha < Score::ZERO && self.position.has_upcoming_repetition(ply) {
            alpha = self.draw_score();
            if alpha >= beta {
                return alpha;
            }
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { Score::ZERO } else { evaluate(&self.position, &self.accumulators) };
        }

        // Step 2. The table.
        let key = self.position.hash_key();
        let entry = self.shared.table.probe(key);
        let mut tt_pv = N::PV;
        if let Some(entry) = &entry {
            tt_pv |= entry.pv;
            if let Some((score, bound)) = entry.score {
                let score = score.from_table(ply);
                if !N::PV && bound.proves(score, beta) {
                    return score;
                }
            }
        }

        // Step 3. Stand pat: whoever moves may decline all captures.
        let raw = self.raw_evaluation(in_check, entry.as_ref());
        let mut best = -Score::INFINITE;
        let mut futility = -Score::INFINITE;
        if let Some(raw) = raw {
            best = self.corrected(raw, ply);
            if let Some((score, bound)) = entry.and_then(|entry| entry.score) {
                let score = score.from_table(ply);
                if !score.is_decisive() && bound.agrees(score, best) {
                    best = score;
                }
            }
            if best >= beta {
                if entry.is_none() {
                    let stand_pat =
                        Entry { mv: None, score: None, eval: Some(raw), depth: QUIESCENCE_DEPTH, pv: tt_pv };
                    self.shared.table.store(key, stand_pat);
                }
                return if best.is_decisive() || beta.is_decisive() { best } else { best.lerp(beta, 512) };
            }
            alpha = alpha.max(best);
            futility = best + quiescence_futility();
        }
        self.stack[ply].eval = raw;

        // Step 4. Captures; in check, everything.
        let mut picker = MovePicker::noisy(self, entry.and_then(|entry| entry.mv), -30, in_check);
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
                if !in_check && self.is_futile_capture(mv, futility, alpha, &mut best) {
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
                return Score::ZERO;
            }
            if score > best {
                best = score;
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
        if in_check && best == -Score::INFINITE {
            return Score::mated_in(ply);
        }
        self.store_quiescence(key, best, beta, raw, best_move, tt_pv, ply);
        best
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one table entry")]
    fn store_quiescence(
        &self,
        key: u64,
        best: Score,
        beta: Score,
        raw: Option<Score>,
        mv: Option<Move>,
        pv: bool,
        ply: usize,
    ) {
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let score = Some((best.to_table(ply), bound));
        self.shared.table.store(key, Entry { mv, score, eval: raw, depth: QUIESCENCE_DEPTH, pv });
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
        if futility <= alpha && !self.position.see_at_least(self.sliders, mv, 1) {
            *best = (*best).max(futility);
            return true;
        }
        false
    }
}
