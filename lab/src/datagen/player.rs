//! The self-play engine: one search worker with a transposition table of its own.

use std::{io, sync::Arc, time::Instant};

use sleight::{
    position::Position,
    search::{Control, Job, Limits, SearchResult, Shared, Worker},
    tt::TranspositionTable,
    types::{Move, Score},
};

/// Plays both sides of a game with one search worker.
pub(super) struct Player {
    shared: Arc<Shared>,
    worker: Worker,
    job: Job,
    /// Nodes of all searches so far.
    nodes: u64,
}

impl Player {
    /// A player with a transposition table of `hash_mib` MiB, which should be small, to stay in the caches.
    ///
    /// # Errors
    /// If the table or the histories cannot be allocated.
    pub(super) fn new(hash_mib: usize) -> io::Result<Self> {
        let shared = Arc::new(Shared::new(TranspositionTable::new(hash_mib)?, Arc::new(Control::new()), 1));
        let job = Job::new(Position::startpos(), Limits::default());
        let worker = Worker::new(shared.clone(), 0)?;
        Ok(Self { shared, worker, job, nodes: 0 })
    }

    /// Clears the transposition table and the histories. A game must not depend on the games before it, or a resumed
    /// run would differ from an uninterrupted one.
    pub(super) fn new_game(&mut self) {
        self.shared.tt.clear();
        self.worker.new_game();
    }

    /// The current position.
    pub(super) fn position(&self) -> &Position {
        &self.job.position
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        self.job.position.make(mv);
        // Every search copies the position with the game that can be repeated.
        if self.job.position.halfmove_clock() == 0 {
            self.job.position.forget_history();
        }
    }

    /// The current position, to replace it.
    pub(super) fn position_mut(&mut self) -> &mut Position {
        &mut self.job.position
    }

    /// Searches the current position to a soft limit of `nodes`: nodes after which no new iteration begins.
    // CITE: soft limits in self-play: akimbo and Viridithas. Reckless reports +43 Elo over a fixed limit; not measured
    // here.
    pub(super) fn search(&mut self, nodes: u64) -> SearchResult {
        self.search_with(nodes, 1)
    }

    /// Searches the best `lines` moves of the current position to a soft limit of `nodes`. Returns each move with its
    /// last score, best first; nothing if there is no legal move, or the hard limit ended the first iteration, in which
    /// some moves would have no score of their own.
    pub(super) fn search_lines(&mut self, nodes: u64, lines: usize) -> Vec<(Move, Score)> {
        let result = self.search_with(nodes, lines);
        if result.depth == 0 {
            return Vec::new();
        }
        result.lines.iter().filter_map(|line| Some((*line.pv.first()?, line.score))).collect()
    }

    fn search_with(&mut self, nodes: u64, lines: usize) -> SearchResult {
        self.job.started = Instant::now();
        self.job.limits = Limits::soft_nodes(nodes);
        self.job.options.multi_pv = lines;
        let result = self.worker.search(&self.job, None);
        self.nodes += result.nodes;
        result
    }

    /// Nodes of all searches so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }
}
