//! `sleight-lab openings`: a book of openings sampled from own play.

use std::{
    collections::HashSet,
    fs::{OpenOptions, TryLockError},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sleight::{
    openings::Openings,
    position::{FenError, Position},
    types::Key,
    util::{Rng, open_regular_with},
};

use super::{
    player::Player,
    walk::{MAX_PLIES, MIN_PLIES, Walk},
};

/// The size of the transposition table, in MiB.
const TT_MIB: usize = 2;

/// Options of a run.
#[derive(Args, Clone, Debug)]
pub struct OpeningsOptions {
    /// Output file, one FEN a line; what is in it stays and counts, so the same command continues an interrupted run
    #[arg(long)]
    pub out: PathBuf,
    /// Number of openings, all different
    #[arg(long)]
    pub count: usize,
    /// Soft node limit of the MultiPV search of each ply
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Seed of the random choices
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Percentage of walks that start from a Chess960 position, in half of them another for each side
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub chess960: u8,
}

/// Why a book cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The book cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The path of the book.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A line of the book is no position.
    #[error("{path}, line {line}: {source}")]
    Line {
        /// The path of the book.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The fault in the line.
        source: FenError,
    },
    /// The transposition table or the histories cannot be allocated.
    #[error("no memory to play with: {0}")]
    Memory(io::Error),
}

/// Adds openings to a book until it has as many as were asked for: of each walk the positions after 6, 8 and so on to
/// 16 plies. Returns how many it has.
///
/// # Errors
/// See [`SampleError`].
pub fn sample_openings(options: &OpeningsOptions) -> Result<usize, SampleError> {
    let mut book = Book::open(&options.out)?;
    let openings = Openings::new(0, options.chess960);
    let mut player = Player::new(TT_MIB).map_err(SampleError::Memory)?;
    // Drawn on standard error, and only on a terminal.
    let bar = ProgressBar::new(options.count as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} openings, {eta} left") {
        bar.set_style(style);
    }
    // A continued run must not repeat the walks before it.
    let mut rng = Rng::new(Rng::new(options.seed).next_u64() ^ book.lines as u64);
    while book.lines < options.count {
        player.new_game();
        let mut walk = Walk::new(&openings, &mut rng);
        let mut kept = Vec::new();
        while walk.plies() < MAX_PLIES && walk.step(&mut player, options.nodes, &mut rng) {
            if walk.plies() >= MIN_PLIES && walk.plies().is_multiple_of(2) {
                kept.extend(walk.opening());
            }
        }
        kept.truncate(options.count - book.lines);
        book.append(&kept)?;
        bar.set_position(book.lines as u64);
    }
    bar.finish_and_clear();
    Ok(book.lines)
}

struct Book {
    path: PathBuf,
    file: std::fs::File,
    keys: HashSet<Key>,
    /// The number of lines.
    lines: usize,
}

impl Book {
    /// Opens or creates a book, for this process alone. An incomplete line at its end, as a kill leaves it, is removed.
    fn open(path: &Path) -> Result<Self, SampleError> {
        let failed = |source| SampleError::Io { path: path.to_owned(), source };
        let mut file =
            open_regular_with(path, OpenOptions::new().read(true).append(true).create(true)).map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => failed(io::Error::other("another process is writing to it")),
            TryLockError::Error(error) => failed(error),
        })?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let complete = text.rfind('\n').map_or(0, |end| end + 1);
        let mut book = Self { path: path.to_owned(), file, keys: HashSet::new(), lines: 0 };
        for line in text[..complete].lines() {
            book.lines += 1;
            let position = Position::from_fen(line).map_err(|source| SampleError::Line {
                path: path.to_owned(),
                line: book.lines,
                source,
            })?;
            book.keys.insert(position.key());
        }
        let rest = text.len() - complete;
        if rest > 0 {
            eprintln!("{}: removed the last {rest} bytes, an incomplete line", path.display());
            book.file.set_len(complete as u64).map_err(failed)?;
        }
        Ok(book)
    }

    /// Appends the positions that are new, in one write.
    fn append(&mut self, positions: &[Position]) -> Result<(), SampleError> {
        let new = positions.iter().filter(|position| self.keys.insert(position.key()));
        let lines: Vec<String> = new.map(|position| position.fen() + "\n").collect();
        self.lines += lines.len();
        let written = self.file.write_all(lines.concat().as_bytes());
        written.map_err(|source| SampleError::Io { path: self.path.clone(), source })
    }
}
