//! Faults of a FEN: errors, and harmless defects that are repaired.

use std::fmt;

use super::IllegalPosition;
use crate::types::Square;

/// The reason why a FEN is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The number of fields is not four to six.
    #[error("a FEN has 4 to 6 fields, not {0}")]
    Fields(usize),
    /// The number of ranks is not eight.
    #[error("the board has 8 ranks, not {0}")]
    Ranks(usize),
    /// A rank does not add up to eight files.
    #[error("rank {rank} does not fill 8 files")]
    RankWidth {
        /// As printed on a board's edge, 1 to 8.
        rank: usize,
    },
    /// A letter is no piece.
    #[error("'{letter}' on rank {rank} is neither a piece nor a number of empty squares")]
    Piece {
        /// The letter.
        letter: char,
        /// As printed on a board's edge, 1 to 8.
        rank: usize,
    },
    /// The second field is neither `w` nor `b`.
    #[error("the side to move is 'w' or 'b', not '{0}'")]
    Side(String),
    /// The third field has a letter that is no castling right.
    #[error("'{0}' is no castling right")]
    Castling(char),
    /// The fourth field is no square.
    #[error("'{0}' is no en-passant square")]
    EnPassant(String),
    /// A counter is no number.
    #[error("'{0}' is no move counter")]
    Counter(String),
    /// The text is a FEN, but the position is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
}

/// A harmless defect of a FEN that was repaired on reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenRepair {
    /// A castling right without its king or rook was dropped, or the second of two on the same side of the king.
    Castling(char),
    /// A castling right of Chess960 was dropped where standard chess is played.
    Chess960Castling(char),
    /// An en-passant square that no pawn has just passed was dropped.
    EnPassant(Square),
    /// A counter out of range was clamped.
    Counter(String),
}

impl fmt::Display for FenRepair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Castling(right) => write!(f, "castling right '{right}' has no king and rook of its own, dropped"),
            Self::Chess960Castling(right) => {
                write!(f, "castling right '{right}' is one of Chess960 and UCI_Chess960 is off, dropped")
            }
            Self::EnPassant(square) => write!(f, "no pawn has just passed {square}, en passant dropped"),
            Self::Counter(text) => write!(f, "counter '{text}' is out of range, clamped"),
        }
    }
}
