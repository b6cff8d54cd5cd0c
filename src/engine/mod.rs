//! The engine. A client calls [`Engine`]; the engine's threads answer through [`Client::on_event`].
//!
//! [`Engine`] owns the game and the options, and numbers the searches; the engine's own thread starts and ends them, in
//! search threads.
//!
//! Nothing in here reads or prints, or knows the text of a protocol.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod command;
mod engine_options;
mod engine_thread;
mod event;
mod ongoing_search;
mod pool;

pub(crate) use command::{OptionChange, Task, When};
pub(crate) use engine_options::EngineOptions;
pub(crate) use event::{Client, EngineError, Event};

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use self::{
    command::{Command, Go, Hold, Message},
    engine_thread::EngineThread,
};
use crate::{
    game::{Game, GameError, PositionCommand},
    notation::UciMove,
    position::{FenRepair, Position},
    search::{Control, Job, Limits, SearchOptions, Shared},
    util::{
        actor::{Handler, Mailbox, actor},
        sync::{Receiver, unbounded},
    },
};

/// Bytes that commands which wait may take, and one more command.
pub(crate) const BACKLOG_BYTES: usize = 1 << 20;

/// The memory of a command besides its line and its position, in bytes.
const COMMAND_BYTES: usize = 256;

/// Stack of the engine's thread, in bytes.
const THREAD_STACK_BYTES: usize = 4 << 20;

/// How long the end waits for the engine's thread after [`Engine::quit`]: a file may not answer, or output not be read.
const QUIT_WAIT: Duration = Duration::from_secs(3);

/// The engine. Commands are sent to its thread, which executes them in their order, and those that have to wait for the
/// end of a search after it. This handle numbers the searches and raises their stops itself, so that no stop waits
/// behind a slow command, none is lost, and none hits a later search.
pub(crate) struct Engine {
    client: Arc<dyn Client>,
    /// The game; none after a position that could not be set up.
    game: Option<Game>,
    /// The last position, if it could not be set up: it may be one of Chess960.
    refused: Option<PositionCommand>,
    options: EngineOptions,
    control: Arc<Control>,
    thread: Mailbox<Message>,
    /// Number of the last search or task.
    last_search_id: u64,
    /// Memory for commands, in bytes, which the engine's thread gives back when it has executed them, until it ends.
    free_bytes: isize,
    freed: Receiver<usize>,
    has_ended: bool,
}

impl Engine {
    /// An engine with default options at the start of a game. Commands that wait may take `backlog_bytes`, and one
    /// more command.
    ///
    /// # Errors
    /// When memory cannot be allocated or a thread cannot be started.
    pub(crate) fn start(client: Arc<dyn Client>, backlog_bytes: usize) -> io::Result<Self> {
        let control = Arc::new(Control::new());
        let (thread, inbox) = actor();
        let (freed_sender, freed) = unbounded();
        let start = {
            let (client, control, mailbox) = (client.clone(), control.clone(), thread.clone());
            move || {
                let mut engine = EngineThread::new(client, control, mailbox, freed_sender, backlog_bytes)?;
                Ok(Box::new(move |message| engine.on_message(message)) as Handler<Message>)
            }
        };
        inbox.serve("engine", THREAD_STACK_BYTES, start)?;
        Ok(Self {
            client,
            game: Some(Game::default()),
            refused: None,
            options: EngineOptions::default(),
            control,
            thread,
            last_search_id: 0,
            free_bytes: backlog_bytes as isize,
            freed,
            has_ended: false,
        })
    }

    /// The game.
    ///
    /// # Errors
    /// When the last position could not be set up.
    pub(crate) fn game(&self) -> Result<&Game, GameError> {
        self.game.as_ref().ok_or(GameError::NoPosition)
    }

    /// Goes on with another game.
    pub(crate) fn set_game(&mut self, game: Game) {
        (self.game, self.refused) = (Some(game), None);
    }

