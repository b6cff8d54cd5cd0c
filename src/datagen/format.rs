//! Games on disk: viriformat, read and written.
//!
//! A game is a packed position of 32 bytes with the game's result, then 4 bytes a ply - the move, and the score that
//! led to it in centipawns from White's side - and 4 zero bytes at the end. A file is games one after another and
//! nothing else, so files can be joined with `cat` and appended to while they are read.

use std::io::{self, BufRead, ErrorKind, Write};

pub use super::packed::Defect;
use super::packed::{HEADER_BYTES, decode_move, encode_move, pack, unpack};
use crate::{
    movegen::legal_moves,
    position::Position,
    types::{Move, Outcome},
};

const PLY_BYTES: usize = 4;
const END_OF_GAME: [u8; PLY_BYTES] = [0; PLY_BYTES];

/// A game: where it began, what was played and thought, how it ended.
#[derive(Clone, Debug)]
pub struct Game {
    /// The first position of which a move is kept; it has no history.
    pub start: Position,
    /// Each move, and the score of the position in which it was chosen: centipawns **from White's side**, mates as
    /// [`Score`](crate::types::Score) counts them.
    pub moves: Vec<(Move, i16)>,
    /// How it ended.
    pub outcome: Outcome,
}

impl Game {
    /// Goes through the game: the position before each move, the move, and its score from White's side.
    pub fn replay(&self, mut visit: impl FnMut(&Position, Move, i16)) {
        let mut position = self.start.clone();
        for &(mv, score) in &self.moves {
            visit(&position, mv, score);
            position.play(mv);
        }
    }

    /// The game's length in the file, in bytes.
    pub fn packed_len(&self) -> usize {
        HEADER_BYTES + PLY_BYTES * (self.moves.len() + 1)
    }

    /// Writes the game, in one piece.
    ///
    /// # Errors
    /// When the writer fails; then any first part of the game may have been written.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(self.packed_len());
        bytes.extend_from_slice(&pack(&self.start, self.outcome));
        for &(mv, score) in &self.moves {
            bytes.extend_from_slice(&encode_move(mv).to_le_bytes());
            bytes.extend_from_slice(&score.to_le_bytes());
        }
        bytes.extend_from_slice(&END_OF_GAME);
        out.write_all(&bytes)
    }
}

/// Why a game could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system says no.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// The file ends within a game, as it does when its writer is killed.
    #[error("the last game, which begins at byte {complete}, is cut short")]
    Torn {
        /// The end of the last whole game, in bytes from the start: what to cut the file to.
        complete: u64,
    },
    /// The bytes of a game make no sense.
    #[error("byte {offset}: {defect}")]
    Damaged {
        /// Where, in bytes from the start.
        offset: u64,
        /// What is wrong.
        defect: Defect,
    },
}

/// Reads games one by one. Each is played through on the way, so every game that comes out is legal.
///
/// After a damaged game, reading goes on behind the next end-of-game mark. After any other error there is nothing
/// more to come.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    /// Bytes read so far.
    offset: u64,
    /// The end of the last game that was read whole.
    complete: u64,
    /// An end of the input was met.
    exhausted: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader of games that begin at the front of `input`.
    pub fn new(input: R) -> Self {
        Self { input, offset: 0, complete: 0, exhausted: false }
    }

    /// Where the last whole game ended, in bytes from the start.
    pub fn complete_bytes(&self) -> u64 {
        self.complete
    }

    /// The next game; none at the end of the file.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn read_game(&mut self) -> Result<Option<Game>, ReadError> {
        if self.exhausted {
            return Ok(None);
        }
        let begin = self.offset;
        let mut header = [0; HEADER_BYTES];
        if !self.fill(&mut header)? {
            return if self.offset == begin { Ok(None) } else { Err(self.torn()) };
        }
        let (mut position, outcome) = unpack(&header).map_err(|defect| self.damaged(begin, defect))?;
        let start = position.clone();
        let moves = self.read_moves(&mut position)?;
        self.complete = self.offset;
        let mated = position.in_check() && legal_moves(&position).is_empty();
        if mated && outcome != Outcome::win(!position.side_to_move()) {
            return Err(ReadError::Damaged { offset: begin, defect: Defect::MateDenied });
        }
        Ok(Some(Game { start, moves, outcome }))
    }

    /// Reads plies up to the end of the game and plays them.
    fn read_moves(&mut self, position: &mut Position) -> Result<Vec<(Move, i16)>, ReadError> {
        let mut moves = Vec::new();
        loop {
            let begin = self.offset;
            let mut ply = END_OF_GAME;
            if !self.fill(&mut ply)? {
                return Err(self.torn());
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
            moves.push((mv, i16::from_le_bytes([score_low, score_high])));
            position.play(mv);
        }
    }

    /// Fills `buffer`; false when the input ends before.
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

    fn torn(&self) -> ReadError {
        ReadError::Torn { complete: self.complete }
    }

    /// Skips the rest of a game that makes no sense.
    fn damaged(&mut self, offset: u64, defect: Defect) -> ReadError {
        let mut ply = [1; PLY_BYTES];
        while ply != END_OF_GAME {
            match self.fill(&mut ply) {
                Ok(true) => {}
                // The next call says so, or it is the end and the damage is the last thing to tell.
                Ok(false) | Err(_) => return ReadError::Damaged { offset, defect },
            }
        }
        self.complete = self.offset;
        ReadError::Damaged { offset, defect }
    }
}

/// The games of the file, and what went wrong between them.
impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_game().transpose()
    }
}
