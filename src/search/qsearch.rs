//! Quiescence search: captures and promotions, or evasions, until the static evaluation can be trusted.

use super::{
    node::NodeKind,
    picker::{MovePicker, Stage},
    window::Window,
    worker::{Aborted, Worker},
};
use crate::{
    attacks::Sliders,
    params,
    tt::TtEntry,
    types::{Bound, Depth, Move, Score},
};

/// The depth under which quiescence results are stored.
const QSEARCH_DEPTH: Depth = 0;

/// The state of a node that the move loop of quiescence search works on.
struct QNode {
    ply: usize,
    window: Window,
    in_check: bool,
    tt_move: Option<Move>,
    best: Score,
    /// The move that raised alpha last.
    best_move: Option<Move>,
}

impl<S: Sliders> Worker<S> {
    /// The score of the current position once all captures are resolved, and checks answered.
    // CITE: Slate and Atkin (Chess 4.5) - quiescence search of captures with stand pat; Stockfish - delta pruning
    // (futility), few quiet evasions; Reckless - TT in quiescence search, a stand-pat score between evaluation and
    // beta; akimbo, Reckless - SEE pruning. Measured here: no losing capture out of check, +19 ± 7 Elo.
    pub(super) fn qsearch<N: NodeKind>(&mut self, mut window: Window, ply: usize) -> Result<Score, Aborted> {
        self.enter_node::<N>(ply)?;

        // Step 1. Draw detection, maximum ply, and mate distance pruning.
        if let Some(score) = self.draw_or_mate_distance(&mut window, ply) {
            return Ok(score);
        }

        // Step 2. TT probe and cutoff.
        let key = self.position.tt_key();
        let entry = self.shared.tt.probe(key);
        let tt_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        let tt_score = entry.and_then(|entry| entry.score).map(|(score, bound)| (score.from_tt(ply), bound));
        if let Some((score, bound)) = tt_score
            && !N::PV
            && bound.allows_cutoff(score, window.beta)
        {
            return Ok(score);
        }

        // Step 3. Stand pat: out of check, the side to move may decline all captures.
        let in_check = self.position.in_check();
        let raw_eval = self.raw_eval(in_check, entry.and_then(|entry| entry.raw_eval));
        let stand_pat = raw_eval.map_or(-Score::INFINITE, |raw_eval| {
            let eval = self.static_eval(raw_eval, ply);
            match tt_score {
                Some((score, bound)) if !score.is_decisive() && bound.refines(score, eval) => score,
                _ => eval,
            }
        });
        if window.fails_high(stand_pat) {
            let score = stand_pat_fail_high(stand_pat, window.beta);
            // CITE: Stockfish, Reckless - storing the stand-pat score as a lower bound. Measured here: +6 ± 7 Elo.
            if entry.is_none() {
                let tt_score = Some((score.to_tt(ply), Bound::Lower));
                let entry = TtEntry { mv: None, score: tt_score, raw_eval, depth: QSEARCH_DEPTH, pv: tt_pv };
                self.shared.tt.store(key, entry);
            }
            return Ok(score);
        }

        // Step 4. Noisy moves; in check, all evasions.
        window.alpha = window.alpha.max(stand_pat);
        let tt_move = entry.and_then(|entry| entry.mv);
        let mut node = QNode { ply, window, in_check, tt_move, best: stand_pat, best_move: None };
        self.search_noisy_moves::<N>(&mut node)?;
        let QNode { best, best_move, .. } = node;

        // Step 5. Checkmate.
        if best == -Score::INFINITE {
            return Ok(Score::mated_in(ply));
        }

        // Step 6. TT store. No exact scores: the quiet moves were not searched.
        let bound = if window.fails_high(best) { Bound::Lower } else { Bound::Upper };
        let score = Some((best.to_tt(ply), bound));
        self.shared.tt.store(key, TtEntry { mv: best_move, score, raw_eval, depth: QSEARCH_DEPTH, pv: tt_pv });
        Ok(best)
    }

    /// The score of a child of the node at `ply`, after its move was made. Window and score are the parent's.
    #[inline(always)]
    pub(super) fn qsearch_child<N: NodeKind>(&mut self, window: Window, ply: usize) -> Result<Score, Aborted> {
        Ok(-self.qsearch::<N>(-window, ply + 1)?)
    }

    /// The move loop: raises `node.best`, so far the stand-pat score.
    fn search_noisy_moves<N: NodeKind>(&mut self, node: &mut QNode) -> Result<(), Aborted> {
        let &mut QNode { ply, in_check, .. } = node;
        let futility_base = node.best + params::qsearch_futility_margin();
        let mut picker = MovePicker::noisy(self, node.tt_move, -params::qsearch_see_margin(), in_check);
        if in_check {
            self.update_threats(ply);
        }
        let mut searched = 0;
        while let Some(mv) = picker.next(self, ply) {
            if !node.best.is_loss() {
                // SEE pruning: losing captures come last, and only in check if nothing else was searched.
                if picker.stage() == Stage::BadNoisy && (!in_check || searched > 0) {
                    break;
                }
                // Delta pruning (futility). `best` is raised to what the capture might have reached, so that the bound
                // stays sound.
                if !in_check && let Some(value) = self.futile_capture(mv, futility_base, node.window.alpha) {
                    node.best = node.best.max(value);
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
            if score > node.best {
                node.best = score;
                if score > window.alpha {
                    node.best_move = Some(mv);
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
        Ok(())
    }

    /// Delta pruning: the score that a capture might reach, if that is at most alpha even though it wins the captured
    /// piece for nothing, or because it wins nothing by SEE.
    fn futile_capture(&self, mv: Move, futility_base: Score, alpha: Score) -> Option<Score> {
        if mv.is_promotion() {
            return None;
        }
        let futility_value = futility_base
            + self.captured_type(mv).map_or(0, |piece_type| params::QSEARCH_FUTILITY_VALUES[piece_type.index()]);
        if futility_value <= alpha {
            return Some(futility_value);
        }
        let wins_nothing = || !self.position.see_ge(self.sliders, mv, 1);
        (futility_base <= alpha && wins_nothing()).then_some(futility_base)
    }
}

/// The score of a node that fails high by standing pat: between evaluation and beta, unless one is a proven result.
#[inline]
fn stand_pat_fail_high(stand_pat: Score, beta: Score) -> Score {
    if stand_pat.is_decisive() || beta.is_decisive() {
        stand_pat
    } else {
        stand_pat.lerp(beta, params::stand_pat_lerp())
    }
}
