//! The engine's thread: it executes commands in their turn, starts searches and ends them, and never searches itself.

use std::{
    collections::VecDeque,
    env,
    hash::{BuildHasher, Hasher, RandomState},
    io, mem,
    ops::ControlFlow::{self, Break, Continue},
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use super::{
    command::{Command, Go, Hold, Message, OptionChange, When},
    event::{Client, EngineError, Event},
    game::GameError,
    ongoing_search::{Entrants, OngoingSearch},
    options::EngineOptions,
    pool::Pool,
    strength::{Strength, known_win_nodes},
};
use crate::{
    nnue::Network,
    position::Position,
    search::{Control, Job, Limits, SearchOptions, SearchReport, SearchResult, wanted_moves},
    syzygy::Tablebases,
    types::Score,
    util::{Rng, actor::Mailbox, sync::Sender},
};

/// How often a search in progress is asked for the root move it is at.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// How often the pages of a new transposition table are looked at while `readyok` waits for them.
const MEMORY_POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Milliseconds for a move that a clock alone limits and that has no alternative: enough for a score and for a line to
/// ponder on, well below half a second on a busy machine, too.
// CITE: Stockfish - half a second for the only root move.
const ONLY_MOVE_TIME: i64 = 200;

/// Milliseconds for a search that only a command would end, where there are no threads: none is read meanwhile.
const UNBOUNDED_MOVE_TIME: i64 = 60_000;

/// The path of a file: where it says, or else relative to the folder of the binary.
// CITE: Stockfish - the network is looked for in the working directory, then beside the binary.
fn beside_binary(path: PathBuf) -> PathBuf {
    if path.exists() {
        return path;
    }
    // An absolute path takes the folder's place.
    let beside = env::current_exe().ok().and_then(|binary| Some(binary.parent()?.join(&path)));
    beside.filter(|beside| beside.is_file()).unwrap_or(path)
}

/// What the engine's thread is at.
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
    /// Commands that wait for the search or task in progress, and the memory they take, in bytes.
    queue: VecDeque<(Command, usize)>,
    queued: usize,
    /// Where the memory of executed commands is given back, in bytes, and how much commands that wait may take.
    freed: Sender<usize>,
    backlog: usize,
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
        (freed, backlog): (Sender<usize>, usize),
    ) -> io::Result<Self> {
        let options = EngineOptions::default();
        Ok(Self {
            client,
            pool: Pool::new(options.hash, control.clone(), mailbox)?,
            control,
            tables: None,
            state: State::Idle,
            queue: VecDeque::new(),
            queued: 0,
            freed,
            backlog,
            input_ended: false,
            quitting: false,
            has_searched: false,
            options,
            // The standard library's only source of numbers that differ from process to process.
            rng: Rng::new(RandomState::new().build_hasher().finish()),
        })
    }

    /// Takes a message in, or time that has passed without one.
    pub(super) fn on_message(&mut self, message: Option<Message>) -> ControlFlow<(), Duration> {
        match message {
            Some(Message::Command(command, bytes)) => {
                self.queued += bytes;
                self.queue.push_back((command, bytes));
            }
            Some(Message::InputEnded) => self.input_ended = true,
            Some(Message::Done(result)) => self.on_done(result),
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
            let ready = (0..self.queue.len()).find(|&at| self.may_run(&self.queue[at].0, at == 0));
            let Some((command, bytes)) = ready.and_then(|at| self.queue.remove(at)) else { return };
            self.execute(command);
            self.queued -= bytes;
            // The receiver is gone when no more commands will come.
            let _ = self.freed.send(bytes);
        }
    }

    /// Stops the search or task in progress if only its end can make room for the next command, which might be `stop`.
    fn stop_on_backlog(&mut self) {
        if let Some(id) = self.state.search_id().filter(|&id| !self.control.is_stopped(id))
            && self.queued >= self.backlog
        {
            self.control.stop(id);
            self.error(EngineError::Backlog);
            self.run_queue();
        }
    }

    /// True if a command need not wait any longer; `first` if none is queued before it.
    fn may_run(&self, command: &Command, first: bool) -> bool {
        let idle = matches!(self.state, State::Idle);
        match command {
            Command::Call(When::Now, _) | Command::Wake | Command::Quit => true,
            Command::Call(When::Next, _) => first,
            // It waits for the memory of a new table, unless a command waits behind it that might be a `go` or `stop`.
            Command::Ready if idle => {
                first && (self.queue.len() > 1 || self.input_ended || !self.pool.is_memory_awaited())
            }
            Command::Ready => self.state.hold().is_some(),
            Command::AwaitIdle(_) => {
                first && idle || self.state.hold().is_some_and(|hold| hold.is_active(&self.control))
            }
            Command::Call(When::Idle, _)
            | Command::Option(_)
            | Command::NewGame
            | Command::Go(_)
            | Command::Run(..) => first && idle,
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Ready => self.emit(&Event::Ready),
            Command::Call(_, callback) => callback(&self.pool.shared),
            Command::Wake => {}
            Command::AwaitIdle(sender) => drop(sender),
            Command::Quit => {
                (self.input_ended, self.quitting) = (true, true);
                self.queue.retain(|(command, _)| !matches!(command, Command::Run(..)));
            }
            Command::Option(change) => {
                if let Err(error) = self.change(change) {
                    self.error(error);
                }
            }
            Command::NewGame => {
                if let Err(error) = self.pool.new_game() {
                    self.error(error);
                }
            }
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
        let hold = Hold::new(&go);
        let Go { search_id, started, mut limits, position, options, on_start } = go;
        self.options = options;
        let Some(position) = position else {
            self.error(GameError::NoPosition);
            self.state = State::Holding(hold, None);
            return;
        };
        if !mem::replace(&mut self.has_searched, true) {
            self.emit(&Event::Machine { threads: self.pool.shared.threads(), hash: self.pool.mebibytes() });
        }
        on_start(&self.pool.shared);
        let moves = wanted_moves(&position, &limits);
        let Some(&fallback) = moves.first() else {
            let score = if position.in_check() { Score::mated_in(0) } else { Score::ZERO };
            let report = SearchReport::bare(0, score, None);
            if hold.is_active(&self.control) {
                self.emit(&Event::Report(&report));
            }
            self.state = State::Holding(hold, Some(report));
            return;
        };
        if moves.len() == 1 && limits.is_clock_alone(position.side_to_move()) {
            limits.move_time = Some(ONLY_MOVE_TIME);
        }
        if cfg!(single_threaded) {
            // Its best move is held back until a command all the same.
            if hold.infinite {
                limits.move_time = Some(limits.move_time.unwrap_or(UNBOUNDED_MOVE_TIME).min(UNBOUNDED_MOVE_TIME));
            }
            (limits.infinite, limits.ponder) = (false, false);
        }
        let strength = self.options.strength().map(|strength| strength.in_position(&position));
        if let Some(nodes) = self.soft_nodes(&position, &limits, strength) {
            limits.limit_nodes(nodes, position.side_to_move());
        }
        let options = self.search_options(strength);
        let search = Arc::new(OngoingSearch {
            job: Job { search_id, position: Arc::unwrap_or_clone(position), limits, options, started },
            hold,
            options: self.options.clone(),
            strength,
            fallback,
            shared: self.pool.shared.clone(),
            client: self.client.clone(),
            reported: Mutex::default(),
            entrants: Entrants::new(),
        });
        if !self.pool.search(&search) {
            search.close();
        }
        self.state = State::Searching { search, results: Vec::new() };
        self.end_search();
    }

    /// The soft node limit of limited strength, or of full strength in a won ending.
    fn soft_nodes(&self, position: &Position, limits: &Limits, strength: Option<Strength>) -> Option<u64> {
        // Whoever asks for a depth, a mate or several lines wants more than a move.
        let is_play = !self.options.analyse
            && self.options.search.multi_pv == 1
            && limits.depth.is_none()
            && limits.mate.is_none();
        strength.map(|strength| strength.nodes).or_else(|| known_win_nodes(position).filter(|_| is_play))
    }

    /// The options of a search: several lines to choose from for limited strength, and the tablebases.
    fn search_options(&self, strength: Option<Strength>) -> SearchOptions {
        let mut options = self.options.search.clone();
        options.multi_pv = strength.map_or(1, |strength| strength.candidates).max(options.multi_pv);
        options.syzygy.tables.clone_from(&self.tables);
        options
    }

    fn on_done(&mut self, result: Option<SearchResult>) {
        if let State::Searching { results, .. } = &mut self.state {
            results.push(result);
            self.end_search();
        }
    }

    /// Takes the results together if no thread is searching any more.
    fn end_search(&mut self) {
        if let State::Searching { search, results } = &mut self.state
            && search.entrants.are_all(results.len())
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
