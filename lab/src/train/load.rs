//! The data loader: from files to filtered positions in memory.

use std::{
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use super::{loss::fit_scale, parallel::in_parallel};
use crate::{
    datagen::format::{GameReader, GameRecord, ReadError},
    record::Record,
};
use sleight::{
    nnue::SCALE,
    position::Position,
    types::Move,
    util::{Rng, fnv1a, open_regular},
};

/// The positions of a game to train on: quiet ones, whose score a static evaluation can predict.
// CITE: common practice (Stockfish's, Viridithas's and akimbo's filters); not measured here one by one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Filter {
    /// Plies left out at the start of a game, since openings are random.
    pub min_ply: u32,
    /// Scores of this magnitude or more are left out, in internal units of the file: decided games and mates.
    pub max_score: i16,
}

/// The split into training and validation set: by games, so that no validation position has near copies in the training
/// set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Split {
    /// The share of the games that is held out for validation, 0 to 1.
    pub validation_share: f64,
    /// Selects those games.
    pub seed: u64,
}

/// The training and validation set, in the order of the files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dataset {
    /// The positions that gradients are computed from.
    pub training: Vec<Record>,
    /// The held-out positions.
    pub validation: Vec<Record>,
    /// The number of games, as far as the format tells.
    pub games: u64,
    /// The number of positions that the filter left out.
    pub filtered_out: u64,
    /// The number of places where a file is damaged and skipped up to the next whole game.
    pub damaged: u64,
    /// The score with 73 % of the points before the scores were converted to [`SCALE`], in internal units of the games.
    pub scale: f32,
}

/// Why positions could not be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    /// A file cannot be read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file name extension is of no known format.
    #[error("{0}: expected a name in .vf (games, viriformat) or .bullet, .bin, .data (positions, bulletformat)")]
    Format(PathBuf),
    /// A record in bulletformat is not a position.
    #[error("{path}: record {number} is not a position")]
    Record {
        /// The file.
        path: PathBuf,
        /// The index of the record, from 0.
        number: usize,
    },
    /// A streamed file is not what it was when the training began.
    #[error("{0} has changed during the training")]
    Changed(PathBuf),
}

/// The number of damaged places of a file that are reported in full; a file of zeros has one every 36 bytes.
const MAX_WARNINGS: u64 = 10;

/// Consecutive records of bulletformat, which does not mark games, that go to the same set. This keeps most games whole
/// if the file was written game by game.
const SPLIT_RUN: usize = 4096;

/// The format of a file, by its name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Format {
    /// Viriformat.
    Games,
    /// Bulletformat.
    Positions,
}

impl Format {
    /// The format that the extension of a file's name stands for.
    pub(crate) fn of(path: &Path) -> Result<Self, LoadError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("vf") => Ok(Self::Games),
            Some("bullet" | "bin" | "data") => Ok(Self::Positions),
            _ => Err(LoadError::Format(path.to_owned())),
        }
    }
}

impl Filter {
    /// Returns true if a position with best move `mv` and `score`, from either side, is kept.
    pub(crate) fn keeps(&self, position: &Position, mv: Move, score: i16) -> bool {
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
    /// Returns true if the game with that key belongs to the validation set.
    fn is_validation(&self, key: u64) -> bool {
        let draw = Rng::new(key ^ self.seed).next_u64();
        (draw as f64) < self.validation_share * u64::MAX as f64
    }
}

impl Dataset {
    /// Loads files in parallel, all of whose scores have one `scale`, given or fitted to the results. Damaged games are
    /// skipped with a warning.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub(crate) fn load(
        paths: &[PathBuf],
        filter: Filter,
        split: Split,
        scale: Option<u32>,
        threads: usize,
    ) -> Result<Self, LoadError> {
        for path in paths {
            Format::of(path)?;
        }
        let mut parts: Vec<_> = paths.iter().map(|_| None).collect();
        in_parallel(threads.min(paths.len()), paths.iter().zip(&mut parts), |(path, part)| {
            *part = Some(Self::load_file(path, filter, split));
        });
        let all = parts.into_iter().flatten().try_fold(Self::default(), |data, part| Ok(data.merged(part?)))?;
        let scale = scale.map_or_else(|| fit_scale(&all.training), |scale| scale as f32);
        Ok(all.rescaled(scale))
    }

