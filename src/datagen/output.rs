//! A file that games are appended to, one writer's own, sound after a kill at any byte.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use super::format::{Game, ReadError, Reader};

/// A file of games that is being added to: opened to append, so that writes go to its end wherever it was read.
#[derive(Debug)]
pub(super) struct GameFile {
    file: File,
    /// Games in it.
    pub(super) games: u64,
    /// Plies in it: positions with a move and a score.
    pub(super) positions: u64,
    /// Bytes of a game cut short that were taken off its end.
    pub(super) torn: u64,
}

/// Why games cannot be added to a file.
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
    /// Opens a file, or begins it. A game at its end that was cut short, as by a kill, is taken off; damage anywhere
    /// else is not touched but reported.
    ///
    /// # Errors
    /// When the file cannot be opened, is in use, or is damaged.
    pub(super) fn open(path: &Path) -> Result<Self, FileError> {
        Self::open_or_reason(path).map_err(|reason| FileError { path: path.to_owned(), reason })
    }

    fn open_or_reason(path: &Path) -> Result<Self, Reason> {
        // A pipe or a device would keep us waiting.
        if path.exists() && !path.is_file() {
            return Err(io::Error::other("not a regular file").into());
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Reason::Locked,
            TryLockError::Error(error) => Reason::Io(error),
        })?;
        let (mut games, mut positions, mut torn) = (0, 0, 0);
        for game in Reader::new(BufReader::with_capacity(1 << 20, &file)) {
            match game {
                Ok(game) => {
                    games += 1;
                    positions += game.moves.len() as u64;
                }
                Err(ReadError::Torn { complete }) => {
                    torn = file.metadata()?.len().saturating_sub(complete);
                    file.set_len(complete)?;
                }
                Err(error) => return Err(Reason::Unreadable(error)),
            }
        }
        Ok(Self { file, games, positions, torn })
    }

    /// Adds a game, in one write to the system, so that it survives the end of this process.
    ///
    /// # Errors
    /// When the system cannot write; the next [`Self::open`] takes off what was written of the game.
    pub(super) fn append(&mut self, game: &Game) -> io::Result<()> {
        game.write_to(&mut self.file)?;
        self.games += 1;
        self.positions += game.moves.len() as u64;
        Ok(())
    }
}
