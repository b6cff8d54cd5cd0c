//! The engine's events and errors, as its client is told them.

use std::io;

use super::engine_options::EngineOptions;
use crate::{
    game::GameError,
    nnue::NetworkError,
    notation::UciMove,
    search::{Job, SearchReport},
    syzygy::OpenError,
    types::Move,
};

/// Whoever uses the engine: a program that speaks UCI, or a person at a terminal.
pub(crate) trait Client: Send + Sync {
    /// Shows an event. `options` are those of the search that it belongs to. Called by the engine's threads.
    fn on_event(&self, event: &Event<'_>, options: &EngineOptions);
}

#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// The answer to [`Engine::ready`](super::Engine::ready).
    Ready,
    /// The best lines of a search so far.
    Report(&'a SearchReport),
    /// The root move that a long search is at, with its number from 1. The report has no lines.
    Progress(&'a SearchReport, Move, u16),
    /// The end of a search. Every [`Engine::go`](super::Engine::go) is answered by exactly one of these.
    BestMove {
        /// The move; `None` where there is no legal one, or no position.
        best: Option<Move>,
        ponder: Option<Move>,
    },
    /// A task has ended.
    TaskEnded,
    /// What the first search runs on.
    Machine {
        threads: usize,
        /// The size of the transposition table, in MiB.
        hash: usize,
    },
    /// A search as it was understood, if [`EngineOptions::debug`] asks for that.
    Understood(&'a Job),
    /// Tablebases were opened.
    TablebasesOpened {
        files: usize,
        /// Pieces of the largest tables, kings included.
        max_pieces: usize,
    },
    /// Something that could not be done.
    Error(EngineError),
}

/// Something that the engine could not do. The message says what and why; the client decides how to show it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EngineError {
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("skipped `searchmoves {first}`{more}, illegal here")]
    IllegalSearchMoves { first: UciMove, more: String },
    #[error("`searchmoves` names no legal move, so all are searched")]
    NoLegalSearchMove,
    #[error("a search thread panicked; please report this as a bug")]
    WorkerPanicked,
    #[error("no memory for a hash table of {mebibytes} MiB: {source}; back to {kept} MiB")]
    HashMemory { mebibytes: usize, source: io::Error, kept: usize },
    #[error("no search thread: {source}; back to {kept}")]
    Thread { source: io::Error, kept: usize },
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Tablebases(#[from] OpenError),
    #[error("{0}")]
    DamagedTablebase(String),
    #[error("stopped, as too many commands wait for the end")]
    Backlog,
}
