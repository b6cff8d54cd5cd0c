//! What goes to the engine's thread: commands from the engine's handle, and the ends of searches and tasks.

use std::{ffi::OsString, sync::Arc, time::Instant};

use super::options::EngineOptions;
use crate::{
    position::Position,
    search::{Control, Limits, SearchResult, Shared},
    types::Color,
    util::sync::Sender,
};

/// Short work of a client in its turn among the engine's commands, mostly to show something.
pub(crate) type Callback = Box<dyn FnOnce(&Shared) + Send>;

/// Long work of a client, in a search thread. It is numbered as a search is, and stopped in the same way.
pub(crate) type Task = Box<dyn FnOnce(&Shared, u64) + Send>;

/// When short work is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// At once, even if commands before it have to wait for the end of a search.
    Now,
    /// When the commands before it have been executed, even while a search is in progress.
    Next,
    /// When the commands before it have been executed, and no search is in progress.
    Idle,
}

pub(super) enum Message {
    /// A command, and what it takes of the memory for commands that wait, in bytes.
    Command(Command, usize),
    /// No more commands will come: bounded searches are finished, others stopped.
    InputEnded,
    /// A thread has ended a search; without a result if it panicked, which is a bug, but no reason to lose the game.
    Done(Option<SearchResult>),
    /// The task in progress has ended.
    TaskDone,
}

pub(super) enum Command {
    /// Answer when everything before it is done, or at once while searching.
    Ready,
    Call(When, Callback),
    Run(u64, Task),
    Option(OptionChange),
    NewGame,
    Go(Box<Go>),
    /// A stop or a ponderhit has been raised in the flags that the search looks at.
    Wake,
    /// Drop the sender when everything before it is done, or when only another command can end the search in progress.
    AwaitIdle(Sender<()>),
    /// End as soon as every `go` has its best move. All searches have been stopped.
    Quit,
}

/// What the change of an option demands, besides storing its value for the next search.
pub(crate) enum OptionChange {
    /// Replace the transposition table by an empty one of so many MiB.
    Hash(usize),
    ClearHash,
    Threads(usize),
    Network(OsString),
    Tablebases(OsString),
}

pub(super) struct Go {
    /// Its number, counted from 1.
    pub(super) search_id: u64,
    /// When the command was read, which is when the clock started.
    pub(super) started: Instant,
    pub(super) limits: Limits,
    /// None after a position that could not be set up: no move is better than one for the wrong position.
    pub(super) position: Option<Arc<Position>>,
    pub(super) options: EngineOptions,
    /// Called before it.
    pub(super) on_start: Callback,
}

/// When the best move of a search may be sent: an infinite one's after `stop`, a pondering one's after `ponderhit` or
/// `stop`, any other's at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hold {
    pub(super) search_id: u64,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
}

impl Hold {
    pub(super) fn new(go: &Go) -> Self {
        let infinite = match &go.position {
            Some(position) => go.limits.is_infinite(position.side_to_move()),
            // It is not known whose clock runs.
            None => Color::ALL.into_iter().all(|side| go.limits.is_infinite(side)),
        };
        Self { search_id: go.search_id, infinite, ponder: go.limits.ponder }
    }

    /// True while only `stop` or `ponderhit` can end the search or release its best move.
    pub(super) fn is_active(self, control: &Control) -> bool {
        let held = self.infinite || self.ponder && !control.is_ponderhit(self.search_id);
        held && !control.is_stopped(self.search_id)
    }
}
