//! Moves one at a time, the most promising first, generated only when their turn comes.

use arrayvec::ArrayVec;

use super::worker::Worker;
use crate::{
    attacks::Sliders,
    history::{Context, QuietHistories, QuietKey},
    movegen::{Noisy, Quiet, generate, is_legal},
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

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Worth of a victim when captures are ordered.
const VICTIM: [i32; PieceType::COUNT] = [100, 350, 370, 550, 1000, 0];

pub(super) struct MovePicker {
    stage: Stage,
    table_move: Option<Move>,
    /// The exchange result, in centipawns, that a noisy move needs to be tried before the quiet ones.
    threshold: i32,
    skip_quiets: bool,
    moves: ArrayVec<Scored, 256>,
    next: usize,
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
            moves: ArrayVec::new(),
            next: 0,
            bad: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// Noisy moves that win at least `threshold`; quiet ones too if `quiets`.
    pub(super) fn noisy<S: Sliders>(
        worker: &Worker<S>,
        table_move: Option<Move>,
        threshold: i32,
        quiets: bool,
    ) -> Self {
        let table_move = table_move
            .filter(|&mv| quiets || mv.is_noisy() && worker.position.see_at_least(worker.sliders, mv, threshold));
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
                    Some(mv) if worker.position.see_at_least(worker.sliders, mv, self.threshold) => return Some(mv),
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

    /// Selection sort, one step: most nodes cut before the list is through.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        loop {
            let rest = self.moves.get_mut(self.next..).filter(|rest| !rest.is_empty())?;
            let (mut best, mut score) = (0, rest[0].score);
            for (index, scored) in rest.iter().enumerate().skip(1) {
                if scored.score > score {
                    (best, score) = (index, scored.score);
                }
            }
            rest.swap(0, best);
            let mv = rest[0].mv;
            self.next += 1;
            if Some(mv) != self.table_move {
                return Some(mv);
            }
        }
    }

    fn generate_noisy<S: Sliders>(&mut self, worker: &Worker<S>) {
        let mut list = MoveList::new();
        generate::<S, Noisy>(worker.sliders, &worker.position, &mut list);
        self.moves.extend(list.into_iter().map(|mv| {
            let captured = worker.captured_kind(mv);
            let gain = captured.map_or(0, |kind| VICTIM[kind.index()]) + if mv.is_promotion() { 800 } else { 0 };
            let history = worker.moved_piece(mv).map_or(0, |piece| worker.histories.noisy(piece, mv.to(), captured));
            Scored { mv, score: 16 * gain + history / 2 }
        }));
    }

    fn generate_quiet<S: Sliders>(&mut self, worker: &Worker<S>, ply: usize) {
        let mut list = MoveList::new();
        generate::<S, Quiet>(worker.sliders, &worker.position, &mut list);
        self.moves.clear();
        self.next = 0;
        let judge = QuietJudge::new(worker, ply);
        self.moves.extend(list.into_iter().map(|mv| Scored { mv, score: judge.score(mv) }));
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
