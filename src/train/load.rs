//! From files to positions in memory.

use std::{
    io::{self, BufReader},
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

use super::{objective::fitted_scale, record::Record};
use crate::{
    datagen::format::{Game, ReadError, Reader},
    nnue::SCALE,
    position::Position,
    types::Move,
    util::{Rng, fnv1a, open_regular},
};

/// Which positions of a game are worth learning from: those whose score a network without search can know.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// Half-moves of the game that are left out: openings are random.
    pub min_ply: u32,
    /// Scores from here on, either way, in centipawns, are left out: the game is decided, or the score is a mate.
    pub max_score: i16,
}

/// How positions are divided, by games, so that no held-out position has a twin among those that are learned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    /// The part of the games that is held out, 0 to 1.
    pub held_out: f64,
    /// Which games these are.
    pub seed: u64,
}

/// Positions, in the order of the files.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// What is learned from.
    pub training: Vec<Record>,
    /// What the loss is measured on.
    pub held_out: Vec<Record>,
    /// How many games they are from, as far as the format tells.
    pub games: u64,
    /// Positions that the filter refused.
    pub refused: u64,
    /// Places where a file is damaged: what follows could not be read up to the next whole game.
    pub damaged: u64,
    /// With how many centipawns 73 % of the points were had in each file, before its scores were brought to the
    /// network's scale.
    pub scales: Vec<(PathBuf, f32)>,
}

/// Why positions could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The system says no.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The name does not tell the format.
    #[error("{0}: expected a name in .vf (games, viriformat) or .bullet, .bin, .data (positions, bulletformat)")]
    Format(PathBuf),
    /// A record of a file of positions is no position.
    #[error("{path}: record {number} is no position")]
    Record {
        /// The file.
        path: PathBuf,
        /// Its place, from 0.
        number: usize,
    },
}

/// Records of bulletformat that are held out or not together. They have no games to go by; this at least keeps most
/// of a game on one side when the file was written game by game.
const RUN: usize = 4096;

impl Filter {
    /// Whether to learn from a position in which `mv` was played and `score`, from either side, was found.
    pub fn keeps(&self, position: &Position, mv: Move, score: i16) -> bool {
        position.game_ply() >= self.min_ply
            && !position.in_check()
            && !mv.is_capture()
            && !mv.is_promotion()
            && self.keeps_score(score)
    }

    fn keeps_score(&self, score: i16) -> bool {
        score.unsigned_abs() < self.max_score.unsigned_abs()
    }
}

impl Split {
    /// Whether to hold out what has that key.
    fn holds_out(&self, key: u64) -> bool {
        let draw = Rng::new(key ^ self.seed).next_u64();
        (draw as f64) < self.held_out * u64::MAX as f64
    }
}

