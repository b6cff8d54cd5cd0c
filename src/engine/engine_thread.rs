//! The engine's thread: it executes commands in their turn, starts searches and ends them, and never searches itself.

use std::{
    collections::VecDeque,
    io, mem,
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
    time::Duration,
};

use super::{
    command::{Command, Go, Hold, Message, OptionChange, When},
    engine_options::EngineOptions,
    event::{Client, EngineError, Event},
    ongoing_search::OngoingSearch,
    pool::Pool,
};
use crate::{
    game::GameError,
    nnue::Network,
    search::{Control, SearchReport, SearchResult},
    syzygy::Tablebases,
    util::{Rng, actor::Mailbox, beside_binary, sync::Sender},
};

/// How often a search in progress is asked for the root move it is at.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// How often the pages of a new transposition table are looked at while `readyok` waits for them.
const MEMORY_POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The state of the engine's thread between two messages.
///
/// ```text
/// Idle ── go ──► Searching ── last thread done ──► Holding ── stop, ponderhit, or no hold ──► Idle
/// Idle ── go, but there is nothing to search ────► Holding
/// Idle ── task ──► Working ── task done ──► Idle
/// ```
enum State {
    /// Commands are executed as they come.
    Idle,
    /// The search threads are at work. Some may have ended the search, with these results.
    Searching { search: Arc<OngoingSearch>, results: Vec<Option<SearchResult>> },
    /// The best move is known and is sent as soon as the hold is over, after the last lines; none without a position.
    Holding(Hold, Option<SearchReport>),
    /// The task of this number runs.
    Working(u64),
}

impl State {
    /// The hold of the search in progress, from `go` to `bestmove`.
    fn hold(&self) -> Option<Hold> {
        match self {
            Self::Searching { search, .. } => Some(search.hold),
            Self::Holding(hold, _) => Some(*hold),
            Self::Idle | Self::Working(_) => None,
        }
    }

    /// The number of the search or task in progress.
    fn search_id(&self) -> Option<u64> {
        match self {
            Self::Working(id) => Some(*id),
            _ => self.hold().map(|hold| hold.search_id),
        }
    }
}

/// The state of the engine's thread.
pub(super) struct EngineThread {
    client: Arc<dyn Client>,
    control: Arc<Control>,
    pool: Pool,
    tables: Option<Arc<Tablebases>>,
    state: State,
    /// Commands that wait for the search or task in progress, each with the memory that it takes, in bytes.
    queue: VecDeque<(Command, usize)>,
    /// The memory that all of them take, in bytes.
    queued_bytes: usize,
    /// The channel on which the memory of executed commands is given back, in bytes.
    freed: Sender<usize>,
    /// The memory that commands which wait may take, in bytes.
    backlog_bytes: usize,
    /// No more commands will come: bounded searches are finished, others stopped.
    input_ended: bool,
    /// End without waiting for the task in progress.
    quitting: bool,
    /// True once a search has begun, before which the user is told what it runs on.
    has_searched: bool,
    /// The options of the last search.
    options: EngineOptions,
    /// Chooses among moves when less than full strength is wanted.
    rng: Rng,
}

impl EngineThread {
    /// # Errors
    /// When memory cannot be allocated or a thread cannot be started.
    pub(super) fn new(
        client: Arc<dyn Client>,
        control: Arc<Control>,
        mailbox: Mailbox<Message>,
        freed: Sender<usize>,
        backlog_bytes: usize,
    ) -> io::Result<Self> {
        let options = EngineOptions::default();
        Ok(Self {
            client,
            pool: Pool::new(options.hash, control.clone(), mailbox)?,
            control,
            tables: None,
            state: State::Idle,
            queue: VecDeque::new(),
            queued_bytes: 0,
            freed,
            backlog_bytes,
            input_ended: false,
            quitting: false,
            has_searched: false,
            options,
            rng: Rng::seeded_by_chance(),
        })
    }

    /// Takes a message in, or time that has passed without one.
    pub(super) fn on_message(&mut self, message: Option<Message>) -> ControlFlow<(), Duration> {
        match message {
            Some(Message::Command(command, bytes)) => {
                self.queued_bytes += bytes;
                self.queue.push_back((command, bytes));
            }
            Some(Message::InputEnded { quits }) => {
                self.input_ended = true;
                self.quitting |= quits;
                self.queue.retain(|(command, _)| !(quits && matches!(command, Command::Run(..))));
            }
            Some(Message::Done(result)) => {
                if let State::Searching { results, .. } = &mut self.state {
                    results.push(result);
                }
                self.end_search();
            }
            Some(Message::TaskDone) => {
                self.state = State::Idle;
                self.emit(&Event::TaskEnded);
            }
            None => {}
        }
        self.run_queue();
        self.stop_on_backlog();
        match &self.state {
            _ if self.is_done() => Break(()),
            State::Searching { search, .. } => {
                search.report_progress();
                Continue(PROGRESS_INTERVAL)
            }
            State::Idle if !self.queue.is_empty() => Continue(MEMORY_POLL_INTERVAL),
            _ => Continue(Duration::MAX),
        }
    }

    fn is_done(&self) -> bool {
        match self.state {
            State::Idle => self.input_ended && self.queue.is_empty(),
            // Every `go` is answered, even one that is still queued.
            State::Working(_) => {
                self.quitting && !self.queue.iter().any(|(command, _)| matches!(command, Command::Go(_)))
            }
            State::Searching { .. } | State::Holding(..) => false,
        }
    }

