//! A part of a file: cut from the input, and labelled.

use std::{
    io::{self, Read},
    path::Path,
};

use super::{error::LabelError, teacher::Labeller};
use crate::{
    datagen::format::{GameReader, ReadError},
    record::Record,
    train::{Format, LoadError},
};
use sleight::types::Color;

/// The bytes of a record in bulletformat, and of a game's header in viriformat.
const RECORD: usize = 32;
/// The bytes of a ply in viriformat; all zero behind the last one.
const PLY: usize = 4;
/// The number of damaged places of a chunk that are reported in full.
const MAX_WARNINGS: u64 = 3;

/// Whole games or records, as they follow each other in the input.
pub(super) struct Chunk {
    /// From 0.
    pub number: u64,
    /// The place in the input, in bytes.
    pub begin: u64,
    pub bytes: Vec<u8>,
}

/// The numbers of positions that were labelled, and of those left out.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Counts {
    pub labelled: u64,
    pub in_check: u64,
    pub damaged: u64,
}

impl Counts {
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            labelled: self.labelled + other.labelled,
            in_check: self.in_check + other.in_check,
            damaged: self.damaged + other.damaged,
        }
    }
}

/// Cuts an input into chunks.
pub(super) struct Chunks<R> {
    input: R,
    format: Format,
    size: usize,
    next: u64,
    at: u64,
    /// The beginning of a game or record whose end was not read yet.
    rest: Vec<u8>,
    ended: bool,
}

impl<R: Read> Chunks<R> {
    /// Chunks of `size` bytes or a little more, of an input that goes on at byte `at`.
    pub(super) fn new(input: R, format: Format, size: usize, at: u64) -> Self {
        Self { input, format, size, next: 0, at, rest: Vec::new(), ended: false }
    }

    /// The next chunk; none at the end. What is left of a truncated input is the end of the last chunk.
    pub(super) fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut cut = 0;
        while cut == 0 && !self.ended {
            let read = self.input.by_ref().take(self.size as u64).read_to_end(&mut bytes)?;
            self.ended = read < self.size;
            cut = match self.format {
                Format::Games => end_of_last_game(&bytes),
                Format::Positions => bytes.len() / RECORD * RECORD,
            };
        }
        if !self.ended {
            self.rest = bytes.split_off(cut);
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let chunk = Chunk { number: self.next, begin: self.at, bytes };
        self.next += 1;
        self.at += chunk.bytes.len() as u64;
        Ok(Some(chunk))
    }
}

/// The end of the last whole game.
fn end_of_last_game(bytes: &[u8]) -> usize {
    let mut end = 0;
    while let Some(plies) = bytes.get(end + RECORD..)
        && let Some(last) = plies.chunks_exact(PLY).position(|ply| ply == [0; PLY])
    {
        end += RECORD + PLY * (last + 1);
    }
    end
}

impl Chunk {
    /// The place in the input behind the chunk.
    pub(super) fn end(&self) -> u64 {
        self.begin + self.bytes.len() as u64
    }

    /// Labels the chunk of the file at `path`: the output, and what was found.
    pub(super) fn label(
        &self,
        format: Format,
        labeller: &mut Labeller<'_>,
        path: &Path,
    ) -> Result<(Vec<u8>, Counts), LabelError> {
        match format {
            Format::Games => self.label_games(labeller, path),
            Format::Positions => self.label_positions(labeller, path),
        }
    }

    fn label_games(&self, labeller: &mut Labeller<'_>, path: &Path) -> Result<(Vec<u8>, Counts), LabelError> {
        let (mut output, mut counts) = (Vec::with_capacity(self.bytes.len()), Counts::default());
        let mut reader = GameReader::new(&self.bytes[..]);
        let mut scores = Vec::new();
        loop {
            scores.clear();
            labeller.new_game()?;
            let game = reader.read_game_with(|position, _, _, _| {
                let for_white = |score: i16| if position.side_to_move() == Color::White { score } else { -score };
                scores.push(labeller.score(position).map(|score| score.map(for_white)));
            });
            match game {
                Ok(Some(mut game)) => {
                    for ((_, score), label) in game.moves.iter_mut().zip(scores.drain(..)) {
                        *score = label?;
                    }
                    counts.labelled += game.positions() as u64;
                    counts.in_check += (game.moves.len() - game.positions()) as u64;
                    game.write_to(&mut output).map_err(LabelError::at(path))?;
                }
                Ok(None) => return Ok((output, counts)),
                Err(ReadError::Io(source)) => return Err(LabelError::at(path)(source)),
                Err(error) => {
                    counts.damaged += 1;
                    if counts.damaged <= MAX_WARNINGS {
                        log::warn!("{}, from byte {} on: {error}", path.display(), self.begin);
                    }
                }
            }
        }
    }

    fn label_positions(&self, labeller: &mut Labeller<'_>, path: &Path) -> Result<(Vec<u8>, Counts), LabelError> {
        let (mut output, mut counts) = (Vec::with_capacity(self.bytes.len()), Counts::default());
        let (records, rest) = self.bytes.as_chunks::<RECORD>();
        for (index, &bytes) in records.iter().enumerate() {
            let record = Record::from_bytes(bytes).ok_or_else(|| LoadError::Record {
                path: path.to_owned(),
                number: (self.begin / RECORD as u64) as usize + index,
            })?;
            match labeller.score_record(&record)? {
                Some(score) => {
                    output.extend_from_slice(&record.with_score(score).to_bytes());
                    counts.labelled += 1;
                }
                None => counts.in_check += 1,
            }
        }
        if !rest.is_empty() {
            counts.damaged += 1;
            log::warn!("{}: the last record is truncated", path.display());
        }
        Ok((output, counts))
    }
}
