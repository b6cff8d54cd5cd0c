use std::time::Instant;

use super::{options::Setting, task::Task};
use crate::{notation::UciMove, search::Limits, util::sync::Sender};

/// A command of the reader to the engine, in the order of the input.
///
/// The reader numbers the searches from 1 and raises `stop` and `ponderhit` itself, in the
/// [`Control`](crate::search::Control) that it shares with the search; the engine is only woken up.
#[derive(Debug)]
pub(crate) enum Command {
    /// `uci`: announce name, author and options.
    Identify,
    /// `isready`: answer when everything before it is done, or at once while searching.
    Ready,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `setoption`.
    SetOption(Setting),
    /// `ucinewgame`.
    NewGame,
    /// `position`. A position that could not be read leaves the engine without one.
    Position(Result<PositionCommand, SetupError>),
    /// `go`.
    Go(Go),
    /// A stop or a ponderhit has been raised in the shared control flags.
    Wake,
    /// Report an error in the input, in its turn.
    ReportError(InputError),
    /// Run a short task in the engine thread, between two commands.
    Inspect(Task),
    /// Run a long task in a thread of its own. It is numbered as a search is.
    Run(u64, Task),
    /// Swap the colors.
    Flip,
    /// Drop the sender when everything before it is done, or when only another command can end the search in progress.
    #[cfg_attr(single_threaded, expect(dead_code, reason = "for threads that wait"))]
    AwaitIdle(Sender<()>),
    /// Return as soon as every `go` has its best move. The reader has stopped all searches.
    Quit,
}

/// A position as `position` gives it, not yet checked against the rules.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct PositionCommand {
    /// The FEN, four to six fields; `None` for the initial position.
    pub fen: Option<String>,
    /// The moves played from there.
    pub moves: Vec<UciMove>,
    /// True to keep castling rights of Chess960, false to drop them; `None` for what the option `UCI_Chess960` says.
    pub chess960: Option<bool>,
}

/// Why a `position` command could not be parsed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum SetupError {
    /// Neither `startpos` nor `fen` follows.
    #[error("position needs `startpos` or `fen …`, not `{0}`")]
    NoPosition(String),
    /// The command is longer than a line may be.
    #[error("the position command is too long")]
    TooLong,
    /// A word between the position and its moves.
    #[error("`moves` expected in position, not `{0}`")]
    UnexpectedWord(String),
    /// A word in the list of moves that is not a move.
    #[error("move {number}, `{text}`, is not a move")]
    BadMove {
        /// Its place in the list, from 1.
        number: usize,
        /// The word.
        text: String,
    },
}

/// A search to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Go {
    /// The number of the search, counted from 1 by the reader.
    pub id: u64,
    /// When the command was read, which is when the clock started.
    pub received: Instant,
    /// What to search, and for how long.
    pub request: GoRequest,
}

/// The limits of a search and the root moves it is restricted to, as `go` gives them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct GoRequest {
    /// The limits; their list of moves is empty, since only the engine can tell which moves are legal.
    pub limits: Limits,
    /// The moves after `searchmoves`, if that word was there.
    pub search_moves: Option<Vec<UciMove>>,
}

/// An input line that could not be understood, or a part of one that was skipped.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum InputError {
    /// The first word is not a command.
    #[error("unknown command `{0}`")]
    UnknownCommand(String),
    /// A word that the command does not take.
    #[error("skipped `{word}`, which `{command}` does not know")]
    UnknownWord {
        /// The command.
        command: &'static str,
        /// The skipped word.
        word: String,
    },
    /// A keyword at the end of the command, or before another keyword, that needs a number.
    #[error("skipped `{0}`, which needs a number")]
    MissingNumber(&'static str),
    /// A keyword that is followed by something other than a number.
    #[error("skipped `{keyword} {value}`, which is not a number")]
    NotANumber {
        /// The keyword.
        keyword: &'static str,
        /// What follows it.
        value: String,
    },
    /// A number that makes no sense there.
    #[error("skipped `{keyword} {value}`, which is out of range")]
    OutOfRange {
        /// The keyword.
        keyword: &'static str,
        /// The number.
        value: i64,
    },
    /// A word after `searchmoves` that is not a move.
    #[error("skipped `searchmoves {0}`, which is not a move")]
    BadSearchMove(String),
    /// `setoption` without a name.
    #[error("write `setoption name <option> value <value>`")]
    OptionSyntax,
    /// `debug` without `on` or `off`.
    #[error("write `debug on` or `debug off`")]
    DebugSyntax,
    /// `genfens` without its arguments.
    #[error("write `genfens <count> seed <number> book <None or path>`")]
    GenFensSyntax,
    /// A line of more bytes than this.
    #[error("skipped a line of over {0} bytes")]
    LineTooLong(usize),
    /// So many more errors in a line whose first ones have been reported.
    #[error("… and {0} more errors in this line")]
    MoreErrors(usize),
}

impl InputError {
    /// A correct command to try instead, where the message does not show one itself.
    pub(crate) fn suggestion(&self) -> Option<&'static str> {
        let example = |keyword| match keyword {
            "perft" => "perft 5",
            "bench" => "bench 10",
            _ => "go depth 20",
        };
        match self {
            Self::UnknownCommand(_) => Some("help"),
            Self::UnknownWord { command, .. } if !["go", "perft", "bench"].contains(command) => Some(command),
            Self::UnknownWord { command: keyword, .. }
            | Self::MissingNumber(keyword)
            | Self::NotANumber { keyword, .. }
            | Self::OutOfRange { keyword, .. } => Some(example(keyword)),
            Self::BadSearchMove(_) => Some("go searchmoves e2e4 d2d4"),
            Self::OptionSyntax
            | Self::DebugSyntax
            | Self::GenFensSyntax
            | Self::LineTooLong(_)
            | Self::MoreErrors(_) => None,
        }
    }
}
