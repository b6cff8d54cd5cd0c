//! Moves one at a time, the most promising first, generated only when their turn comes.

use arrayvec::ArrayVec;

use super::worker::Worker;
use crate::{
    attacks::Sliders,
    history::{Context, QuietHistories, QuietKey},
    movegen::{Noisy, Quiet, generate, is_legal},
    params::order_noisy,
    types::{Move, MoveList, PieceType},
};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Worth of a victim when captures are ordered.
const VICTIM: [i32; PieceType::COUNT] = [100, 350, 370, 550, 1000, 0];

pub(super) struct MovePicker {
    stage: Stage,
    table_move: Option<Move>,
    /// The exchange result, in centipawns, that a noisy move needs to be tried before the quiet ones.
    threshold: i32,
    skip_quiets: bool,
    moves: Ranking,
    bad: ArrayVec<Move, 256>,
    next_bad: usize,
}

impl MovePicker {
    /// All moves, for the main search.
    pub(super) fn new<S: Sliders>(worker: &Worker<S>, table_move: Option<Move>) -> Self {
        let table_move = table_move.filter(|&mv| is_legal(&worker.position, mv));
        Self {
            stage: if table_move.is_some() { Stage::TableMove } else { Stage::GenerateNoisy },
            table_move,
            threshold: 0,
            skip_quiets: false,
            moves: Ranking::new(),
            bad: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// Noisy moves, and quiet ones too if `quiets`. Those that win less than `threshold` come last, in a stage of their own.
    pub(super) fn noisy<S: Sliders>(
        worker: &Worker<S>,
        table_move: Option<Move>,
        threshold: i32,
        quiets: bool,
    ) -> Self {
        let table_move =
            table_move.filter(|&mv| quiets || mv.is_noisy() && worker.position.see_ge(worker.sliders, mv, threshold));
        Self { threshold, skip_quiets: !quiets, ..Self::new(worker, table_move) }
    }

    /// No more quiet moves, please.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The stage the last move came from.
    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    pub(super) fn next<S: Sliders>(&mut self, worker: &Worker<S>, ply: usize) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(mv) = self.table_move.filter(|mv| !self.skip_quiets || mv.is_noisy()) {
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
                    if self.skip_quiets {
                        self.stage = Stage::BadNoisy;
                        continue;
                    }
                    self.generate_quiet(worker, ply);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.pick().filter(|_| !self.skip_quiets) {
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

    /// The best move left, the table's aside: that one has had its turn.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        self.moves.pick().filter(|mv| Some(*mv) != self.table_move).or_else(|| self.moves.pick())
    }

    // Apart from the loop above, whose other stages would carry its preparations along.
    #[inline(never)]
    fn generate_noisy<S: Sliders>(&mut self, worker: &Worker<S>) {
        let generated = |list: &mut _| generate::<S, Noisy>(worker.sliders, &worker.position, list);
        self.moves.fill(generated, |mv| {
            let captured = worker.captured_kind(mv);
            let gain = captured.map_or(0, |kind| VICTIM[kind.index()]) + if mv.is_promotion() { 800 } else { 0 };
            let history = worker.moved_piece(mv).map_or(0, |piece| worker.histories.noisy(piece, mv.to(), captured));
            16 * gain + history * order_noisy() / 16
        });
    }

    #[inline(never)]
    fn generate_quiet<S: Sliders>(&mut self, worker: &Worker<S>, ply: usize) {
        let judge = QuietJudge::new(worker, ply);
        let generated = |list: &mut _| generate::<S, Quiet>(worker.sliders, &worker.position, list);
        self.moves.fill(generated, |mv| judge.score(mv));
    }
}

/// Scored moves, given out from the best down.
struct Ranking {
    moves: MoveList,
    /// For each move its score, and below that 255 less its index, so that the greatest key tells the best move, and
    /// of several the first. [`GONE`] for moves given out.
    keys: ArrayVec<i32, 256>,
}

/// Bits of a key below the score.
const INDEX_BITS: u32 = 8;
/// Below every key of a move that is still there.
const GONE: i32 = i32::MIN;

impl Ranking {
    fn new() -> Self {
        Self { moves: MoveList::new(), keys: ArrayVec::new() }
    }

    /// Replaces the moves by those that `generate` lists. Scores are below 8,388,608 either way.
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

    /// The best move left. A look through all keys costs less than keeping them sorted: most nodes cut early.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        let best = self.keys.iter().copied().fold(GONE, i32::max);
        if best == GONE {
            return None;
        }
        let index = 255 - (best & 255) as usize;
        self.keys[index] = GONE;
        Some(self.moves[index])
    }
}

/// Scores the quiet moves of one node: whatever is the same for all of them is looked up once.
struct QuietJudge<'a, S: Sliders> {
    worker: &'a Worker<S>,
    histories: QuietHistories<'a>,
}

impl<'a, S: Sliders> QuietJudge<'a, S> {
    fn new(worker: &'a Worker<S>, ply: usize) -> Self {
        let (threats, pawn_key) = (worker.stack[ply].threats, worker.position.keys().pawn);
        let side = worker.position.side_to_move();
        Self { worker, histories: worker.histories.quiet_view(side, threats, pawn_key, &worker.contexts(ply)) }
    }

    #[inline(always)]
    fn score(&self, mv: Move) -> i32 {
        self.worker.moved_piece(mv).map_or(0, |piece| self.histories.score(piece, mv))
    }
}

/// The earlier moves that quiet moves are judged by: one, two, four and six plies back.
pub(super) type Contexts = [Context; 4];

impl<S: Sliders> Worker<S> {
    #[inline]
    pub(super) fn contexts(&self, ply: usize) -> Contexts {
        [1, 2, 4, 6].map(|back| self.stack.before(ply, back).context)
    }

    #[inline]
    pub(super) fn quiet_key(&self, mv: Move, ply: usize) -> Option<QuietKey> {
        let piece = self.moved_piece(mv)?;
        Some(QuietKey { piece, mv, threats: self.stack[ply].threats, pawn_key: self.position.keys().pawn })
    }
}
