//! Staged move ordering: moves one at a time, the most promising first, each kind generated when its turn comes.
//!
//! ```text
//! TT move -> good captures and promotions (MVV + capture history, SEE >= threshold)
//!         -> quiet moves (butterfly, pawn and continuation history, checks, attacks by lesser pieces)
//!         -> bad captures and promotions (SEE < threshold)
//! ```
//!
//! A TT move that is not legal in the position is dropped. There are no killer moves and no countermoves.
// CITE: Stockfish, by way of Reckless - stages, MVV with capture history, captures split by SEE, no killers.

use arrayvec::ArrayVec;

use super::{quiet_scorer::QuietScorer, worker::Worker};
use crate::{
    attacks::Sliders,
    movegen::{Noisy, Quiet, generate, is_legal},
    params,
    position::CheckSquares,
    types::{Move, MoveList},
};

/// The stages of a [`MovePicker`], in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    QuietCheck,
    BadNoisy,
    Done,
}

/// The quiet moves that a [`MovePicker`] still returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quiets {
    All,
    Checks,
    None,
}

/// The moves of one node, best first.
pub(super) struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    /// The SEE value that a noisy move needs to come before the quiet moves.
    threshold: i32,
    quiets: Quiets,
    check_squares: Option<CheckSquares>,
    moves: ScoredMoves,
    bad: ArrayVec<Move, 256>,
    next_bad: usize,
}

