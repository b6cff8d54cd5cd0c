//! The engine thread: commands and worker events in, events out.

#[cfg(single_threaded)]
use std::ops::ControlFlow;
#[cfg(not(single_threaded))]
use std::time::Duration;
use std::{
    collections::VecDeque,
    hash::{BuildHasher, Hasher, RandomState},
    io, mem, panic,
    sync::Arc,
};

use super::{
    best_move_hold::BestMoveHold,
    command::{Command, Go, PositionCommand, SetupError},
    command_channel::{CommandReceiver, QueuedCommand},
    error::EngineError,
    event::{Event, Notice},
    go_limits,
    ongoing_search::{FinishedSearch, Limited, OngoingSearch},
    options::{Effect, EngineOptions, Setting},
    position_command::{self, GameError},
    resources::Resources,
    state::{State, Step},
    strength::Candidates,
    task::{Task, TaskContext},
    worker_event::WorkerEvent,
};
#[cfg(not(single_threaded))]
use crate::util::sync::{after, never, select, tick};
use crate::{
    movegen::legal_moves,
    position::Position,
    search::{Control, Job, Limits, SearchOptions, SearchReport},
    syzygy::Tablebases,
    types::{Color, Score},
    util::{
        Rng, background,
        sync::{Receiver, Sender, unbounded},
    },
};

/// How often a search in progress is polled for the root move it is at.
#[cfg(not(single_threaded))]
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// How often the pages of a new transposition table are looked at while `readyok` waits for them.
#[cfg(not(single_threaded))]
const MEMORY_POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The engine. Its thread never searches, so it takes every command at once.
pub(crate) struct Engine<E> {
    options: EngineOptions,
    /// `None` after a position that could not be set up: no move is better than one for the wrong position.
    position: Option<Position>,
    /// What `position` was set up from, if it could be read: it is set up again when `UCI_Chess960` changes.
    position_command: Option<PositionCommand>,
    resources: Resources,
    control: Arc<Control>,
    state: State,
    /// Commands that wait for the search or task in progress.
    queue: VecDeque<QueuedCommand>,
    /// Not limited: a search sends few reports for each root move and iteration, and none after its end.
    worker_events: Receiver<WorkerEvent>,
    worker_sender: Sender<WorkerEvent>,
    /// No more commands will come: bounded searches are finished, others stopped.
    input_ended: bool,
    /// Return without waiting for the task in progress.
    quitting: bool,
    debug: bool,
    /// True until the first search begins, before which the user is told what it runs on.
    is_first_search: bool,
    /// Chooses among moves when less than full strength is wanted.
    rng: Rng,
    output: E,
}

