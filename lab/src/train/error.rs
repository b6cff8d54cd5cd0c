//! The errors of a training.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{checkpoint::CheckpointError, load::LoadError};
use sleight::nnue::{Architecture, InvalidNetwork, NetworkError};

/// Why a training failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrainError {
    /// The training data could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The training or the validation set is empty.
    #[error("{training} positions to train on and {validation} to validate on are too few")]
    TooFew {
        /// Size of the training set.
        training: usize,
        /// Size of the validation set.
        validation: usize,
    },
    /// The checkpoint cannot be resumed.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The network to start from cannot be read.
    #[error(transparent)]
    Initial(#[from] NetworkError),
    /// The network to start from has more hidden neurons or other king buckets.
    #[error("a training from a network needs its king buckets, and its hidden neurons or more: {0}")]
    Shape(Architecture),
    /// The checkpoint to start from has other weights.
    #[error("the checkpoint to start from is of another architecture than {0}")]
    CheckpointShape(Architecture),
    /// Another training is writing to the directory.
    #[error("{}: another training is writing to it", .0.display())]
    InUse(PathBuf),
    /// The directory holds the checkpoint of an unfinished training.
    #[error("{}: an unfinished training is there; continue it with --resume, or choose another directory", .0.display())]
    Unfinished(PathBuf),
    /// An output file cannot be written.
    #[error("{path}: {source}")]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The initial network lies where the trained one is to be written.
    #[error("{}: the trained network would replace the initial one there; choose another directory", .0.display())]
    Overwrites(PathBuf),
    /// The weights are such that the engine would refuse the network.
    #[error("the training diverged: {0}")]
    Diverged(InvalidNetwork),
    /// The plot cannot be drawn.
    #[error("{0}")]
    Plot(String),
    /// The trainer is not compiled for that architecture.
    #[error("there are 128, 256, 512 or 1024 hidden neurons, and king buckets as in the engine or 1")]
    Architecture,
}

impl TrainError {
    pub(super) fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::Write { path, source }
    }
}