    /// Executes every queued command that may be executed now.
    fn run_queue(&mut self) {
        loop {
            if let Some(hold) = self.state.hold()
                && self.input_ended
                && hold.is_active(&self.control)
            {
                self.control.stop(hold.search_id);
            }
            self.release_best_move();
            let ready = (0..self.queue.len()).find(|&at| self.may_run(self.queue[at].0.when(), at == 0));
            let Some((command, bytes)) = ready.and_then(|at| self.queue.remove(at)) else { return };
            self.execute(command);
            self.queued_bytes -= bytes;
            // The receiver is gone when no more commands will come.
            let _ = self.freed.send(bytes);
        }
    }

    /// Stops the search or task in progress if only its end can make room for the next command, which might be `stop`.
    fn stop_on_backlog(&mut self) {
        if let Some(id) = self.state.search_id().filter(|&id| !self.control.is_stopped(id))
            && self.queued_bytes >= self.backlog_bytes
        {
            self.control.stop(id);
            self.error(EngineError::Backlog);
            self.run_queue();
        }
    }

    /// True if a command need not wait any longer; `is_first` if none is queued before it.
    fn may_run(&self, when: When, is_first: bool) -> bool {
        let is_idle = matches!(self.state, State::Idle);
        match when {
            When::Now => true,
            When::InTurn => is_first,
            When::OnceIdle => is_first && is_idle,
            // A command behind it might be a `go` or `stop`.
            When::OnceReady if is_idle => {
                is_first && (self.queue.len() > 1 || self.input_ended || !self.pool.is_memory_awaited())
            }
            When::OnceReady => self.state.hold().is_some(),
            When::OnceIdleOrHeld => {
                is_first && is_idle || self.state.hold().is_some_and(|hold| hold.is_active(&self.control))
            }
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Call(_, callback) => callback(&self.pool.shared),
            Command::Option(change) => self.change(change).unwrap_or_else(|error| self.error(error)),
            Command::Go(go) => self.start_search(*go),
            Command::Run(id, task) => {
                if self.pool.run(id, task) {
                    self.state = State::Working(id);
                }
            }
        }
    }

    fn change(&mut self, change: OptionChange) -> Result<(), EngineError> {
        match change {
            OptionChange::Hash(mebibytes) => self.pool.set_hash(mebibytes)?,
            OptionChange::ClearHash => self.pool.new_game()?,
            OptionChange::Threads(threads) => self.pool.set_threads(threads)?,
            OptionChange::Network(path) => {
                let embedded = path.is_empty();
                let network = if embedded {
                    Network::embedded()
                } else {
                    Network::from_file(&beside_binary(path.into()))?.into()
                };
                self.pool.set_network(network)?;
            }
            OptionChange::Tablebases(path) if path.is_empty() => self.tables = None,
            OptionChange::Tablebases(path) => {
                let tables = Tablebases::open(&path)?;
                tables.refused().iter().for_each(|error| self.error(error.clone()));
                self.emit(&Event::TablebasesOpened { files: tables.files(), max_pieces: tables.max_pieces() });
                self.tables = Some(Arc::new(tables));
            }
        }
        Ok(())
    }

    /// Starts a search. Where there is nothing to search, it is finished at once.
    fn start_search(&mut self, go: Go) {
        let Go { hold, job, options, errors } = go;
        self.options = options;
        let Some(mut job) = job else {
            self.error(GameError::NoPosition);
            self.state = State::Holding(hold, None);
            return;
        };
        if !mem::replace(&mut self.has_searched, true) {
            self.emit(&Event::Machine { threads: self.pool.shared.threads(), hash: self.pool.mebibytes() });
        }
        errors.into_iter().for_each(|error| self.error(error));
        if self.options.debug {
            self.emit(&Event::Understood(&job));
        }
        if let Some(report) = SearchReport::of_ended_game(&job.position) {
            if hold.is_active(&self.control) {
                self.emit(&Event::Report(&report));
            }
            self.state = State::Holding(hold, Some(report));
            return;
        }
        job.options.syzygy.tables.clone_from(&self.tables);
        let (options, shared, client) = (self.options.clone(), self.pool.shared.clone(), self.client.clone());
        let search = Arc::new(OngoingSearch::new(job, hold, options, shared, client));
        if !self.pool.search(&search) {
            search.close();
        }
        self.state = State::Searching { search, results: Vec::new() };
        self.end_search();
    }

    /// Takes the results together if no thread is searching any more.
    fn end_search(&mut self) {
        if let State::Searching { search, results } = &mut self.state
            && search.started_threads.is_over_with(results.len())
        {
            let report = search.finish(mem::take(results), &mut self.rng);
            self.state = State::Holding(search.hold, Some(report));
        }
    }

    /// Tells the last lines and the best move of a finished search, unless it is held back. Lines that have been shown
    /// already are shown again, because a program may have cleared them at the ponderhit.
    fn release_best_move(&mut self) {
        let State::Holding(hold, report) = &self.state else { return };
        if hold.is_active(&self.control) {
            return;
        }
        if let Some(report) = report {
            self.emit(&Event::Report(report));
        }
        let line = report.as_ref().and_then(|report| report.lines.first());
        let mut moves = line.into_iter().flat_map(|line| line.pv.iter().copied());
        let (best, ponder) = (moves.next(), moves.next());
        // Before the move is sent: its receiver may answer at once.
        self.state = State::Idle;
        self.emit(&Event::BestMove { best, ponder });
    }

    fn emit(&self, event: &Event<'_>) {
        self.client.on_event(event, &self.options);
    }

    fn error(&self, error: impl Into<EngineError>) {
        self.emit(&Event::Error(error.into()));
    }
}
