//! The self-play engine: one search worker, and the choice of balanced openings.

use std::{io, sync::Arc, time::Instant};

use super::openings::Openings;
use crate::{
    attacks::Sliders,
    clock::{HARD_NODE_FACTOR, Limits},
    position::Position,
    search::{Control, Job, SearchOptions, SearchResult, Shared, Worker},
    tt::TranspositionTable,
    util::Rng,
};

/// Openings are rejected if the score of the first search exceeds this, either way, in internal units: the side ahead
/// scores about 80 % of the points from there.
///
/// CITE: common practice; Reckless rejects from 400, Viridithas from 1000, in units of their own.
const MAX_OPENING_SCORE: i32 = 150;

/// Openings drawn for one game before giving up; most of eight random plies are balanced.
const MAX_DRAWS: usize = 1000;

/// Why no game can be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The transposition table or the histories cannot be allocated.
    #[error("no memory to play with: {0}")]
    Memory(io::Error),
    /// The search was stopped.
    #[error("stopped")]
    Stopped,
    /// All openings drawn are decided or over.
    #[error("of {MAX_DRAWS} openings none was balanced")]
    NoOpening,
}

/// What a player may use for each move.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayerOptions {
    /// Soft node limit: nodes after which no new iteration begins.
    ///
    /// CITE: soft limits in self-play: akimbo and Viridithas. Reckless reports +43 Elo over a fixed limit; not measured
    /// here.
    pub(super) soft_nodes: u64,
    /// The size of the transposition table, in MiB; small, to stay in the caches.
    pub(super) hash_mib: usize,
}

/// Plays both sides of a game with one search worker.
pub(super) struct Player<'a, S: Sliders> {
    openings: &'a Openings,
    shared: Arc<Shared>,
    worker: Worker<S>,
    job: Job,
    /// Nodes of all searches so far.
    nodes: u64,
}

impl<'a, S: Sliders> Player<'a, S> {
    /// A player whose searches end when `control` stops search number `search_id`.
    ///
    /// # Errors
    /// [`PlayError::Memory`].
    pub(super) fn new(
        sliders: S,
        openings: &'a Openings,
        options: PlayerOptions,
        control: Arc<Control>,
        search_id: u64,
    ) -> Result<Self, PlayError> {
        let table = TranspositionTable::new(options.hash_mib).map_err(PlayError::Memory)?;
        let shared = Arc::new(Shared::new(table, control, 1));
        let job = Job {
            search_id,
            position: Position::startpos(),
            limits: Limits {
                soft_nodes: Some(options.soft_nodes),
                nodes: Some(options.soft_nodes.saturating_mul(HARD_NODE_FACTOR)),
                ..Limits::default()
            },
            options: SearchOptions::default(),
            started: Instant::now(),
        };
        let worker = Worker::new(sliders, shared.clone(), 0).map_err(PlayError::Memory)?;
        Ok(Self { openings, shared, worker, job, nodes: 0 })
    }

    /// Draws openings until one is balanced, sets it up as the current position, and returns the result of its search.
    ///
    /// # Errors
    /// [`PlayError::NoOpening`] and [`PlayError::Stopped`].
    pub(super) fn draw_balanced_opening(&mut self, rng: &mut Rng) -> Result<SearchResult, PlayError> {
        for _ in 0..MAX_DRAWS {
            let Some(position) = self.openings.draw(rng) else { continue };
            self.job.position = position;
            self.new_game();
            let result = self.search();
            if self.shared.control.is_stopped(self.job.search_id) {
                return Err(PlayError::Stopped);
            }
            if result.score.0.abs() <= MAX_OPENING_SCORE {
                return Ok(result);
            }
        }
        Err(PlayError::NoOpening)
    }

    /// The current position.
    pub(super) fn position(&self) -> &Position {
        &self.job.position
    }

    /// The current position, to make moves in.
    #[cfg(feature = "lab")]
    pub(super) fn position_mut(&mut self) -> &mut Position {
        &mut self.job.position
    }

    /// Clears the transposition table and the histories. A game must not depend on the games before it, or a resumed run
    /// would differ from an uninterrupted one.
    fn new_game(&mut self) {
        self.shared.tt.clear();
        self.worker.new_game();
    }

    /// Searches the current position.
    pub(super) fn search(&mut self) -> SearchResult {
        self.shared.tt.new_search();
        self.shared.reset_counters();
        self.job.started = Instant::now();
        let result = self.worker.search(&self.job, None);
        self.nodes += result.nodes;
        result
    }

    /// Nodes of all searches so far, those of rejected openings included.
    #[cfg(feature = "lab")]
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }
}