impl Data {
    /// Loads files, several at a time. Damaged games are left out, with a warning.
    ///
    /// # Errors
    /// When a file cannot be read or is not what its name says.
    pub fn load(paths: &[PathBuf], filter: Filter, split: Split, threads: usize) -> Result<Self, LoadError> {
        let queue = Mutex::new(paths.iter().enumerate());
        let parts = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..threads.clamp(1, paths.len().max(1)) {
                scope.spawn(|| {
                    while let Some((i, path)) = lock(&queue).next() {
                        let part = Self::load_file(path, filter, split);
                        lock(&parts).push((i, part));
                    }
                });
            }
        });
        let mut parts = std::mem::take(&mut *lock(&parts));
        parts.sort_unstable_by_key(|&(i, _)| i);
        parts.into_iter().try_fold(Self::default(), |data, (_, part)| Ok(data.joined(part?)))
    }

    fn load_file(path: &Path, filter: Filter, split: Split) -> Result<Self, LoadError> {
        let failed = |source| LoadError::Io { path: path.to_owned(), source };
        let file = open_regular(path).map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        let input = BufReader::with_capacity(1 << 20, file);
        let data = match path.extension().and_then(|extension| extension.to_str()) {
            Some("vf") => Self::load_games(path, input, bytes, filter, split),
            Some("bullet" | "bin" | "data") => Self::load_positions(path, input, filter, split),
            _ => Err(LoadError::Format(path.to_owned())),
        }?;
        Ok(data.scaled(path))
    }

    /// With scores in units of the network's scale: one network's centipawns are not another's, but games tell what
    /// they are worth. Scores and results then say the same, so that learning from both does not stretch the
    /// evaluation.
    fn scaled(mut self, path: &Path) -> Self {
        if !self.training.is_empty() {
            let scale = fitted_scale(&self.training);
            let factor = SCALE as f32 / scale;
            self.training.iter_mut().chain(&mut self.held_out).for_each(|record| record.scale_score(factor));
            self.scales.push((path.to_owned(), scale));
        }
        self
    }

    fn load_games(
        path: &Path,
        input: impl io::BufRead,
        bytes: u64,
        filter: Filter,
        split: Split,
    ) -> Result<Self, LoadError> {
        let mut data = Self::default();
        // Four bytes a ply, of which about half are refused.
        data.training.reserve(usize::try_from(bytes / 8).unwrap_or(0));
        for game in Reader::new(input) {
            match game {
                Ok(game) => data.add_game(&game, filter, split),
                Err(ReadError::Io(source)) => return Err(LoadError::Io { path: path.to_owned(), source }),
                Err(error) => {
                    data.damaged += 1;
                    log::warn!("{}: {error}", path.display());
                }
            }
        }
        Ok(data)
    }

    fn load_positions(
        path: &Path,
        mut input: impl io::BufRead,
        filter: Filter,
        split: Split,
    ) -> Result<Self, LoadError> {
        let mut data = Self::default();
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map_err(|source| LoadError::Io { path: path.to_owned(), source })?;
        let (records, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            data.damaged += 1;
            log::warn!("{}: the last record is cut short", path.display());
        }
        for (number, &bytes) in records.iter().enumerate() {
            let record =
                Record::from_bytes(bytes).ok_or_else(|| LoadError::Record { path: path.to_owned(), number })?;
            if filter.keeps_score(record.score()) {
                let key = (number / RUN) as u64;
                if split.holds_out(key) { &mut data.held_out } else { &mut data.training }.push(record);
            } else {
                data.refused += 1;
            }
        }
        Ok(data)
    }

    /// Adds the positions of a game that pass the filter.
    fn add_game(&mut self, game: &Game, filter: Filter, split: Split) {
        let moves: Vec<u8> = game.moves.iter().flat_map(|(mv, _)| mv.bits().to_le_bytes()).collect();
        // The moves themselves decide, so that a game that is there twice is not on both sides.
        let list =
            if split.holds_out(fnv1a(&moves) ^ game.start.key()) { &mut self.held_out } else { &mut self.training };
        game.replay(|position, mv, score| {
            let kept = filter.keeps(position, mv, score).then(|| Record::new(position, score, game.outcome as u8));
            match kept.flatten() {
                Some(record) => list.push(record),
                None => self.refused += 1,
            }
        });
        self.games += 1;
    }

    fn joined(mut self, mut other: Self) -> Self {
        if self.training.is_empty() {
            std::mem::swap(&mut self.training, &mut other.training);
        }
        self.training.append(&mut other.training);
        self.held_out.append(&mut other.held_out);
        self.scales.append(&mut other.scales);
        Self {
            games: self.games + other.games,
            refused: self.refused + other.refused,
            damaged: self.damaged + other.damaged,
            ..self
        }
    }
}

/// A thread that panicked while holding the lock has already spoiled the whole load.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{super::tests::game, *};

    const FILTER: Filter = Filter { min_ply: 16, max_score: 1000 };

    fn load(bytes: &[u8], name: &str, held_out: f64) -> Result<Data, LoadError> {
        let path = std::env::temp_dir().join(format!("sleight-load-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let data = Data::load(std::slice::from_ref(&path), FILTER, Split { held_out, seed: 3 }, 2);
        std::fs::remove_file(&path).unwrap();
        data
    }

    #[test]
    fn games_are_filtered_and_divided() {
        let mut bytes = Vec::new();
        (0..200).for_each(|seed| game(seed).write_to(&mut bytes).unwrap());
        let data = load(&bytes, "games.vf", 0.25).unwrap();
        assert_eq!(data.games, 200);
        let all = data.training.len() + data.held_out.len();
        let plies: usize = (0..200).map(|seed| game(seed).moves.len()).sum();
        assert_eq!(all as u64 + data.refused, plies as u64);
        assert!((all / 6..all / 3).contains(&data.held_out.len()), "{} of {all}", data.held_out.len());
        let factor = SCALE as f32 / data.scales[0].1;
        let most = factor * f32::from(FILTER.max_score);
        assert!(data.training.iter().all(|record| f32::from(record.score().abs()) < most));

        // A torn end and a damaged game cost only themselves.
        let torn = load(&bytes[..bytes.len() - 6], "torn.vf", 0.0).unwrap();
        assert_eq!(torn.games, 199);
    }

    #[test]
    fn positions_round_trip_through_bulletformat() {
        let mut bytes = Vec::new();
        (0..20).for_each(|seed| game(seed).write_to(&mut bytes).unwrap());
        let records = load(&bytes, "some.vf", 0.0).unwrap().training;
        let bytes: Vec<u8> = records.iter().flat_map(|record| record.to_bytes()).collect();
        assert_eq!(load(&bytes, "some.bullet", 0.0).unwrap().training, records);
        let damaged = [&bytes[..], &[0xff; 32]].concat();
        assert!(matches!(load(&damaged, "bad.bullet", 0.0), Err(LoadError::Record { .. })));
        assert!(matches!(load(&bytes, "some.txt", 0.0), Err(LoadError::Format(_))));
        let missing = Data::load(&["no/such.vf".into()], FILTER, Split { held_out: 0.0, seed: 0 }, 1);
        assert!(matches!(missing, Err(LoadError::Io { .. })));
    }
}
