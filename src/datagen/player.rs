//! One game of an engine against itself.

use std::{io, sync::Arc, time::Instant};

use super::{
    format::{Game, Outcome},
    openings::Openings,
};
use crate::{
    attacks::Sliders,
    clock::Limits,
    movegen::legal_moves,
    position::Position,
    search::{Control, Job, SearchOptions, SearchResult, Shared, Worker},
    syzygy::{Tablebases, Wdl},
    tt::TranspositionTable,
    types::{Color, Score},
    util::Rng,
};

/// Openings that the first search finds further from even than this are not played, in centipawns.
const MAX_OPENING_SCORE: i32 = 400;
/// A move's search breaks off at so many times the nodes at which it should begin no new iteration.
const HARD_FACTOR: u64 = 8;
/// Longer games are drawn, in half-moves.
const MAX_PLIES: usize = 400;

/// How many openings are drawn before the source of them is given up; of eight random moves, most are balanced.
const MAX_DRAWS: usize = 1000;

/// Why there is no game.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The system will not give the memory of the hash table or of the statistics.
    #[error("no memory to play with: {0}")]
    Memory(io::Error),
    /// The openings are all lost or over.
    #[error("of {MAX_DRAWS} openings none was balanced")]
    NoOpening,
}

/// How deep the players think.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thinking {
    /// Nodes a move after which no new iteration begins.
    pub(super) nodes: u64,
    /// The size of the hash table, in mebibytes. A game's worth of entries, in a cache near the core.
    pub(super) hash: usize,
}

/// Plays whole games, each as if it were the first.
pub(super) struct Player<'a, S: Sliders> {
    openings: &'a Openings,
    tables: Option<&'a Tablebases>,
    shared: Arc<Shared>,
    worker: Worker<S>,
    job: Job,
}

impl<'a, S: Sliders> Player<'a, S> {
    /// # Errors
    /// When the system will not give the memory of the hash table.
    pub(super) fn new(sliders: S, openings: &'a Openings, thinking: Thinking) -> Result<Self, PlayError> {
        let table = TranspositionTable::new(thinking.hash).map_err(PlayError::Memory)?;
        let shared = Arc::new(Shared::new(table, Arc::new(Control::new()), 1));
        let limits = Limits {
            soft_nodes: Some(thinking.nodes),
            nodes: Some(thinking.nodes.saturating_mul(HARD_FACTOR)),
            ..Limits::default()
        };
        let job = Job {
            search_id: 1,
            position: Position::startpos(),
            limits,
            options: SearchOptions::default(),
            started: Instant::now(),
        };
        let worker = Worker::new(sliders, shared.clone(), 0).map_err(PlayError::Memory)?;
        Ok(Self { openings, tables: None, shared, worker, job })
    }

    /// Ends games as soon as the tables know their result.
    pub(super) fn with_tables(self, tables: Option<&'a Tablebases>) -> Self {
        Self { tables, ..self }
    }

    /// Plays the game that `rng` decides: it depends on nothing else.
    ///
    /// # Errors
    /// See [`PlayError`].
    pub(super) fn play(&mut self, mut rng: Rng) -> Result<Game, PlayError> {
        let mut found = self.open(&mut rng)?;
        let start = self.job.position.clone();
        let mut moves = Vec::with_capacity(128);
        let mut adjudicator = Adjudicator::default();
        let outcome = loop {
            let Some(best) = found.best() else { break Outcome::Draw };
            let score = white_score(found.score, self.job.position.side_to_move());
            moves.push((best, score));
            if let Some(outcome) = adjudicator.judge(score, self.job.position.game_ply()) {
                break outcome;
            }
            self.job.position.play(best);
            if let Some(outcome) = end_of_game(&self.job.position).or_else(|| self.tabled()) {
                break outcome;
            }
            if moves.len() >= MAX_PLIES {
                break Outcome::Draw;
            }
            found = self.think();
        };
        Ok(Game { start, moves, outcome })
    }

