//! Games on disk in viriformat.
//!
//! A game is a packed start position of 32 bytes with the game's result, then 4 bytes for each ply (the move, and the
//! score of the search that chose it, in internal units for White) and 4 zero bytes at the end. A file is a sequence of
//! games without any header, so files can be joined with `cat` and appended to while they are read.
//!
//! A ply that is not to be trained on has the score 32,100, above every mate: the default filters of the crate
//! `viriformat` and of the trainers that use it drop all scores from 31,339 on.
// CITE: viriformat, Cosmo Bobak (Viridithas); the tests compare with the crate of that name.

use std::io::{self, BufRead, ErrorKind, Write};

pub use super::packed::Defect;
use super::packed::{HEADER_BYTES, decode_move, encode_move, pack, unpack};
use sleight::{movegen::legal_moves, outcome::Outcome, position::Position, types::Move};

const PLY_BYTES: usize = 4;
const END_OF_GAME: [u8; PLY_BYTES] = [0; PLY_BYTES];
/// The stored score of a ply without one.
const NO_SCORE: i16 = 32_100;

/// A self-play game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The position after the random moves of the opening, without history.
    pub start: Position,
    /// Each move, and the score of the search that chose it: internal units **for White**, mates as in
    /// [`Score`](sleight::types::Score). None if the search was too short to train on.
    pub moves: Vec<(Move, Option<i16>)>,
    /// The result of the game.
    pub outcome: Outcome,
}

impl GameRecord {
    /// The game's length in the file, in bytes.
    pub fn packed_len(&self) -> usize {
        HEADER_BYTES + PLY_BYTES * (self.moves.len() + 1)
    }

    /// The number of positions with a score.
    pub fn positions(&self) -> usize {
        self.moves.iter().filter(|(_, score)| score.is_some()).count()
    }

    /// Writes the game with a single `write_all`.
    ///
    /// # Errors
    /// If the writer fails; then any first part of the game may have been written.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(self.packed_len());
        bytes.extend_from_slice(&pack(&self.start, self.outcome));
        for &(mv, score) in &self.moves {
            bytes.extend_from_slice(&encode_move(mv).to_le_bytes());
            bytes.extend_from_slice(&score.unwrap_or(NO_SCORE).to_le_bytes());
        }
        bytes.extend_from_slice(&END_OF_GAME);
        out.write_all(&bytes)
    }
}

/// Why a game could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The input cannot be read.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// The file ends within a game, as it does when its writer is killed.
    #[error("the last game, which begins at byte {complete}, is incomplete")]
    Truncated {
        /// The end of the last whole game, in bytes from the start of the file.
        complete: u64,
    },
    /// The bytes of a game are invalid.
    #[error("byte {offset}: {defect}")]
    Damaged {
        /// The position, in bytes from the start of the file.
        offset: u64,
        /// The fault.
        defect: Defect,
    },
}

/// Reads games one by one, and replays each once, so that every game that it returns is legal.
///
/// After a damaged game, reading resumes behind the next end-of-game mark. Any other error ends the iteration.
#[derive(Debug)]
pub struct GameReader<R> {
    input: R,
    /// The number of bytes read so far.
    offset: u64,
    /// The end of the last whole game, in bytes from the start.
    complete: u64,
    /// True after the end of the input or an input error.
    exhausted: bool,
}

impl<R: BufRead> GameReader<R> {
    /// A reader of the games in `input`.
    pub fn new(input: R) -> Self {
        Self { input, offset: 0, complete: 0, exhausted: false }
    }

    /// The next game; none at the end of the input.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn read_game(&mut self) -> Result<Option<GameRecord>, ReadError> {
        self.read_game_with(|_, _, _, _| {})
    }

    /// As [`Self::read_game`], and calls `visit` with each position, its move, its score for White and the game's
    /// result. The positions of a game that is found to be damaged later are visited, too.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn read_game_with(
        &mut self,
        mut visit: impl FnMut(&Position, Move, Option<i16>, Outcome),
    ) -> Result<Option<GameRecord>, ReadError> {
        if self.exhausted {
            return Ok(None);
        }
        let begin = self.offset;
        let mut header = [0; HEADER_BYTES];
        if !self.fill(&mut header)? {
            return if self.offset == begin { Ok(None) } else { Err(self.truncated()) };
        }
        let (start, outcome) = unpack(&header).map_err(|defect| self.damaged(begin, defect))?;
        let mut position = start.clone();
        let moves = self.replay_moves(&mut position, |position, mv, score| visit(position, mv, score, outcome))?;
        self.complete = self.offset;
        let mated = position.in_check() && legal_moves(&position).is_empty();
        if mated && outcome != Outcome::win(!position.side_to_move()) {
            return Err(ReadError::Damaged { offset: begin, defect: Defect::MateContradicted });
        }
        Ok(Some(GameRecord { start, moves, outcome }))
    }

    /// Reads the moves up to the end of the game, and makes each after visiting its position.
    fn replay_moves(
        &mut self,
        position: &mut Position,
        mut visit: impl FnMut(&Position, Move, Option<i16>),
    ) -> Result<Vec<(Move, Option<i16>)>, ReadError> {
        let mut moves = Vec::new();
        loop {
            let begin = self.offset;
            let mut ply = END_OF_GAME;
            if !self.fill(&mut ply)? {
                return Err(self.truncated());
            }
            if ply == END_OF_GAME {
                return Ok(moves);
            }
            let [move_low, move_high, score_low, score_high] = ply;
            let bits = u16::from_le_bytes([move_low, move_high]);
            let Some(mv) = decode_move(position, bits) else {
                let defect = Defect::Move { ply: moves.len(), bits, fen: position.fen() };
                return Err(self.damaged(begin, defect));
            };
            let score = Some(i16::from_le_bytes([score_low, score_high])).filter(|&score| score != NO_SCORE);
            visit(position, mv, score);
            moves.push((mv, score));
            position.make(mv);
        }
    }

    /// Fills `buffer`; returns false if the input ends before that.
    fn fill(&mut self, buffer: &mut [u8]) -> io::Result<bool> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.input.read(&mut buffer[filled..]) {
                Ok(0) => {
                    self.exhausted = true;
                    return Ok(false);
                }
                Ok(bytes) => {
                    filled += bytes;
                    self.offset += bytes as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.exhausted = true;
                    return Err(error);
                }
            }
        }
        Ok(true)
    }

    fn truncated(&self) -> ReadError {
        ReadError::Truncated { complete: self.complete }
    }

    /// Skips the rest of an invalid game.
    fn damaged(&mut self, offset: u64, defect: Defect) -> ReadError {
        let mut ply = [1; PLY_BYTES];
        while ply != END_OF_GAME {
            match self.fill(&mut ply) {
                Ok(true) => {}
                Ok(false) => return ReadError::Damaged { offset, defect },
                Err(error) => return ReadError::Io(error),
            }
        }
        self.complete = self.offset;
        ReadError::Damaged { offset, defect }
    }
}

/// The games of the input, and the errors between them.
impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_game().transpose()
    }
}
