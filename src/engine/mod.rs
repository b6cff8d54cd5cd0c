//! The engine, as its clients use it: [`Engine`] is the handle of one client, which it is called by, and a [`Client`]
//! is told the answers, by other threads. The game and the options are here. Searches are numbered here; the engine's
//! own thread starts and ends them, in search threads.
//!
//! Nothing in here reads or prints, or knows the text of a protocol.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod command;
mod engine_thread;
mod event;
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "for the terminal"))]
mod game;
#[cfg(loom)]
mod model_worker;
mod ongoing_search;
mod options;
mod pool;
mod strength;

pub(crate) use command::{Callback, OptionChange, Task, When};
pub(crate) use event::{Client, EngineError, Event};
pub(crate) use game::{Game, GameError, PositionCommand};
#[cfg(all(test, loom))]
pub(crate) use model_worker::CLEARS_STOP;
pub(crate) use options::EngineOptions;
pub(crate) use strength::{FULL_SKILL, MAX_ELO, MIN_ELO};

use std::{
    io, mem,
    sync::Arc,
    time::{Duration, Instant},
};

use self::{
    command::{Command, Go, Message},
    engine_thread::EngineThread,
};
use crate::{
    position::{FenRepair, Position},
    search::{Control, Limits},
    util::{
        actor::{Mailbox, actor},
        sync::{Receiver, unbounded},
    },
};

/// Bytes that commands which wait may take, and one more command.
pub(crate) const BACKLOG_BYTES: usize = 1 << 20;

/// What a command takes besides the contents of its line, in bytes.
const COMMAND_BYTES: usize = 256;

/// Stack of the engine's thread, in bytes.
const THREAD_STACK_BYTES: usize = 4 << 20;

/// How long the end waits for the engine's thread after [`Engine::quit`]: a file may not answer, or output not be read.
const QUIT_WAIT: Duration = Duration::from_secs(3);

/// The engine. Commands are sent to its thread, which executes them in their order, and those that have to wait for the
/// end of a search after it. This handle numbers the searches and raises their stops itself, so that no stop waits
/// behind a slow command, none is lost, and none hits a later search.
///
/// Dropping it ends the engine when bounded searches are finished; others are stopped.
pub(crate) struct Engine {
    /// The game; none after a position that could not be set up.
    pub(crate) game: Option<Game>,
    /// The last position, if it could not be set up: it may be one of Chess960.
    refused: Option<PositionCommand>,
    options: EngineOptions,
    control: Arc<Control>,
    thread: Mailbox<Message>,
    /// Number of the last search or task.
    pub(crate) searches: u64,
    /// Length of the line that the next commands come from.
    pub(crate) line_bytes: usize,
    /// Memory of the position that the next command shares, in bytes.
    position_bytes: usize,
    /// Memory for commands, in bytes, which the engine's thread gives back when it has executed them.
    free_bytes: isize,
    freed: Receiver<usize>,
    /// The end of the engine's thread.
    ended: Receiver<()>,
    /// True after `quit`, or if the engine's thread has broken down.
    pub(crate) has_ended: bool,
}

impl Engine {
    /// An engine with default options at the start of a game. Commands that wait may take so many bytes, and one more
    /// command.
    ///
    /// # Errors
    /// When memory cannot be allocated or a thread cannot be started.
    pub(crate) fn start(client: Arc<dyn Client>, backlog: usize) -> io::Result<Self> {
        let control = Arc::new(Control::new());
        let (thread, inbox) = actor();
        let (freed_sender, freed) = unbounded();
        let (end, ended) = unbounded();
        let start = {
            let (control, mailbox) = (control.clone(), thread.clone());
            move || {
                let mut engine = EngineThread::new(client, control, mailbox, (freed_sender, backlog))?;
                Ok(Box::new(move |message| {
                    let _dropped_with_the_thread = &end;
                    engine.on_message(message)
                }) as Box<dyn FnMut(_) -> _>)
            }
        };
        inbox.serve("engine", THREAD_STACK_BYTES, start)?;
        Ok(Self {
            game: Some(Game::default()),
            refused: None,
            options: EngineOptions::default(),
            control,
            thread,
            searches: 0,
            line_bytes: 0,
            position_bytes: 0,
            free_bytes: backlog as isize,
            freed,
            ended,
            has_ended: false,
        })
    }

