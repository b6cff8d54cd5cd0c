//! Errors of the input.

use crate::openings::GenFensSyntax;

/// A line that could not be understood, or a part of one that was skipped.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("unknown command `{0}`")]
    UnknownCommand(String),
    #[error("skipped `{word}`, which `{command}` does not know")]
    UnknownWord { command: &'static str, word: String },
    #[error("skipped `{0}`, which needs a number")]
    MissingNumber(&'static str),
    #[error("skipped `{keyword} {value}`, which is not a number")]
    NotANumber { keyword: &'static str, value: String },
    #[error("skipped `{keyword} {value}`, which is out of range")]
    OutOfRange { keyword: &'static str, value: i64 },
    #[error("skipped `searchmoves {0}`, which is not a move")]
    BadSearchMove(String),
    #[error("write {0}")]
    Syntax(&'static str),
    #[error(transparent)]
    GenFens(#[from] GenFensSyntax),
    #[error("skipped a line of over {0} bytes")]
    LineTooLong(usize),
    #[error("… and {0} more errors in this line")]
    MoreErrors(usize),
    #[error("no option `{0}`")]
    UnknownOption(String),
    #[error("{name} must be {range}, not `{value}`")]
    OptionValue { name: &'static str, range: String, value: String },
    #[error("position needs `startpos` or `fen …`, not `{0}`")]
    NoPosition(String),
    #[error("the position command is too long")]
    PositionTooLong,
    #[error("`moves` expected in position, not `{0}`")]
    UnexpectedWord(String),
    #[error("move {number}, `{text}`, is not a move")]
    BadMove { number: usize, text: String },
}

/// A correct `position` from a FEN.
pub(super) const POSITION_EXAMPLE: &str = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
/// A correct `position` with moves.
pub(super) const MOVES_EXAMPLE: &str = "position startpos moves e2e4 e7e5";

impl InputError {
    /// A correct command to try instead, where the message does not show one itself.
    pub(crate) fn example(&self) -> Option<&'static str> {
        match self {
            Self::UnknownCommand(_) => Some("help"),
            Self::UnknownWord { command, .. } if !["go", "perft", "bench"].contains(command) => Some(command),
            Self::UnknownWord { command: keyword, .. }
            | Self::MissingNumber(keyword)
            | Self::NotANumber { keyword, .. }
            | Self::OutOfRange { keyword, .. } => Some(match *keyword {
                "perft" => "perft 5",
                "bench" => "bench 10",
                _ => "go depth 20",
            }),
            Self::BadSearchMove(_) => Some("go searchmoves e2e4 d2d4"),
            Self::UnknownOption(_) => Some("setoption name Hash value 256"),
            Self::NoPosition(_) => Some(POSITION_EXAMPLE),
            Self::PositionTooLong | Self::UnexpectedWord(_) | Self::BadMove { .. } => Some(MOVES_EXAMPLE),
            _ => None,
        }
    }
}
