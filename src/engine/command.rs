use std::{fmt, sync::Arc, time::Instant};

use crossbeam_channel::Sender;

use crate::{attacks::Backend, clock::Limits, nnue::Network, notation::UciMove, position::Position, search::Control};

/// What the engine is told, in the order in which it was read.
///
/// The reader numbers the searches it asks for from 1 and raises their stop and ponderhit itself, in the [`Control`]
/// that it shares with the search; the engine need only hear that there is something new.
#[derive(Debug)]
pub enum Command {
    /// Say who you are and what can be set.
    Identify,
    /// Say when everything before this is done; at once while searching.
    Ready,
    /// Say more, or no more, about what is going on.
    Debug(bool),
    /// Set an option, or press a button.
    SetOption(Setting),
    /// What follows belongs to another game.
    NewGame,
    /// Set up a position; one that could not be read leaves the engine without any.
    Position(Result<Setup, SetupError>),
    /// Search.
    Go(Go),
    /// A stop or a ponderhit has been raised.
    Look,
    /// Hand this text on to the user, in its turn.
    Say(String),
    /// Look at the state of things, between two commands.
    Inspect(Task),
    /// Do something long that is no search, in a thread of its own.
    Run(Task),
    /// The colors change sides.
    Flip,
    /// Drop the sender when everything before it is done, or nothing but another command will end it.
    Await(Sender<()>),
    /// No more commands: finish what has an end, stop what has none, and leave.
    EndOfInput,
    /// Leave, now that every search has been stopped.
    Quit,
}

/// An option's name and new value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The name as the user wrote it.
    pub name: String,
    /// The value's bytes as they came, since a path need not be UTF-8; `None` where no value was given.
    pub value: Option<Vec<u8>>,
}

/// A position as `position` gives it, not yet checked against the rules.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Setup {
    /// The FEN, four to six fields; `None` for the initial position.
    pub fen: Option<String>,
    /// The moves played from there.
    pub moves: Vec<UciMove>,
}

/// Why a `position` command could not even be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// Neither `startpos` nor `fen` follows.
    #[error("position needs `startpos` or `fen …`, not `{0}`")]
    NoPosition(String),
    /// The command does not fit a line.
    #[error("the position command is too long")]
    TooLong,
    /// A word that is no part of the command.
    #[error("`moves` expected in position, not `{0}`")]
    StrayWord(String),
    /// A word in the list of moves that is none.
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
pub struct Go {
    /// Which search it is; the reader counts them from 1.
    pub id: u64,
    /// When the command was read, which is when the clock started.
    pub received: Instant,
    /// What to search, and for how long.
    pub request: GoRequest,
}

/// The limits of a search and the root moves it is restricted to, as `go` gives them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GoRequest {
    /// The limits; their list of moves is empty, since only the engine can tell which moves are legal.
    pub limits: Limits,
    /// The moves after `searchmoves`, if that word was there.
    pub search_moves: Option<Vec<UciMove>>,
}

/// Something that needs the engine's state but is none of the engine's business, as counting moves or drawing boards.
pub struct Task(Box<dyn FnOnce(&TaskContext) + Send>);

impl Task {
    /// The task of doing `work`.
    pub fn new(work: impl FnOnce(&TaskContext) + Send + 'static) -> Self {
        Self(Box::new(work))
    }

    pub(super) fn run(self, context: &TaskContext) {
        (self.0)(context);
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Task")
    }
}

/// The state of the engine as a [`Task`] sees it.
#[derive(Debug)]
pub struct TaskContext {
    /// The current position, if there is a good one.
    pub position: Option<Position>,
    /// The slider backend in use.
    pub backend: Backend,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// The network in use.
    pub network: Arc<Network>,
    /// Where stops are raised.
    pub control: Arc<Control>,
}
