//! The messages to the engine's thread: commands from the engine's handle, and the ends of searches and tasks.

use std::ffi::OsString;

use super::{engine_options::EngineOptions, event::EngineError};
use crate::{
    search::{Control, Job, Limits, SearchResult, Shared},
    types::Color,
};

/// Long work of a client, in a search thread. It is numbered as a search is, and stopped in the same way.
pub(crate) type Task = Box<dyn FnOnce(&Shared, u64) + Send>;

/// When short work is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// At once, even if commands before it have to wait for the end of a search.
    Now,
    /// When the commands before it have been executed, even while a search is in progress.
    InTurn,
    /// When the commands before it have been executed, and no search is in progress.
    OnceIdle,
    /// As [`Self::OnceIdle`] and when the memory of a new table is there, or at once while a search is in progress.
    OnceReady,
    /// As [`Self::OnceIdle`], or when only another command can end the search in progress.
    OnceIdleOrHeld,
}

pub(super) enum Message {
    /// A command, and what it takes of the memory for commands that wait, in bytes.
    Command(Command, usize),
    /// No more commands will come: bounded searches are finished, others stopped. Who quits does not wait for tasks.
    InputEnded { quits: bool },
    /// A thread has ended a search; without a result if it panicked, which is a bug, but no reason to lose the game.
    Done(Option<SearchResult>),
    /// The task in progress has ended.
    TaskDone,
}

pub(super) enum Command {
    /// Short work of a client in its turn, mostly to show something.
    Call(When, Box<dyn FnOnce(&Shared) + Send>),
    Run(u64, Task),
    Option(OptionChange),
    Go(Box<Go>),
}

impl Command {
    pub(super) fn when(&self) -> When {
        match self {
            Self::Call(when, _) => *when,
            Self::Run(..) | Self::Option(_) | Self::Go(_) => When::OnceIdle,
        }
    }
}

/// The change that setting an option triggers, besides storing its value for the next search.
pub(crate) enum OptionChange {
    /// Replace the transposition table by an empty one of this size, in MiB.
    Hash(usize),
    /// Forget what earlier games have taught the search.
    ClearHash,
    Threads(usize),
    Network(OsString),
    Tablebases(OsString),
}

/// A search, and what is told about it.
pub(super) struct Go {
    pub(super) hold: Hold,
    /// None after a position that could not be set up; see [`Engine::set_up`](super::Engine::set_up).
    pub(super) job: Option<Job>,
    pub(super) options: EngineOptions,
    /// The errors in its `searchmoves`.
    pub(super) errors: Vec<EngineError>,
}

/// When the best move of a search may be sent: an infinite one's after `stop`, a pondering one's after `ponderhit` or
/// `stop`, any other's at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hold {
    pub(super) search_id: u64,
    infinite: bool,
    ponder: bool,
}

impl Hold {
    /// The hold of a search with `side` to move; none without a position, when it is not known whose clock runs.
    pub(super) fn new(search_id: u64, limits: &Limits, side: Option<Color>) -> Self {
        let infinite = match side {
            Some(side) => limits.is_infinite(side),
            None => Color::ALL.into_iter().all(|side| limits.is_infinite(side)),
        };
        Self { search_id, infinite, ponder: limits.ponder }
    }

    /// True while only `stop` or `ponderhit` can end the search or release its best move.
    pub(super) fn is_active(self, control: &Control) -> bool {
        let held = self.infinite || self.ponder && !control.is_ponderhit(self.search_id);
        held && !control.is_stopped(self.search_id)
    }
}
