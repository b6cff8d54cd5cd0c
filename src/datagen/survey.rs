//! `sleight data`: what is in files of games.

use std::{
    collections::HashSet,
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use indicatif::{ProgressBar, ProgressStyle};

use super::{
    format::{Game, ReadError, Reader},
    wdl::Wins,
};
use crate::{
    position::Position,
    types::{Key, Move, Outcome, Score},
    util::{Rng, open_regular},
};

/// Keys are kept of about so many positions, a quarter of a gigabyte; of more, a sample is taken.
const MAX_KEYS: u64 = 32 << 20;

/// Least scores of the rows of the score table, in centipawns of the side ahead; mates have a row of their own.
pub(super) const SCORE_ROWS: [i16; 10] = [0, 11, 50, 100, 150, 200, 400, 700, 1000, 2500];
/// Men by fours, as networks with eight output buckets sort them.
pub(super) const MEN_ROWS: usize = 8;

/// Positions of one row of a table, and how the games they are from ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) positions: u64,
    /// Points of the side ahead, added up.
    pub(super) points: f64,
}

/// Counts over all games that could be read; displayed as a page of tables.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Files that were opened.
    pub files: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Games.
    pub games: u64,
    /// Games by result: wins of Black, draws, wins of White.
    pub outcomes: [u64; 3],
    /// Positions with a move and a score.
    pub positions: u64,
    /// Positions of the longest game.
    pub longest: u64,
    /// Positions in which the side to move is in check.
    pub in_check: u64,
    /// Positions in which a noisy move was played.
    pub noisy: u64,
    /// Positions with neither, and no mate in sight: what a trainer is likely to keep.
    pub quiet: u64,
    /// Games that are the same as an earlier one, move by move.
    pub same_games: u64,
    /// What went wrong, with file and byte.
    pub errors: Vec<String>,
    /// Files whose last game is cut short, as happens while they are written; this is no error.
    pub torn: u64,
    pub(super) scores: [Row; SCORE_ROWS.len() + 1],
    pub(super) men: [Row; MEN_ROWS],
    /// By score, once as each side sees it.
    pub(super) wins: Wins,
    duplicates: Duplicates,
}

/// Looks for positions that occur more than once.
#[derive(Clone, Debug, Default)]
struct Duplicates {
    /// Only keys that have none of these bits are looked at, so that a position's twin is looked at whenever it is.
    mask: Key,
    seen: Vec<Key>,
    games: HashSet<Key>,
}

impl Survey {
    /// Reads all games of the files.
    pub fn of(files: &[PathBuf]) -> Self {
        let sizes = files.iter().map(|path| path.metadata().map_or(0, |metadata| metadata.len()));
        let mut survey = Self { bytes: sizes.sum(), ..Self::default() };
        let sample = (survey.bytes / 4 / MAX_KEYS).checked_ilog2().map_or(0, |log| log + 1);
        // High bits: the low ones of neighbouring positions are as random, but this leaves them to the sorting.
        survey.duplicates.mask = !(Key::MAX >> sample);
        let bar = ProgressBar::new(survey.bytes);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes}, {eta} left") {
            bar.set_style(style);
        }
        for path in files {
            if let Err(error) = survey.read(path, &bar) {
                survey.errors.push(format!("{}: {error}", path.display()));
            }
        }
        bar.finish_and_clear();
        survey
    }

    fn read(&mut self, path: &Path, bar: &ProgressBar) -> io::Result<()> {
        let file = open_regular(path)?;
        self.files += 1;
        for game in Reader::new(BufReader::with_capacity(1 << 20, file)) {
            match game {
                Ok(game) => {
                    bar.inc(game.packed_len() as u64);
                    self.add(&game);
                }
                Err(ReadError::Torn { .. }) => self.torn += 1,
                Err(error) => self.errors.push(format!("{}: {error}", path.display())),
            }
        }
        Ok(())
    }

    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.outcomes[game.outcome as usize] += 1;
        self.longest = self.longest.max(game.moves.len() as u64);
        let mut fingerprint = game.start.key();
        game.replay(|position, mv, score| {
            fingerprint = Rng::new(fingerprint ^ u64::from(mv.bits())).next_u64();
            self.add_position(position, mv, score, game.outcome);
        });
        self.same_games += u64::from(!self.duplicates.games.insert(fingerprint));
    }

    fn add_position(&mut self, position: &Position, mv: Move, score: i16, outcome: Outcome) {
        self.positions += 1;
        let mate = Score(score.into()).is_mate();
        self.in_check += u64::from(position.in_check());
        self.noisy += u64::from(mv.is_noisy());
        self.quiet += u64::from(!position.in_check() && mv.is_quiet() && !mate);
        if position.key() & self.duplicates.mask == 0 {
            self.duplicates.seen.push(position.key());
        }

        if !mate {
            self.wins.add(score.into(), outcome == Outcome::WhiteWins);
            self.wins.add(-i32::from(score), outcome == Outcome::BlackWins);
        }

        let white_points = f64::from(outcome.white_points());
        let points = if score < 0 { 1.0 - white_points } else { white_points };
        let size = score.saturating_abs();
        let row = if mate { SCORE_ROWS.len() } else { SCORE_ROWS.partition_point(|&least| least <= size) - 1 };
        let men = (position.board().occupied().len() - 1) * MEN_ROWS / 32;
        for row in [&mut self.scores[row], &mut self.men[men]] {
            row.positions += 1;
            row.points += points;
        }
    }

    /// The share of positions that had occurred before, 0 to 1; an estimate where there are very many.
    pub fn duplicate_share(&self) -> f64 {
        let mut keys = self.duplicates.seen.clone();
        keys.sort_unstable();
        let total = keys.len();
        keys.dedup();
        (total - keys.len()) as f64 / total.max(1) as f64
    }
}