    pub(super) fn load_file(path: &Path, filter: Filter, split: Split) -> Result<Self, LoadError> {
        let failed = |source| LoadError::Io { path: path.to_owned(), source };
        let file = open_regular(path).map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        let input = BufReader::with_capacity(1 << 20, file);
        match Format::of(path)? {
            Format::Games => Self::load_games(path, input, bytes, filter, split),
            Format::Positions => Self::load_positions(path, input, filter, split),
        }
    }

    /// Converts the scores to [`SCALE`]. With scores and results in agreement, blending the two does not stretch the
    /// evaluation.
    pub(super) fn rescaled(mut self, scale: f32) -> Self {
        let factor = SCALE as f32 / scale;
        self.training.iter_mut().chain(&mut self.validation).for_each(|record| record.scale_score(factor));
        Self { scale, ..self }
    }

    fn load_games(
        path: &Path,
        input: impl io::BufRead,
        bytes: u64,
        filter: Filter,
        split: Split,
    ) -> Result<Self, LoadError> {
        let mut data = Self::default();
        let failed = |source| LoadError::Io { path: path.to_owned(), source };
        // Four bytes a ply, of which the filter keeps about half.
        let expected = usize::try_from(bytes / 8).unwrap_or(usize::MAX);
        data.training.try_reserve(expected).map_err(|_| failed(io::ErrorKind::OutOfMemory.into()))?;
        let mut reader = GameReader::new(input);
        let mut records = Vec::new();
        loop {
            records.clear();
            let game = reader.read_game_with(|position, mv, score, outcome| {
                if let Some(score) = score.filter(|&score| filter.keeps(position, mv, score)) {
                    records.extend(Record::new(position, score, outcome as u8));
                }
            });
            match game {
                Ok(Some(game)) => data.add_game(&game, &records, split),
                Ok(None) => return Ok(data),
                Err(ReadError::Io(source)) => return Err(failed(source)),
                Err(error) => {
                    data.damaged += 1;
                    if data.damaged <= MAX_WARNINGS {
                        log::warn!("{}: {error}", path.display());
                    }
                }
            }
        }
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
            log::warn!("{}: the last record is truncated", path.display());
        }
        for (number, &bytes) in records.iter().enumerate() {
            let record =
                Record::from_bytes(bytes).ok_or_else(|| LoadError::Record { path: path.to_owned(), number })?;
            if filter.keeps_score(record.score()) {
                let key = (number / SPLIT_RUN) as u64;
                if split.is_validation(key) { &mut data.validation } else { &mut data.training }.push(record);
            } else {
                data.filtered_out += 1;
            }
        }
        Ok(data)
    }

    /// Adds the positions of a game that passed the filter.
    fn add_game(&mut self, game: &GameRecord, records: &[Record], split: Split) {
        let moves: Vec<u8> = game.moves.iter().flat_map(|(mv, _)| mv.bits().to_le_bytes()).collect();
        // Keyed by the moves, so that copies of a game go to the same set.
        let is_validation = split.is_validation(fnv1a(&moves) ^ game.start.key());
        if is_validation { &mut self.validation } else { &mut self.training }.extend_from_slice(records);
        self.filtered_out += (game.moves.len() - records.len()) as u64;
        self.games += 1;
    }

    pub(super) fn merged(mut self, mut other: Self) -> Self {
        if self.training.is_empty() {
            std::mem::swap(&mut self.training, &mut other.training);
        }
        self.training.append(&mut other.training);
        self.validation.append(&mut other.validation);
        Self {
            games: self.games + other.games,
            filtered_out: self.filtered_out + other.filtered_out,
            damaged: self.damaged + other.damaged,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::game, *};

    const FILTER: Filter = Filter { min_ply: 16, max_score: 1000 };

    fn load(bytes: &[u8], name: &str, validation_share: f64) -> Result<Dataset, LoadError> {
        let path = std::env::temp_dir().join(format!("sleight-load-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let split = Split { validation_share, seed: 3 };
        let data = Dataset::load(std::slice::from_ref(&path), FILTER, split, None, 2);
        std::fs::remove_file(&path).unwrap();
        data
    }

    #[test]
    fn games_are_filtered_and_split() {
        let mut bytes = Vec::new();
        (0..200).for_each(|seed| game(seed).write_to(&mut bytes).unwrap());
        let data = load(&bytes, "games.vf", 0.25).unwrap();
        assert_eq!(data.games, 200);
        let all = data.training.len() + data.validation.len();
        let plies: usize = (0..200).map(|seed| game(seed).moves.len()).sum();
        assert_eq!(all as u64 + data.filtered_out, plies as u64);
        assert!((all / 6..all / 3).contains(&data.validation.len()), "{} of {all}", data.validation.len());
        let factor = SCALE as f32 / data.scale;
        let most = factor * f32::from(FILTER.max_score);
        assert!(data.training.iter().all(|record| f32::from(record.score().abs()) < most));

        let truncated = load(&bytes[..bytes.len() - 6], "truncated.vf", 0.0).unwrap();
        assert_eq!((truncated.games, truncated.damaged), (199, 1));
    }

    /// A score of one network means the same in all of its games, however weak the play that its results come from.
    #[test]
    fn all_files_have_one_scale() {
        let directory = tempfile::tempdir().unwrap();
        let paths = [0, 1].map(|file| directory.path().join(format!("{file}.vf")));
        for (file, path) in paths.iter().enumerate() {
            let mut bytes = Vec::new();
            for mut game in (0..40).map(game) {
                // Fitted alone, the second file would have twice the scale.
                game.moves.iter_mut().for_each(|(_, score)| *score = score.map(|score| score / 8 * (1 + file as i16)));
                game.write_to(&mut bytes).unwrap();
            }
            std::fs::write(path, bytes).unwrap();
        }
        let split = Split { validation_share: 0.0, seed: 3 };
        let load = |paths: &[PathBuf], scale| Dataset::load(paths, FILTER, split, scale, 2).unwrap();
        let (first, second, both) = (load(&paths[..1], None), load(&paths[1..], None), load(&paths, None));
        assert!(first.scale < both.scale && both.scale < second.scale);
        let given = load(&paths, Some(110));
        assert_eq!((given.scale, SCALE), (110.0, 220));
        let alone = load(&paths[..1], Some(110));
        assert_eq!(alone.training, given.training[..alone.training.len()]);
        let doubled = load(&paths[..1], Some(55));
        assert!(alone.training.iter().zip(&doubled.training).all(|(a, b)| 2 * a.score() == b.score()));
    }

    #[test]
    fn plies_without_a_score_are_left_out() {
        let mut games: Vec<_> = (0..20).map(game).collect();
        let bytes = |games: &[GameRecord]| {
            let mut bytes = Vec::new();
            games.iter().for_each(|game| game.write_to(&mut bytes).unwrap());
            bytes
        };
        let all = load(&bytes(&games), "whole.vf", 0.0).unwrap().training.len();
        let unrecorded =
            |(index, (_, score)): (usize, &mut (Move, Option<i16>))| *score = score.filter(|_| index % 2 == 0);
        games.iter_mut().for_each(|game| game.moves.iter_mut().enumerate().for_each(unrecorded));
        let path = std::env::temp_dir().join(format!("sleight-load-{}-unscored.vf", std::process::id()));
        std::fs::write(&path, bytes(&games)).unwrap();
        // Whatever scores the filter lets through.
        let (filter, split) = (Filter { max_score: i16::MAX, ..FILTER }, Split { validation_share: 0.0, seed: 3 });
        let half = Dataset::load(std::slice::from_ref(&path), filter, split, None, 1).unwrap().training.len();
        std::fs::remove_file(&path).unwrap();
        assert!(half > all / 3 && half < all * 2 / 3, "{half} of {all}");
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
        let split = Split { validation_share: 0.0, seed: 0 };
        let missing = Dataset::load(&["no/such.vf".into()], FILTER, split, None, 1);
        assert!(matches!(missing, Err(LoadError::Io { .. })));
    }
}
