//! An output file of games, locked by one writer and recoverable after a kill at any byte.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use sleight::{types::Key, util::open_regular_with};

use super::format::{Game, GameReader, ReadError};

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
        let file = open_regular_with(path, OpenOptions::new().read(true).append(true).create(true))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Reason::Locked,
            TryLockError::Error(error) => Reason::Io(error),
        })?;
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
    pub(super) fn append(&mut self, game: &Game) -> Result<(), FileError> {
        let written = game.write_to(&mut self.file);
        written.map_err(|error| FileError { path: self.path.clone(), reason: error.into() })?;
        self.games += 1;
        self.positions += game.positions() as u64;
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{
        fs,
        os::unix::fs::symlink,
        process::Command,
        sync::mpsc::channel,
        thread,
        time::{Duration, Instant},
    };

    use super::*;

    /// A link that points to a file and to a pipe by turns is opened as the file or refused, and nothing waits.
    #[test]
    fn a_pipe_that_takes_the_place_of_a_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [games, pipe, link, other] = ["games", "pipe", "link", "other"].map(|name| folder.path().join(name));
        fs::write(&games, "").unwrap();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        symlink(&games, &link).unwrap();
        let (stop, stopped) = channel::<()>();
        let swapped = link.clone();
        let swapping = thread::spawn(move || {
            for target in [&pipe, &games].into_iter().cycle().take_while(|_| stopped.try_recv().is_err()) {
                symlink(target, &other).unwrap();
                fs::rename(&other, &swapped).unwrap();
            }
        });
        let (done, result) = channel();
        thread::spawn(move || {
            let (start, mut opened, mut refused) = (Instant::now(), 0, 0);
            while start.elapsed() < Duration::from_secs(1) {
                match GameFile::open(&link) {
                    Ok(_) => opened += 1,
                    Err(error) => refused += u32::from(error.to_string().ends_with("not a regular file")),
                }
            }
            done.send((opened, refused)).unwrap();
        });
        let (opened, refused) = result.recv_timeout(Duration::from_secs(60)).expect("waited for a pipe");
        stop.send(()).unwrap();
        swapping.join().unwrap();
        assert!(opened > 0 && refused > 0, "{opened} {refused}");
    }
}
