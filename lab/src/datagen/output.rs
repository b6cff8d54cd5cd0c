//! An output file of games, locked by one writer and recoverable after a kill at any byte.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use sleight::{types::Key, util::open_regular_with};

use super::format::{GameReader, GameRecord, ReadError};

/// A file of games opened for appending, so that writes go to its end wherever it was read.
#[derive(Debug)]
pub(super) struct GameFile {
    path: PathBuf,
    file: File,
    /// The number of games in the file.
    pub(super) games: u64,
    /// The number of positions with a score.
    pub(super) positions: u64,
    /// The key of the position that each game began with when the file was opened.
    pub(super) openings: Vec<Key>,
    /// The bytes of an incomplete game that were removed from its end.
    pub(super) truncated: u64,
}

/// Why games cannot be appended to a file.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct FileError {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug, thiserror::Error)]
enum Reason {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("another process is writing to it")]
    Locked,
    #[error("{0}; move the file away")]
    Unreadable(ReadError),
}

impl FileError {
    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        Self { path: path.to_owned(), reason: error.into() }
    }

    fn new(path: &Path, reason: Reason) -> Self {
        Self { path: path.to_owned(), reason }
    }
}

impl GameFile {
    /// Opens or creates a file. An incomplete game at its end, as a kill leaves it, is removed; damage anywhere else is
    /// reported and left alone.
    ///
    /// # Errors
    /// If the file cannot be opened, is in use, or is damaged.
    pub(super) fn open(path: &Path) -> Result<Self, FileError> {
        Self::open_or_reason(path).map_err(|reason| FileError::new(path, reason))
    }

    fn open_or_reason(path: &Path) -> Result<Self, Reason> {
        let file = open_locked(path)?;
        let (mut positions, mut openings, mut truncated) = (0, Vec::new(), 0);
        for game in GameReader::new(BufReader::with_capacity(1 << 20, &file)) {
            match game {
                Ok(game) => {
                    positions += game.positions() as u64;
                    openings.push(game.start.key());
                }
                Err(ReadError::Truncated { complete }) => {
                    truncated = file.metadata()?.len().saturating_sub(complete);
                    file.set_len(complete)?;
                }
                Err(error) => return Err(Reason::Unreadable(error)),
            }
        }
        Ok(Self { path: path.to_owned(), file, games: openings.len() as u64, positions, openings, truncated })
    }

    /// Appends a game in one write, so that it survives the end of this process.
    ///
    /// # Errors
    /// If the file cannot be written; the next [`Self::open`] removes the incomplete game.
    pub(super) fn append(&mut self, game: &GameRecord) -> Result<(), FileError> {
        let written = game.write_to(&mut self.file);
        written.map_err(|error| FileError::io(&self.path, error))?;
        self.games += 1;
        self.positions += game.positions() as u64;
        Ok(())
    }
}

/// Opens a file for appending, and locks it against other processes.
///
/// # Errors
/// If the file cannot be opened, or is in use.
pub(super) fn open_appending(path: &Path) -> Result<File, FileError> {
    open_locked(path).map_err(|reason| FileError::new(path, reason))
}

fn open_locked(path: &Path) -> Result<File, Reason> {
    let file = open_regular_with(path, OpenOptions::new().read(true).append(true).create(true))?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => Reason::Locked,
        TryLockError::Error(error) => Reason::Io(error),
    })?;
    Ok(file)
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_pipe_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("t00.vf");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let refused = GameFile::open(&pipe).err().unwrap().to_string();
        assert!(refused.ends_with("t00.vf: not a regular file"), "{refused}");
    }
}
