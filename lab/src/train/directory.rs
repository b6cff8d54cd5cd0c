//! The output directory of a training.

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
};

use super::{checkpoint::CheckpointError, error::TrainError, options::TrainOptions};
use crate::files::{create_regular, replace_file};

/// The name of the trained network.
pub(super) const NETWORK: &str = "network.nnue";
/// The name of the last checkpoint once the training is finished.
pub(super) const FINAL_CHECKPOINT: &str = "network.checkpoint";
/// The name of the checkpoint, which is there as long as the training is unfinished.
pub(super) const CHECKPOINT: &str = "checkpoint";

/// An output directory, locked against other trainings.
#[derive(Debug)]
pub(super) struct OutputDirectory {
    path: PathBuf,
    _lock: File,
}

impl OutputDirectory {
    /// Creates the directory if it is missing, and locks it.
    ///
    /// # Errors
    /// If it cannot be written, another training is writing to it, there is an unfinished training that is not to be
    /// resumed, or none to resume, or the initial network would be overwritten.
    pub(super) fn open(options: &TrainOptions) -> Result<Self, TrainError> {
        let path = &options.out;
        fs::create_dir_all(path).map_err(TrainError::writing(path))?;
        let directory = Self { path: path.clone(), _lock: lock(path)? };
        let is_unfinished = fs::symlink_metadata(directory.path(CHECKPOINT)).is_ok();
        match &options.settings.initial {
            Some(initial)
                if [NETWORK, FINAL_CHECKPOINT].iter().any(|name| is_same_file(initial, &directory.path(name))) =>
            {
                Err(TrainError::Overwrites(path.clone()))
            }
            _ if options.resume && !is_unfinished => Err(CheckpointError::Missing(path.clone()).into()),
            _ if !options.resume && is_unfinished => Err(TrainError::Unfinished(path.clone())),
            _ => Ok(directory),
        }
    }

    /// The path of the file of that name.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file, which replaces the one before it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainError> {
        let path = self.path(name);
        replace_file(&path, bytes).map_err(TrainError::writing(&path))
    }

    /// Renames a file, which replaces the one of that name.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub(super) fn rename(&self, from: &str, to: &str) -> Result<(), TrainError> {
        let path = self.path(from);
        fs::rename(&path, self.path(to)).map_err(TrainError::writing(&path))
    }
}

/// Locks a directory against other trainings until the file is closed.
fn lock(directory: &Path) -> Result<File, TrainError> {
    let path = directory.join("lock");
    let file = create_regular(&path).map_err(TrainError::writing(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(TrainError::InUse(directory.to_owned())),
        Err(TryLockError::Error(error)) => Err(TrainError::writing(&path)(error)),
    }
}

/// Returns true if both are paths of one file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}
