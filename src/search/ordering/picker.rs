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

use super::{
    quiet_scorer::QuietScorer,
    scored_moves::{PickedMove, ScoredMoves},
};
use crate::{
    movegen::{Noisy, Quiet, generate, generate_into, is_legal},
    params,
    search::tree::Tree,
    types::{Move, MoveList},
};

/// The stages of a [`MovePicker`], in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::search) enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// The moves of one node, best first.
pub(in crate::search) struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    /// The SEE value that a noisy move needs to come before the quiet moves.
    threshold: i32,
    /// True if no more quiet moves are to be returned.
    skip_quiets: bool,
    moves: ScoredMoves,
    bad: ArrayVec<Move, 256>,
    next_bad: usize,
    /// True if the last quiet move gives check.
    quiet_gives_check: bool,
}

impl MovePicker {
    /// All legal moves, for the main search.
    #[inline(always)]
    pub(in crate::search) fn new(tree: &Tree, tt_move: Option<Move>) -> Self {
        let tt_move = tt_move.filter(|&mv| is_legal(&tree.position, mv));
        Self {
            stage: if tt_move.is_some() { Stage::TtMove } else { Stage::GenerateNoisy },
            tt_move,
            threshold: 0,
            skip_quiets: false,
            moves: ScoredMoves::new(),
            bad: ArrayVec::new(),
            next_bad: 0,
            quiet_gives_check: false,
        }
    }

    /// For quiescence search and ProbCut: noisy moves, or all evasions if `in_check`. Noisy moves with a SEE value
    /// below `threshold` come last, in [`Stage::BadNoisy`].
    pub(in crate::search) fn noisy(tree: &Tree, tt_move: Option<Move>, threshold: i32, in_check: bool) -> Self {
        let tt_move = tt_move.filter(|&mv| in_check || mv.is_noisy() && tree.position.see_ge(mv, threshold));
        Self { threshold, skip_quiets: !in_check, ..Self::new(tree, tt_move) }
    }

    /// Skips all remaining quiet moves.
    pub(in crate::search) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Skips all remaining quiet moves that give no check. Only in [`Stage::Quiet`].
    pub(in crate::search) fn skip_quiets_without_check(&mut self) {
        debug_assert_eq!(self.stage, Stage::Quiet);
        self.moves.keep_checks();
    }

    /// Returns true if the last move of [`Stage::Quiet`] gives check.
    pub(in crate::search) fn quiet_gives_check(&self) -> bool {
        self.quiet_gives_check
    }

    /// The stage of the last move; [`Stage::GenerateNoisy`] after the TT move.
    pub(in crate::search) fn stage(&self) -> Stage {
        self.stage
    }

    /// The next move of the node at `ply`.
    pub(in crate::search) fn next(&mut self, tree: &Tree, ply: usize) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    return self.tt_move;
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(tree);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.pick().map(|picked| picked.mv) {
                    Some(mv) if tree.position.see_ge(mv, self.threshold) => return Some(mv),
                    Some(mv) => self.bad.push(mv),
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    if self.skip_quiets {
                        self.stage = Stage::BadNoisy;
                        continue;
                    }
                    self.generate_quiet(tree, ply);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.pick().filter(|_| !self.skip_quiets) {
                    Some(PickedMove { mv, gives_check }) => {
                        self.quiet_gives_check = gives_check;
                        return Some(mv);
                    }
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

    /// The best move left, except the TT move, which came first.
    #[inline]
    fn pick(&mut self) -> Option<PickedMove> {
        self.moves.pick().filter(|picked| Some(picked.mv) != self.tt_move).or_else(|| self.moves.pick())
    }

    // Out of line: inlined, the generator's setup would slow down every call of `next`.
    // CITE: Reckless, Stash - a bonus for promotions.
    #[inline(never)]
    fn generate_noisy(&mut self, tree: &Tree) {
        let mut moves = MoveList::new();
        generate::<Noisy>(&tree.position, &mut moves);
        for mv in moves {
            let captured = tree.captured_type(mv);
            let gain = captured.map_or(0, |piece_type| params::mvv_values()[piece_type.index()])
                + if mv.is_promotion() { params::order_promotion() } else { 0 };
            let history = tree.moved_piece(mv).map_or(0, |piece| tree.histories.capture(piece, mv.to(), captured));
            self.moves.push(mv, params::order_mvv() * gain + history * params::order_capture() / 16, false);
        }
    }

    #[inline(never)]
    fn generate_quiet(&mut self, tree: &Tree, ply: usize) {
        self.moves.clear();
        let position = &tree.position;
        let check_squares = position.check_squares();
        let mut scorer = QuietScorer::new(tree, ply, &check_squares, &mut self.moves);
        generate_into::<Quiet>(position.board(), position.checkers_and_pins(), &mut scorer);
    }
}
