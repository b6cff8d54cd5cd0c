//! The errors of labelling.

use std::{io, path::PathBuf};

use super::{network_file::NetworkError, uci_engine::EngineError};
use crate::train::LoadError;

/// Why files could not be labelled.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LabelError {
    /// The teacher cannot be read.
    #[error("{}: {source}", path.display())]
    Network {
        /// The network file.
        path: PathBuf,
        /// The reason.
        source: NetworkError,
    },
    /// The engine cannot be started or does not answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A file is of no known format, or a record is not a position.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Two files have one name, or an output would replace its input.
    #[error("{}: the output would have the name of another file to be labelled", .0.display())]
    SameName(PathBuf),
    /// Another process is writing to the file.
    #[error("{}: another run is writing to it", .0.display())]
    InUse(PathBuf),
    /// The labelling was begun otherwise.
    #[error("{}: it was begun with another teacher or another input; remove it to begin again", .0.display())]
    Begun(PathBuf),
}

impl LabelError {
    /// Makes an error of the system one of a file.
    pub(super) fn at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        |source| Self::Io { path: path.into(), source }
    }
}
