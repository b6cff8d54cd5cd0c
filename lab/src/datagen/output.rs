//! An output file of games, locked by one writer and recoverable after a kill at any byte.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use super::format::{Game, GameReader, ReadError};

/// A file of games opened for appending, so that writes go to its end wherever it was read.
#[derive(Debug)]
pub(super) struct GameFile {
    path: PathBuf,
    file: File,
    /// The number of games in the file.
    pub(super) games: u64,
    /// The number of positions with a move and a score.
    pub(super) positions: u64,
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

impl GameFile {
    /// Opens or creates a file. An incomplete game at its end, as a kill leaves it, is removed; damage anywhere else is
    /// reported and left alone.
    ///
    /// # Errors
    /// If the file cannot be opened, is in use, or is damaged.
    pub(super) fn open(path: &Path) -> Result<Self, FileError> {
        Self::open_or_reason(path).map_err(|reason| FileError { path: path.to_owned(), reason })
    }

    fn open_or_reason(path: &Path) -> Result<Self, Reason> {
        // Opening a pipe or a device may block.
        if path.exists() && !path.is_file() {
            return Err(io::Error::other("not a regular file").into());
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Reason::Locked,
            TryLockError::Error(error) => Reason::Io(error),
        })?;
        let (mut games, mut positions, mut truncated) = (0, 0, 0);
        for game in GameReader::new(BufReader::with_capacity(1 << 20, &file)) {
            match game {
                Ok(game) => {
                    games += 1;
                    positions += game.moves.len() as u64;
                }
                Err(ReadError::Truncated { complete }) => {
                    truncated = file.metadata()?.len().saturating_sub(complete);
                    file.set_len(complete)?;
                }
                Err(error) => return Err(Reason::Unreadable(error)),
            }
        }
        Ok(Self { path: path.to_owned(), file, games, positions, truncated })
    }

    /// Appends a game in one write, so that it survives the end of this process.
    ///
    /// # Errors
    /// If the file cannot be written; the next [`Self::open`] removes the incomplete game.
    pub(super) fn append(&mut self, game: &Game) -> Result<(), FileError> {
        let written = game.write_to(&mut self.file);
        written.map_err(|error| FileError { path: self.path.clone(), reason: error.into() })?;
        self.games += 1;
        self.positions += game.moves.len() as u64;
        Ok(())
    }
}