    /// Sets up a position. If it is not valid there is none: rather no move than one for the wrong position.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub(crate) fn set_up(&mut self, position: PositionCommand) -> Result<Vec<FenRepair>, GameError> {
        (self.game, self.refused) = (None, Some(position.clone()));
        let (game, repairs) = Game::set_up(position, self.options.chess960)?;
        self.set_game(game);
        Ok(repairs)
    }

    /// Forgets the position: what was to be the next one could not be read.
    pub(crate) fn forget_position(&mut self) {
        (self.game, self.refused) = (None, None);
    }

    pub(crate) fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Changes an option, with what it demands. If the variant changes, the last position is set up again; that it
    /// cannot be is no error of the option, and whoever needs a position is told then. `bytes`, here and below, is what
    /// the command takes while it waits.
    pub(crate) fn set_options(
        &mut self,
        options: EngineOptions,
        change: Option<OptionChange>,
        bytes: usize,
    ) -> Vec<FenRepair> {
        change.into_iter().for_each(|change| self.send(Command::Option(change), bytes));
        let variant_changes = options.chess960 != self.options.chess960;
        self.options = options;
        let last = self.game.as_ref().map(Game::command).or(self.refused.as_ref());
        match last.filter(|_| variant_changes).cloned() {
            Some(last) => self.set_up(last).unwrap_or_default(),
            None => Vec::new(),
        }
    }

    /// Forgets what earlier games have taught the search.
    pub(crate) fn new_game(&mut self, bytes: usize) {
        self.send(Command::Option(OptionChange::ClearHash), bytes);
    }

    /// Starts a search of the current position, after stopping the one before: of the moves after `searchmoves`, if
    /// there was that word. The clock has run since `started`.
    pub(crate) fn go(
        &mut self,
        mut limits: Limits,
        search_moves: Option<Vec<UciMove>>,
        started: Instant,
        bytes: usize,
    ) {
        self.control.stop(self.last_search_id);
        self.last_search_id += 1;
        let search_id = self.last_search_id;
        let position = self.game.as_ref().map(|game| Position::clone(game.position()));
        let mut errors = Vec::new();
        if let (Some(position), Some(moves)) = (&position, search_moves) {
            if let [first, ref more @ ..] = limits.search_only(position, moves)[..] {
                let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
                errors.push(EngineError::IllegalSearchMoves { first, more });
            }
            errors.extend(limits.search_moves.is_empty().then_some(EngineError::NoLegalSearchMove));
        }
        let hold = Hold::new(search_id, &limits, position.as_ref().map(Position::side_to_move));
        let bytes = bytes + position.as_ref().map_or(0, Position::history_bytes);
        let (strength, is_play) = (self.options.strength(), !self.options.analyse);
        let options = SearchOptions { strength, is_play, ..self.options.search.clone() };
        let job = position.map(|position| Job { search_id, position, limits, options, started });
        self.send(Command::Go(Box::new(Go { hold, job, options: self.options.clone(), errors })), bytes);
    }

    /// Stops every search and task so far.
    pub(crate) fn stop(&mut self) {
        self.control.stop(self.last_search_id);
        self.call(When::Now, 0, |_| {});
    }

    /// The opponent has played the move that the last search ponders on: see [`Control`].
    pub(crate) fn ponderhit(&mut self) {
        self.control.ponderhit(self.last_search_id);
        self.call(When::Now, 0, |_| {});
    }

    /// Asks for [`Event::Ready`], when everything before it is done, or at once while searching.
    pub(crate) fn ready(&mut self, bytes: usize) {
        let (client, options) = (self.client.clone(), self.options.clone());
        self.call(When::OnceReady, bytes, move |_| client.on_event(&Event::Ready, &options));
    }

    /// Does short work.
    pub(crate) fn call(&mut self, when: When, bytes: usize, work: impl FnOnce(&Shared) + Send + 'static) {
        self.send(Command::Call(when, Box::new(work)), bytes);
    }

    /// Runs a task. [`Event::TaskEnded`] tells of its end.
    pub(crate) fn run(&mut self, task: Task, bytes: usize) {
        self.last_search_id += 1;
        self.send(Command::Run(self.last_search_id, task), bytes);
    }

    /// Waits until every command so far is done, or only a further command can end the search in progress.
    pub(crate) fn wait_idle(&mut self) {
        let (sender, done) = unbounded::<()>();
        self.call(When::OnceIdleOrHeld, 0, move |_| drop(sender));
        // Nothing is ever sent: the engine's thread drops the sender.
        let _ = done.recv();
    }

    /// Stops all searches and tasks, and ends the engine as soon as every `go` has its best move.
    pub(crate) fn quit(&mut self) {
        self.control.stop(self.last_search_id);
        self.has_ended = true;
        self.thread.send(Message::InputEnded { quits: true });
    }

    /// Ends the engine when bounded searches are finished, and others stopped, and waits for that and for tasks, but
    /// not for long if it quits.
    pub(crate) fn end(&mut self) {
        self.thread.send(Message::InputEnded { quits: self.has_ended });
        let (wait, start) = (if self.has_ended { QUIT_WAIT } else { Duration::MAX }, Instant::now());
        // The engine's thread drops the sender.
        while self.freed.recv_timeout(wait.saturating_sub(start.elapsed())).is_ok() {}
    }

    /// True after `quit`, or if the engine's thread has broken down.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The flags that searches look at.
    #[cfg(all(test, loom))]
    pub(crate) fn control(&self) -> &Arc<Control> {
        &self.control
    }

    /// Sends a command, which takes so much memory while it waits, when there is room for it.
    fn send(&mut self, command: Command, bytes: usize) {
        let bytes = COMMAND_BYTES + bytes;
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
