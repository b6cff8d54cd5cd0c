//! `sleight-lab data`: statistics over files of games.

use std::{
    collections::HashSet,
    fmt,
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use indicatif::{ProgressBar, ProgressStyle};

use super::{
    format::{GameReader, GameRecord, ReadError},
    wdl::WinCounts,
};
use sleight::{
    outcome::Outcome,
    position::Position,
    types::{Key, Move, Score},
    util::{Rng, open_regular},
};

/// The number of position keys kept to count duplicates, a quarter of a GiB; of more positions a sample is taken.
const MAX_KEYS: u64 = 32 << 20;

/// The number of errors that are kept and printed in full; a file of zeros has one every 36 bytes.
const MAX_ERRORS: usize = 10;
/// The lower bounds of the score bins, in internal units for the side ahead; mates have their own bin.
pub(super) const SCORE_BINS: [i16; 10] = [0, 11, 50, 100, 150, 200, 400, 700, 1000, 2500];
/// Bins of the number of pieces, by fours: about the output buckets of a network with eight of them.
pub(super) const PIECE_COUNT_BINS: usize = 8;

/// The positions of a histogram bin, and the results of their games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bin {
    pub(super) positions: u64,
    /// The sum of the points of the side ahead.
    pub(super) points: f64,
}

/// Statistics over all games that could be read; displayed as a page of histograms.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The number of files that could be opened.
    pub files: u64,
    /// Their total size in bytes.
    pub bytes: u64,
    /// The number of games.
    pub games: u64,
    /// Games by result: Black wins, draws, White wins.
    pub outcomes: [u64; 3],
    /// The number of positions with a score.
    pub positions: u64,
    /// The number of plies without one, which nothing below counts.
    pub without_score: u64,
    /// The number of plies of the longest game.
    pub longest: u64,
    /// Positions in which the side to move is in check.
    pub in_check: u64,
    /// Positions whose best move is noisy.
    pub noisy: u64,
    /// Positions with neither, and without a mate score: about what the trainer's filter keeps.
    pub quiet: u64,
    /// Games with the same start position and moves as an earlier one.
    pub same_games: u64,
    /// The number of errors.
    pub error_count: u64,
    /// The first errors, with file and byte.
    pub errors: Vec<String>,
    /// Files whose last game is incomplete, as while they are written; not an error.
    pub truncated: u64,
    pub(super) scores: [Bin; SCORE_BINS.len() + 1],
    pub(super) piece_counts: [Bin; PIECE_COUNT_BINS],
    /// By score, from the perspective of either side.
    pub(super) wins: WinCounts,
    duplicates: Duplicates,
}

/// Counts positions and games that occur more than once.
#[derive(Clone, Debug, Default)]
struct Duplicates {
    /// Only keys without any of these bits are sampled, so that all copies of a position are sampled or none.
    mask: Key,
    seen: Vec<Key>,
    games: HashSet<Key>,
}

/// The facts about a position that are counted once its game has been read whole.
struct Visited {
    key: Key,
    in_check: bool,
    pieces: usize,
}

impl Visited {
    fn new(position: &Position) -> Self {
        Self { key: position.key(), in_check: position.in_check(), pieces: position.board().occupied().len() }
    }
}

impl Survey {
    /// Reads all games of the files. Errors are collected.
    pub fn of(files: &[PathBuf]) -> Self {
        let sizes = files.iter().map(|path| path.metadata().map_or(0, |metadata| metadata.len()));
        let mut survey = Self { bytes: sizes.sum(), ..Self::default() };
        let sample = (survey.bytes / 4 / MAX_KEYS).checked_ilog2().map_or(0, |log| log + 1);
        // Any bits of the keys are random.
        survey.duplicates.mask = !(Key::MAX >> sample);
        let bar = ProgressBar::new(survey.bytes);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes}, {eta} left") {
            bar.set_style(style);
        }
        for path in files {
            if let Err(error) = survey.read(path, &bar) {
                survey.add_error(path, &error);
            }
        }
        bar.finish_and_clear();
        survey
    }

    fn read(&mut self, path: &Path, bar: &ProgressBar) -> io::Result<()> {
        let file = open_regular(path)?;
        self.files += 1;
        let mut reader = GameReader::new(BufReader::with_capacity(1 << 20, file));
        let mut visited = Vec::new();
        loop {
            visited.clear();
            match reader.read_game_with(|position, _, _, _| visited.push(Visited::new(position))) {
                Ok(Some(game)) => {
                    bar.inc(game.packed_len() as u64);
                    self.add(&game, &visited);
                }
                Ok(None) => return Ok(()),
                Err(ReadError::Truncated { .. }) => self.truncated += 1,
                Err(error) => self.add_error(path, &error),
            }
        }
    }

    fn add_error(&mut self, path: &Path, error: &dyn fmt::Display) {
        self.error_count += 1;
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(format!("{}: {error}", path.display()));
        }
    }

    fn add(&mut self, game: &GameRecord, visited: &[Visited]) {
        self.games += 1;
        self.outcomes[game.outcome as usize] += 1;
        self.longest = self.longest.max(game.moves.len() as u64);
        let mut fingerprint = game.start.key();
        for (&(mv, score), position) in game.moves.iter().zip(visited) {
            fingerprint = Rng::new(fingerprint ^ u64::from(mv.bits())).next_u64();
            match score {
                Some(score) => self.add_position(position, mv, score, game.outcome),
                None => self.without_score += 1,
            }
        }
        self.same_games += u64::from(!self.duplicates.games.insert(fingerprint));
    }

    fn add_position(&mut self, position: &Visited, mv: Move, score: i16, outcome: Outcome) {
        self.positions += 1;
        let mate = Score(score.into()).is_mate();
        self.in_check += u64::from(position.in_check);
        self.noisy += u64::from(mv.is_noisy());
        self.quiet += u64::from(!position.in_check && !mv.is_capture() && !mv.is_promotion() && !mate);
        if position.key & self.duplicates.mask == 0 {
            self.duplicates.seen.push(position.key);
        }

        if !mate {
            self.wins.add(score.into(), outcome == Outcome::WhiteWins);
            self.wins.add(-i32::from(score), outcome == Outcome::BlackWins);
        }

        let white_points = f64::from(outcome.white_points());
        let points = if score < 0 { 1.0 - white_points } else { white_points };
        let size = score.saturating_abs();
        let score_bin = if mate { SCORE_BINS.len() } else { SCORE_BINS.partition_point(|&least| least <= size) - 1 };
        let count_bin = (position.pieces - 1) * PIECE_COUNT_BINS / 32;
        for bin in [&mut self.scores[score_bin], &mut self.piece_counts[count_bin]] {
            bin.positions += 1;
            bin.points += points;
        }
    }

    /// The share of positions that are copies of an earlier one, 0 to 1; estimated from a sample of large files.
    pub fn duplicate_share(&self) -> f64 {
        let mut keys = self.duplicates.seen.clone();
        keys.sort_unstable();
        let total = keys.len();
        keys.dedup();
        (total - keys.len()) as f64 / total.max(1) as f64
    }
}