impl MovePicker {
    /// All legal moves, for the main search.
    #[inline(always)]
    pub(super) fn new<S: Sliders>(worker: &Worker<S>, tt_move: Option<Move>) -> Self {
        let tt_move = tt_move.filter(|&mv| is_legal(&worker.position, mv));
        Self {
            stage: if tt_move.is_some() { Stage::TtMove } else { Stage::GenerateNoisy },
            tt_move,
            threshold: 0,
            quiets: Quiets::All,
            check_squares: None,
            moves: ScoredMoves::new(),
            bad: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// Noisy moves, and quiet moves too if `quiets`. Noisy moves with a SEE value below `threshold` come last, in
    /// [`Stage::BadNoisy`].
    pub(super) fn noisy<S: Sliders>(worker: &Worker<S>, tt_move: Option<Move>, threshold: i32, quiets: bool) -> Self {
        let tt_move =
            tt_move.filter(|&mv| quiets || mv.is_noisy() && worker.position.see_ge(worker.sliders, mv, threshold));
        let quiets = if quiets { Quiets::All } else { Quiets::None };
        Self { threshold, quiets, ..Self::new(worker, tt_move) }
    }

    /// Skips all remaining quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.quiets = Quiets::None;
    }

    /// Skips all remaining quiet moves that give no check.
    pub(super) fn skip_quiets_without_check(&mut self) {
        self.quiets = Quiets::Checks;
    }

    /// Returns true if a move of the node gives check.
    #[inline(always)]
    pub(super) fn gives_check<S: Sliders>(&mut self, worker: &Worker<S>, mv: Move) -> bool {
        let squares = self.check_squares.get_or_insert_with(|| worker.position.check_squares(worker.sliders));
        worker.position.gives_check(squares, mv)
    }

    /// The stage of the last move.
    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    /// The next move of the node at `ply`.
    pub(super) fn next<S: Sliders>(&mut self, worker: &Worker<S>, ply: usize) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(mv) = self.tt_move.filter(|mv| self.quiets != Quiets::None || mv.is_noisy()) {
                        return Some(mv);
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(worker);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.pick() {
                    Some(mv) if worker.position.see_ge(worker.sliders, mv, self.threshold) => return Some(mv),
                    Some(mv) => self.bad.push(mv),
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    if self.quiets == Quiets::None {
                        self.stage = Stage::BadNoisy;
                        continue;
                    }
                    self.generate_quiet(worker, ply);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet if self.quiets == Quiets::Checks => {
                    self.keep_checks(worker);
                    self.stage = Stage::QuietCheck;
                }
                Stage::Quiet | Stage::QuietCheck => match self.pick().filter(|_| self.quiets != Quiets::None) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => match self.bad.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Removes the moves that give no check.
    fn keep_checks<S: Sliders>(&mut self, worker: &Worker<S>) {
        let squares = self.check_squares.get_or_insert_with(|| worker.position.check_squares(worker.sliders));
        self.moves.retain(|mv| worker.position.gives_check(squares, mv));
    }

    /// The best move left, except the TT move, which came first.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        self.moves.pick().filter(|mv| Some(*mv) != self.tt_move).or_else(|| self.moves.pick())
    }

    // Out of line: inlined, the generator's setup would slow down every call of `next`.
    // CITE: own - the value of a promotion.
    #[inline(never)]
    fn generate_noisy<S: Sliders>(&mut self, worker: &Worker<S>) {
        let generated = |list: &mut _| generate::<S, Noisy>(worker.sliders, &worker.position, list);
        self.moves.fill(generated, |mv| {
            let captured = worker.captured_type(mv);
            let gain = captured.map_or(0, |kind| params::MVV_VALUES[kind.index()])
                + if mv.is_promotion() { params::order_promotion() } else { 0 };
            let history = worker.moved_piece(mv).map_or(0, |piece| worker.histories.capture(piece, mv.to(), captured));
            params::order_mvv() * gain + history * params::order_capture() / 16
        });
    }

    #[inline(never)]
    fn generate_quiet<S: Sliders>(&mut self, worker: &Worker<S>, ply: usize) {
        let check_squares = self.check_squares.get_or_insert_with(|| worker.position.check_squares(worker.sliders));
        let scorer = QuietScorer::new(worker, ply, check_squares);
        let generated = |list: &mut _| generate::<S, Quiet>(worker.sliders, &worker.position, list);
        self.moves.fill(generated, |mv| scorer.score(mv));
    }
}

/// Scored moves, picked in descending order: a selection sort on demand.
// Scores and indices packed into one word are our own: with the generation out of line, 3684 instructions per node of
// bench became 2834.
struct ScoredMoves {
    moves: MoveList,
    /// For each move its score, and in the low bits 255 less its index, so that the greatest key is the best move's,
    /// and among equals the first one's. [`TAKEN`] for moves picked before.
    keys: ArrayVec<i32, 256>,
}

/// Bits of a key below the score.
const INDEX_BITS: u32 = 8;
/// The key of a picked move: below all others.
const TAKEN: i32 = i32::MIN;

impl ScoredMoves {
    #[inline(always)]
    fn new() -> Self {
        Self { moves: MoveList::new(), keys: ArrayVec::new() }
    }

    /// Replaces the moves by those that `generate` lists. The scores' absolute values are below 2^23.
    #[inline(always)]
    fn fill(&mut self, generate: impl FnOnce(&mut MoveList), score: impl Fn(Move) -> i32) {
        self.moves.clear();
        generate(&mut self.moves);
        self.keys.clear();
        for (index, &mv) in self.moves.iter().enumerate() {
            let score = score(mv);
            debug_assert!(score.abs() < 1 << (31 - INDEX_BITS));
            self.keys.push(score << INDEX_BITS | (255 - index as i32));
        }
    }

    /// Removes the moves left that `keep` refuses.
    #[inline(always)]
    fn retain(&mut self, keep: impl Fn(Move) -> bool) {
        for (key, &mv) in self.keys.iter_mut().zip(&self.moves) {
            if *key != TAKEN && !keep(mv) {
                *key = TAKEN;
            }
        }
    }

    /// The best move left. A scan of all keys costs less than keeping them sorted, as most nodes fail high early; and
    /// it vectorizes.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        let best = self.keys.iter().copied().fold(TAKEN, i32::max);
        if best == TAKEN {
            return None;
        }
        let index = 255 - (best & 255) as usize;
        self.keys[index] = TAKEN;
        Some(self.moves[index])
    }
}