impl<E: FnMut(Event<'_>, &EngineOptions)> Engine<E> {
    /// An engine with default options at the start of a game. It obeys `control` and passes its events, and the options
    /// in effect, to `output`, always from the thread that [`Self::run`] runs in.
    ///
    /// # Errors
    /// When memory cannot be allocated or a thread cannot be started.
    pub(crate) fn new(control: Arc<Control>, output: E) -> io::Result<Self> {
        let options = EngineOptions::default();
        let (worker_sender, worker_events) = unbounded();
        Ok(Self {
            resources: Resources::new(&options, control.clone(), worker_sender.clone())?,
            options,
            position: Some(Position::startpos()),
            position_command: None,
            control,
            state: State::Idle,
            queue: VecDeque::new(),
            worker_events,
            worker_sender,
            input_ended: false,
            quitting: false,
            debug: false,
            is_first_search: true,
            // The standard library's only source of numbers that differ from process to process.
            rng: Rng::new(RandomState::new().build_hasher().finish()),
            output,
        })
    }

    /// Executes commands until told to quit, or until every sender is gone.
    #[cfg(not(single_threaded))]
    pub(crate) fn run(mut self, mut commands: CommandReceiver) {
        let worker_events = self.worker_events.clone();
        let ticks = tick(PROGRESS_INTERVAL);
        while !self.is_done() {
            select! {
                recv(commands.receiver) -> command => match command {
                    Ok(command) => self.queue.push_back(command),
                    Err(_) => {
                        commands.receiver = never();
                        self.input_ended = true;
                    }
                },
                recv(worker_events) -> event => if let Ok(event) = event {
                    self.on_worker_event(event);
                },
                recv(ticks) -> _ => self.report_progress(),
                recv(self.memory_poll()) -> _ => {}
            }
            self.run_queue();
            self.make_room(&commands);
        }
    }

    /// Executes the commands so far, each to its end. Breaks when told to quit.
    #[cfg(single_threaded)]
    pub(crate) fn execute_all(&mut self, commands: &CommandReceiver) -> ControlFlow<()> {
        self.queue.extend(commands.receiver.try_iter());
        loop {
            self.run_queue();
            self.make_room(commands);
            if let Some(search) = self.resources.next_search() {
                search.run(|event| self.on_worker_event(event));
            } else if let Ok(event) = self.worker_events.try_recv() {
                self.on_worker_event(event);
            } else {
                return if self.is_done() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            }
        }
    }

    /// Executes the commands so far; no more will come.
    #[cfg(single_threaded)]
    pub(crate) fn finish(&mut self, commands: &CommandReceiver) {
        self.input_ended = true;
        let _ = self.execute_all(commands);
    }

    fn is_done(&self) -> bool {
        match self.state {
            State::Idle => self.input_ended && self.queue.is_empty(),
            // Every `go` is answered, even one that is still queued.
            State::Working(_) => {
                self.quitting && !self.queue.iter().any(|queued| matches!(queued.command, Command::Go(_)))
            }
            State::Searching(_) | State::Holding(_) => false,
        }
    }

    /// True if the first command of the queue, `isready`, is to wait for the memory of a new table: not if another
    /// command waits behind it, which might be a `go` or `stop`.
    fn is_memory_awaited(&self) -> bool {
        self.queue.len() == 1 && !self.input_ended && self.resources.is_memory_awaited()
    }

    /// When the memory that `isready` waits for is looked at again.
    #[cfg(not(single_threaded))]
    fn memory_poll(&self) -> Receiver<std::time::Instant> {
        let is_waiting = self.state.is_idle() && !self.queue.is_empty();
        if is_waiting { after(MEMORY_POLL_INTERVAL) } else { never() }
    }

    /// Executes every queued command that may be executed now.
    fn run_queue(&mut self) {
        loop {
            if self.input_ended {
                self.stop_held_search();
            }
            self.release_best_move();
            let may_run = |(ahead, queued): (usize, &QueuedCommand)| self.may_run(&queued.command, ahead == 0);
            let ready = self.queue.iter().enumerate().position(may_run);
            let Some(QueuedCommand { command, _share }) = ready.and_then(|at| self.queue.remove(at)) else { return };
            self.execute(command);
        }
    }

    /// Stops the search or task in progress if only its end can make room for the next command, which might be `stop`.
    fn make_room(&mut self, commands: &CommandReceiver) {
        if let Some(id) = self.state.search_id().filter(|&id| !self.control.is_stopped(id))
            && commands.is_blocked()
        {
            self.control.stop(id);
            self.report_error(EngineError::Backlog);
            self.run_queue();
        }
    }

    /// True if a command need not wait any longer; `first` if none is queued before it.
    fn may_run(&self, command: &Command, first: bool) -> bool {
        match command {
            Command::Identify | Command::Debug(_) | Command::ReportError(_) | Command::Wake | Command::Quit => true,
            Command::Inspect(_) => first,
            Command::Ready if self.state.is_idle() => first && !self.is_memory_awaited(),
            Command::Ready => self.state.is_searching(),
            Command::AwaitIdle(_) => first && self.state.is_idle() || self.is_held(),
            Command::SetOption(_)
            | Command::NewGame
            | Command::Position(_)
            | Command::Go(_)
            | Command::Run(..)
            | Command::Flip => first && self.state.is_idle(),
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Identify => self.emit(Event::Identity),
            Command::Ready => self.emit(Event::Ready),
            Command::Debug(on) => self.debug = on,
            Command::ReportError(error) => self.report_error(error),
            Command::Wake => {}
            Command::AwaitIdle(sender) => drop(sender),
            Command::Quit => {
                self.input_ended = true;
                self.quitting = true;
                self.queue.retain(|queued| !matches!(queued.command, Command::Run(..)));
            }
            Command::SetOption(setting) => self.set_option(&setting),
            Command::NewGame => self.resources.new_game(),
            Command::Position(setup) => self.set_position(setup),
            Command::Flip => self.flip(),
            Command::Go(go) => self.start_search(go),
            Command::Inspect(task) => task.run(&self.task_context()),
            Command::Run(id, task) => self.start_task(id, task),
        }
    }

    fn on_worker_event(&mut self, event: WorkerEvent) {
        match (&mut self.state, event) {
            (_, WorkerEvent::TaskDone) => self.state.step(Step::EndTask),
            (State::Searching(search), event) => {
                let mut emit = |event: Event<'_>| (self.output)(event, &self.options);
                if let Some(finished) = search.on_event(event, &mut emit) {
                    self.state.step(Step::Finish(finished));
                }
            }
            (state, event) => log::error!("{event:?} in state {state:?}"),
        }
    }

    /// Shows the root move that a long search is at.
    #[cfg_attr(single_threaded, expect(dead_code, reason = "for threads that wait"))]
    fn report_progress(&mut self) {
        if let State::Searching(search) = &mut self.state
            && let Some(progress) = search.progress()
        {
            self.emit(Event::Progress(progress));
        }
    }

    /// True while only another command can end the search in progress or release its best move.
    fn is_held(&self) -> bool {
        self.state.hold().is_some_and(|hold| hold.is_active(&self.control))
    }

    fn stop_held_search(&self) {
        if let Some(hold) = self.state.hold().filter(|hold| hold.is_active(&self.control)) {
            self.control.stop(hold.search_id);
        }
    }

    /// Tells the last lines and the best move of a finished search, unless it is held back. Lines that have been shown
    /// already are shown again, because a program may have cleared them at the ponderhit.
    fn release_best_move(&mut self) {
        if let State::Holding(finished) = &self.state
            && !self.is_held()
        {
            let finished = finished.clone();
            self.state.step(Step::Release);
            if let Some(report) = &finished.report {
                self.emit(Event::Report(report));
            }
            self.emit(Event::BestMove { best: finished.best(), ponder: finished.ponder() });
        }
    }

    /// Starts a search. Where there is nothing to search, it is finished at once.
    fn start_search(&mut self, go: Go) {
        let Go { id, received, request } = go;
        let Some(position) = self.position.clone() else {
            self.report_error(GameError::NoPosition);
            // It is not known whose clock runs.
            let infinite = Color::ALL.into_iter().all(|side| request.limits.is_infinite(side));
            let hold = BestMoveHold::new(id, &Limits { infinite, ..request.limits });
            return self.state.step(Step::Finish(FinishedSearch { hold, report: None }));
        };
        if mem::take(&mut self.is_first_search) {
            self.emit(Event::Notice(Notice::Machine { threads: self.options.threads, hash: self.options.hash }));
        }
        let strength = self.options.strength().map(|strength| strength.in_position(&position));
        let (mut limits, errors) = go_limits::resolve(request, &position);
        limits.infinite = limits.is_infinite(position.side_to_move());
        errors.into_iter().for_each(|error| self.report_error(error));
        if self.debug {
            self.emit(Event::Notice(Notice::SearchStarted { id, limits: limits.clone() }));
        }
        let first_move = limits.search_moves.first().copied().or_else(|| legal_moves(&position).first().copied());
        let Some(fallback) = first_move else {
            let score = if position.in_check() { Score::mated_in(0) } else { Score::ZERO };
            let report = SearchReport::bare(0, score, None);
            let hold = BestMoveHold::new(id, &limits);
            if hold.is_active(&self.control) {
                self.emit(Event::Report(&report));
            }
            return self.state.step(Step::Finish(FinishedSearch { hold, report: Some(report) }));
        };
        let multi_pv = self.options.multi_pv;
        let options = SearchOptions {
            multi_pv: multi_pv.max(strength.as_ref().map_or(1, |strength| strength.candidates)),
            move_overhead: self.options.move_overhead,
            node_budget: strength.as_ref().map(|strength| strength.nodes),
            syzygy: self.options.syzygy.clone(),
        };
        let limited = strength.map(|strength| Limited {
            strength,
            candidates: Candidates::default(),
            rng: Rng::new(self.rng.next_u64()),
        });
        let job = Job { search_id: id, position, limits, options, started: received };
        let mut search = OngoingSearch::start(job, &mut self.resources, fallback, multi_pv, limited);
        // Done already if no thread is alive.
        let finished = search.finish_if_done(&mut |event| (self.output)(event, &self.options));
        self.state.step(finished.map_or_else(|| Step::Start(Box::new(search)), Step::Finish));
    }

    fn set_option(&mut self, setting: &Setting) {
        let mut options = self.options.clone();
        let effect = options.set(setting).map_err(EngineError::from);
        match effect.and_then(|effect| self.apply(effect, &mut options)) {
            Ok(()) => {
                let variant_changes = options.chess960 != self.options.chess960;
                self.options = options;
                if variant_changes && let Some(command) = self.position_command.take() {
                    self.set_position(Ok(command));
                }
            }
            Err(error) => self.report_error(error),
        }
    }

    /// Does what a change to `options` demands.
    fn apply(&mut self, effect: Effect, options: &mut EngineOptions) -> Result<(), EngineError> {
        match effect {
            Effect::None => Ok(()),
            Effect::Hash if options.hash == self.options.hash => {
                self.resources.clear_hash();
                Ok(())
            }
            Effect::Hash => self.resources.resize_hash(options.hash),
            Effect::Threads => self.resources.restart_threads(options.threads),
            Effect::Network => self.resources.load_network(&options.eval_file),
            Effect::Tablebases => self.open_tablebases(options),
        }
    }

    /// Opens the tablebases of the new path; with an empty path there are none.
    fn open_tablebases(&mut self, options: &mut EngineOptions) -> Result<(), EngineError> {
        options.syzygy.tables = None;
        if options.syzygy_path.is_empty() {
            return Ok(());
        }
        let tables = Tablebases::open(&options.syzygy_path)?;
        for error in tables.refused() {
            self.report_error(error.clone());
        }
        let (files, max_pieces) = (tables.files(), tables.max_pieces());
        self.emit(Event::Notice(Notice::TablebasesOpened { files, max_pieces }));
        options.syzygy.tables = Some(Arc::new(tables));
        Ok(())
    }

    fn set_position(&mut self, setup: Result<PositionCommand, SetupError>) {
        self.position_command = setup.as_ref().ok().cloned();
        let chess960 = self.options.chess960;
        let result = setup.map_err(GameError::from).and_then(|setup| position_command::set_up(&setup, chess960));
        self.position = match result {
            Ok((position, repairs)) => {
                for repair in repairs {
                    self.emit(Event::Notice(Notice::FenRepaired(repair)));
                }
                Some(position)
            }
            Err(error) => {
                self.report_error(error);
                None
            }
        };
    }

    /// Swaps the colors: a new game, as if from the FEN.
    fn flip(&mut self) {
        self.position = self.position.as_ref().map(position_command::flipped);
        let fen = self.position.as_ref().map(Position::shredder_fen);
        self.position_command = fen.map(|fen| PositionCommand { fen: Some(fen), ..PositionCommand::default() });
    }

    fn start_task(&mut self, id: u64, task: Task) {
        let context = self.task_context();
        let events = self.worker_sender.clone();
        let run = move || {
            if panic::catch_unwind(panic::AssertUnwindSafe(|| task.run(&context))).is_err() {
                log::error!("a task panicked");
            }
            // The receiver is gone when the process is about to end.
            drop(events.send(WorkerEvent::TaskDone));
        };
        match background::spawn("task", run) {
            Ok(()) => self.state.step(Step::StartTask(id)),
            Err(error) => self.report_error(EngineError::Thread(error)),
        }
    }

    fn task_context(&self) -> TaskContext {
        TaskContext {
            position: self.position.clone(),
            options: self.options.clone(),
            network: self.resources.shared().network.clone(),
            control: self.control.clone(),
        }
    }

    fn emit(&mut self, event: Event<'_>) {
        (self.output)(event, &self.options);
    }

    fn report_error(&mut self, error: impl Into<EngineError>) {
        self.emit(Event::Error(error.into()));
    }
}
