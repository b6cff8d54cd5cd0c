use std::{error::Error, io};

use super::{
    command::{InputError, SetupError},
    options::OptionError,
    position_command::GameError,
};
use crate::{nnue::NetworkError, notation::UciMove, syzygy::OpenError};

/// A command, or a part of one, that failed. The message says what and why; the frontend decides how to show it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EngineError {
    /// The input could not be understood, or not all of it.
    #[error(transparent)]
    Input(#[from] InputError),
    /// An option was not set.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A position was not set up.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A search could not be made as asked.
    #[error(transparent)]
    Go(#[from] GoError),
    /// The transposition table cannot be allocated.
    #[error("no memory for a hash table of {mebibytes} MiB: {source}")]
    HashMemory {
        /// The size that was asked for.
        mebibytes: usize,
        /// The system's answer.
        source: io::Error,
    },
    /// A thread cannot be started.
    #[error("no search thread: {0}")]
    Thread(#[source] io::Error),
    /// A network file was refused.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A tablebase file or directory was refused.
    #[error(transparent)]
    Tablebases(#[from] OpenError),
    /// A probe found a tablebase file damaged.
    #[error("{0}")]
    DamagedTablebase(String),
    /// A search or task was stopped, since no further command could be read before its end.
    #[error("stopped, as too many commands wait for the end")]
    Backlog,
    /// A command of the frontend itself failed.
    #[error(transparent)]
    Frontend(Box<dyn Error + Send + Sync>),
}

/// A defect of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum GoError {
    /// Root moves that are not legal.
    #[error("skipped `searchmoves {first}`{}, illegal here", and_more(.more))]
    IllegalSearchMoves {
        /// The first of them.
        first: UciMove,
        /// The number of the others.
        more: usize,
    },
    /// None of the root moves is legal.
    #[error("`searchmoves` names no legal move, so all are searched")]
    NoLegalSearchMove,
    /// A search thread panicked.
    #[error("a search thread panicked; please report this as a bug")]
    WorkerPanicked,
}

fn and_more(more: &usize) -> String {
    if *more == 0 { String::new() } else { format!(" and {more} more") }
}

impl EngineError {
    /// A correct command to try instead, where there is one and the message does not show it itself.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "for the terminal"))]
    pub(crate) fn suggestion(&self) -> Option<&'static str> {
        match self {
            Self::Input(error) => error.suggestion(),
            Self::Option(_) => Some("setoption name Hash value 256"),
            Self::Game(GameError::Fen(_) | GameError::Setup(SetupError::NoPosition(_))) => {
                Some("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1")
            }
            Self::Game(_) => Some("position startpos moves e2e4 e7e5"),
            Self::Go(_)
            | Self::HashMemory { .. }
            | Self::Thread(_)
            | Self::Network(_)
            | Self::Tablebases(_)
            | Self::DamagedTablebase(_)
            | Self::Backlog
            | Self::Frontend(_) => None,
        }
    }
}
