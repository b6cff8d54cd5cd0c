//! The self-play engine: one search worker with a transposition table of its own.

use std::{io, sync::Arc, time::Instant};

use sleight::{
    attacks::Sliders,
    clock::Limits,
    openings::{NoOpening, Openings},
    position::Position,
    search::{Control, Job, SearchOptions, SearchResult, Shared, Worker},
    tt::TranspositionTable,
    util::Rng,
};

/// Why no game can be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The transposition table or the histories cannot be allocated.
    #[error("no memory to play with: {0}")]
    Memory(io::Error),
    /// No balanced opening can be found.
    #[error(transparent)]
    NoOpening(#[from] NoOpening),
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
pub(super) struct Player<S: Sliders> {
    shared: Arc<Shared>,
    worker: Worker<S>,
    job: Job,
    /// Nodes of all searches so far.
    nodes: u64,
}

impl<S: Sliders> Player<S> {
    /// A player at the standard starting position.
    ///
    /// # Errors
    /// [`PlayError::Memory`].
    pub(super) fn new(sliders: S, options: PlayerOptions) -> Result<Self, PlayError> {
        let table = TranspositionTable::new(options.hash_mib).map_err(PlayError::Memory)?;
        let shared = Arc::new(Shared::new(table, Arc::new(Control::new()), 1));
        let job = Job {
            search_id: 1,
            position: Position::startpos(),
            limits: Limits::soft_nodes(options.soft_nodes),
            options: SearchOptions::default(),
            started: Instant::now(),
        };
        let worker = Worker::new(sliders, shared.clone(), 0).map_err(PlayError::Memory)?;
        Ok(Self { shared, worker, job, nodes: 0 })
    }

    /// Draws openings until one is balanced, sets it up as the current position, and returns the result of its search.
    ///
    /// # Errors
    /// [`PlayError::NoOpening`].
    pub(super) fn draw_balanced_opening(
        &mut self,
        openings: &Openings,
        rng: &mut Rng,
    ) -> Result<SearchResult, PlayError> {
        let drawn = openings.draw_balanced(rng, |opening| {
            self.job.position.clone_from(opening);
            self.new_game();
            Ok::<_, NoOpening>(self.search())
        });
        Ok(drawn.map(|(_, result)| result)?)
    }

    /// The current position.
    pub(super) fn position(&self) -> &Position {
        &self.job.position
    }

    /// The current position, to make moves in.
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
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }
}