    /// Sets up a position. If it is not valid there is none: no move is better than one for the wrong position.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub(crate) fn set_up(&mut self, position: PositionCommand) -> Result<Vec<FenRepair>, GameError> {
        self.game = None;
        self.refused = Some(position.clone());
        let (game, repairs) = Game::set_up(position, self.options.chess960)?;
        self.game = Some(game);
        self.refused = None;
        Ok(repairs)
    }

    /// Forgets the position: what was to be the next one could not be read.
    pub(crate) fn forget_position(&mut self) {
        (self.game, self.refused) = (None, None);
    }

    pub(crate) fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Changes an option, with what it demands. The last position is set up again if it is now one of Chess960, or no
    /// longer; that it cannot be is no error of the option, and whoever needs a position is told then.
    pub(crate) fn set_options(&mut self, options: EngineOptions, change: Option<OptionChange>) -> Vec<FenRepair> {
        change.into_iter().for_each(|change| self.send(Command::Option(change)));
        let variant_changes = options.chess960 != self.options.chess960;
        self.options = options;
        let last = self.game.as_ref().map(|game| &game.command).or(self.refused.as_ref());
        match last.filter(|_| variant_changes).cloned() {
            Some(last) => self.set_up(last).unwrap_or_default(),
            None => Vec::new(),
        }
    }

    /// Forgets what earlier games have taught the search.
    pub(crate) fn new_game(&mut self) {
        self.send(Command::NewGame);
    }

    /// Starts a search of the current position, after stopping the one before. The clock has run since `started`.
    /// `on_start` is called when it begins.
    pub(crate) fn go(&mut self, limits: Limits, started: Instant, on_start: Callback) {
        self.control.stop(self.searches);
        self.searches += 1;
        let position = self.share_position();
        let (search_id, options) = (self.searches, self.options.clone());
        self.send(Command::Go(Box::new(Go { search_id, started, limits, position, options, on_start })));
    }

    /// The current position for the next command, with which its memory is counted: each that waits may have its own.
    pub(crate) fn share_position(&mut self) -> Option<Arc<Position>> {
        let position = self.game.as_ref()?.position().clone();
        self.position_bytes = position.history_bytes();
        Some(position)
    }

    /// Stops every search and task so far.
    pub(crate) fn stop(&mut self) {
        self.control.stop(self.searches);
        self.send(Command::Wake);
    }

    /// The opponent has played the move that the last search ponders on: see [`Control`].
    pub(crate) fn ponderhit(&mut self) {
        self.control.ponderhit(self.searches);
        self.send(Command::Wake);
    }

    /// Asks for [`Event::Ready`], when everything before it is done, or at once while searching.
    pub(crate) fn ready(&mut self) {
        self.send(Command::Ready);
    }

    /// Does short work.
    pub(crate) fn call(&mut self, when: When, callback: Callback) {
        self.send(Command::Call(when, callback));
    }

    /// Runs a task. [`Event::TaskEnded`] tells of its end.
    pub(crate) fn run(&mut self, task: Task) {
        self.searches += 1;
        self.send(Command::Run(self.searches, task));
    }

    /// Waits until every command so far is done, or only a further command can end the search in progress.
    pub(crate) fn wait_idle(&mut self) {
        let (sender, done) = unbounded();
        self.send(Command::AwaitIdle(sender));
        // Nothing is ever sent: the engine's thread drops the sender.
        let _ = done.recv();
    }

    /// Stops all searches and tasks, and ends the engine as soon as every `go` has its best move.
    pub(crate) fn quit(&mut self) {
        self.control.stop(self.searches);
        self.has_ended = true;
        self.thread.send(Message::Command(Command::Quit, 0));
    }

    /// Waits for the end of the engine: of all searches, and of tasks unless it quits.
    pub(crate) fn end(&mut self) {
        self.thread.send(Message::InputEnded);
        // Nothing is ever sent.
        let _ = self.ended.recv_timeout(if self.has_ended { QUIT_WAIT } else { Duration::MAX });
    }

    /// The flags that searches look at.
    #[cfg(all(test, loom))]
    pub(crate) fn control(&self) -> &Arc<Control> {
        &self.control
    }

    /// Sends a command when there is room for it.
    fn send(&mut self, command: Command) {
        let bytes = COMMAND_BYTES + self.line_bytes + mem::take(&mut self.position_bytes);
        while let Ok(bytes) = self.freed.try_recv() {
            self.free_bytes += bytes as isize;
        }
        while self.free_bytes <= 0
            && let Ok(bytes) = self.freed.recv()
        {
            self.free_bytes += bytes as isize;
        }
        self.free_bytes -= bytes as isize;
        self.has_ended |= !self.thread.send(Message::Command(command, bytes));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.thread.send(Message::InputEnded);
    }
}