    /// Draws openings until one is balanced, and leaves it on the board with what the first search says of it.
    ///
    /// # Errors
    /// See [`PlayError`].
    pub(super) fn open(&mut self, rng: &mut Rng) -> Result<SearchResult, PlayError> {
        for _ in 0..MAX_DRAWS {
            let Some(position) = self.openings.draw(rng) else { continue };
            self.job.position = position;
            self.forget();
            let found = self.think();
            if found.score.0.abs() <= MAX_OPENING_SCORE {
                return Ok(found);
            }
        }
        Err(PlayError::NoOpening)
    }

    /// What is on the board.
    pub(super) fn position(&self) -> &Position {
        &self.job.position
    }

    /// Nothing of one game may show in the next, or a resumed run would play others than an uninterrupted one.
    fn forget(&mut self) {
        self.shared.tt.clear();
        self.worker.new_game();
    }

    /// How the game ends by the tables, if they have the position.
    fn tabled(&self) -> Option<Outcome> {
        let side = self.job.position.side_to_move();
        self.tables?.probe_wdl(&self.job.position).map(|wdl| match wdl {
            Wdl::Win => Outcome::win(side),
            Wdl::Loss => Outcome::win(!side),
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Outcome::Draw,
        })
    }

    fn think(&mut self) -> SearchResult {
        self.shared.tt.new_search();
        self.shared.reset_counters();
        self.job.started = Instant::now();
        self.worker.search(&self.job, None)
    }
}

/// A score of the side to move, from White's side.
fn white_score(score: Score, side: Color) -> i16 {
    let white = if side == Color::White { score } else { -score };
    white.0.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// How the game ended by the rules, if it did.
fn end_of_game(position: &Position) -> Option<Outcome> {
    if legal_moves(position).is_empty() {
        let mated = position.in_check();
        return Some(if mated { Outcome::win(!position.side_to_move()) } else { Outcome::Draw });
    }
    // Ply zero: only a position that has occurred twice before is a draw, as between people.
    let drawn = position.is_fifty_move_draw() || position.is_insufficient_material() || position.is_repetition(0);
    drawn.then_some(Outcome::Draw)
}

/// Ends games that both sides agree about.
#[derive(Debug, Default)]
struct Adjudicator {
    /// How many scores in a row said that one side wins: positive for White, negative for Black.
    winning: i32,
    /// How many scores in a row were next to nothing.
    even: u32,
}

impl Adjudicator {
    /// From this score on, in centipawns, a side is taken to win...
    const WIN_SCORE: i16 = 2500;
    const LOSS_SCORE: i16 = -Self::WIN_SCORE;
    /// ...if so many scores in a row say so.
    const WIN_PLIES: i32 = 4;
    /// Up to this score, in centipawns, nobody is taken to win...
    const DRAW_SCORE: u16 = 10;
    /// ...if so many scores in a row say so...
    const DRAW_PLIES: u32 = 12;
    /// ...and so many half-moves of the game have been played.
    const DRAW_FROM: u32 = 80;

    /// Takes note of a score from White's side, after `game_ply` half-moves.
    fn judge(&mut self, score: i16, game_ply: u32) -> Option<Outcome> {
        self.winning = match score {
            Self::WIN_SCORE.. => self.winning.max(0) + 1,
            ..=Self::LOSS_SCORE => self.winning.min(0) - 1,
            _ => 0,
        };
        let even = score.unsigned_abs() <= Self::DRAW_SCORE && game_ply >= Self::DRAW_FROM;
        self.even = if even { self.even + 1 } else { 0 };
        if self.winning.abs() >= Self::WIN_PLIES {
            return Some(if self.winning > 0 { Outcome::WhiteWins } else { Outcome::BlackWins });
        }
        (self.even >= Self::DRAW_PLIES).then_some(Outcome::Draw)
    }
}
