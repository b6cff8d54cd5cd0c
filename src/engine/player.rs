//! The engine thread's own work: commands and the searchers' news in, events out.

use std::{
    collections::VecDeque,
    ffi::OsStr,
    hash::{BuildHasher, Hasher, RandomState},
    io, mem, panic,
    sync::Arc,
    thread,
    time::Duration,
};

use crossbeam_channel::{Receiver, Sender, never, select, tick, unbounded};

use super::{
    Command, Event, GameError, Options, Setting, Setup, SetupError, Task, TaskContext, game,
    options::Effect,
    pool::{News, Pool},
    thinking::State,
};
use crate::{
    attacks::Unavailable,
    nnue::{Network, NetworkError},
    position::Position,
    search::{Control, Shared},
    syzygy::{self, Tablebases},
    tt::TranspositionTable,
    util::Rng,
};

/// The player. It never searches itself, so it hears every command at once.
pub struct Engine<E> {
    pub(super) options: Options,
    /// None after a position that could not be set up: better no move than one for the wrong board.
    pub(super) position: Option<Position>,
    pub(super) shared: Arc<Shared>,
    pub(super) control: Arc<Control>,
    pub(super) pool: Pool,
    pub(super) state: State,
    news: Receiver<News>,
    newsroom: Sender<News>,
    /// What came while searching and cannot be done before the search is over.
    waiting: VecDeque<Command>,
    /// There will be no more commands.
    pub(super) leaving: bool,
    /// Leave without waiting for tasks.
    hurried: bool,
    pub(super) debug: bool,
    /// Chooses among moves when less than full strength is wanted.
    pub(super) rng: Rng,
    say: E,
}

/// How often a search is asked how far it has come.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("no memory for a hash table of {0} MiB: {1}")]
    Memory(usize, io::Error),
    #[error("no search thread: {0}")]
    Thread(io::Error),
    #[error(transparent)]
    Backend(#[from] Unavailable),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Tablebases(#[from] syzygy::OpenError),
}

impl<E: FnMut(Event<'_>)> Engine<E> {
    /// A player with the standard options at the start of a game. It obeys `control`, and says what it has to say
    /// to `say`, always from the thread that [`Self::run`] runs in.
    ///
    /// # Errors
    /// When the system grants no memory or no thread.
    pub fn new(control: Arc<Control>, say: E) -> io::Result<Self> {
        let options = Options::default();
        let table = TranspositionTable::new(options.hash)?;
        let shared = Arc::new(Shared::new(table, control.clone(), options.threads));
        let (newsroom, news) = unbounded();
        Ok(Self {
            pool: Pool::new(options.backend(), &shared, &newsroom)?,
            shared,
            options,
            position: Some(Position::startpos()),
            control,
            state: State::Idle,
            news,
            newsroom,
            waiting: VecDeque::new(),
            leaving: false,
            hurried: false,
            debug: false,
            // The standard library's only source of numbers that differ from process to process.
            rng: Rng::new(RandomState::new().build_hasher().finish()),
            say,
        })
    }

    /// Obeys commands until told to leave, or until nobody can give any more.
    pub fn run(mut self, mut commands: Receiver<Command>) {
        let news = self.news.clone();
        let ticks = tick(PROGRESS_INTERVAL);
        while !self.is_done() {
            select! {
                recv(commands) -> command => match command {
                    Ok(command) => self.receive(command),
                    Err(_) => {
                        commands = never();
                        self.receive(Command::EndOfInput);
                    }
                },
                recv(ticks) -> _ => self.show_progress(),
                recv(news) -> news => {
                    if let Ok(news) = news {
                        self.hear(news);
                    }
                }
            }
            self.proceed();
        }
    }

    fn is_done(&self) -> bool {
        match self.state {
            State::Idle => self.leaving && self.waiting.is_empty(),
            // A search that was asked for is owed its move, even if it could not begin yet.
            State::Working => self.hurried && !self.waiting.iter().any(|command| matches!(command, Command::Go(_))),
            State::Searching(_) | State::Holding(..) => false,
        }
    }

    /// Does what can be done at once, and queues the rest.
    fn receive(&mut self, command: Command) {
        match command {
            Command::Look => {}
            Command::EndOfInput => {
                self.leaving = true;
                self.stop_endless();
            }
            Command::Quit => {
                self.leaving = true;
                self.hurried = true;
                self.waiting.retain(|command| !matches!(command, Command::Run(_)));
            }
            Command::Identify => self.say(Event::Identity),
            Command::Debug(on) => self.debug = on,
            Command::Say(text) => self.message(text),
            Command::Ready if self.is_searching() => self.say(Event::Ready),
            Command::Inspect(task) if self.waiting.is_empty() => task.run(&self.context()),
            other => self.waiting.push_back(other),
        }
    }

    /// Does what has been queued, as far as possible.
    fn proceed(&mut self) {
        // The reader raises stops by itself, with a stop, a ponderhit or the next search.
        self.release();
        while matches!(self.state, State::Idle)
            && let Some(command) = self.waiting.pop_front()
        {
            self.execute(command);
            if self.is_searching() {
                // What waited behind the search and may be done while it lasts.
                for command in mem::take(&mut self.waiting) {
                    self.receive(command);
                }
            }
        }
        if self.is_endless() {
            // Whoever waits now must give the command that ends the search.
            self.waiting.retain(|command| !matches!(command, Command::Await(_)));
        }
    }

    /// Does what can only be done while nothing else is being done.
    fn execute(&mut self, command: Command) {
        match command {
            Command::SetOption(setting) => self.set_option(&setting),
            Command::NewGame => self.new_game(),
            Command::Position(setup) => self.set_position(setup),
            Command::Go(go) => self.start(go),
            Command::Ready => self.say(Event::Ready),
            Command::Inspect(task) => task.run(&self.context()),
            Command::Run(task) => self.set_to_work(task),
            Command::Flip => self.position = self.position.as_ref().map(game::flipped),
            Command::Await(sender) => drop(sender),
            other => self.receive(other),
        }
    }

    fn set_option(&mut self, setting: &Setting) {
        let mut options = self.options.clone();
        let applied = match options.set(setting) {
            Ok(effect) => self.apply(effect, &mut options).map_err(|refusal| refusal.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match applied {
            Ok(()) => self.options = options,
            Err(error) => self.complain(error),
        }
    }

    fn apply(&mut self, effect: Effect, options: &mut Options) -> Result<(), Refusal> {
        match effect {
            Effect::None => {}
            Effect::Table if options.hash == self.options.hash => self.empty_table(),
            Effect::Table => self.renew_table(options.hash)?,
            Effect::Tablebases => self.open_tablebases(options)?,
            Effect::Network => self.read_network(&options.eval_file)?,
            Effect::Threads => {
                let backend = options.backend();
                if !backend.is_available() {
                    return Err(Unavailable(backend).into());
                }
                // The new threads start with an empty table of their own number of counters.
                let shared = Arc::new(self.shared_for(self.options.hash, options.threads)?);
                self.pool = Pool::new(backend, &shared, &self.newsroom).map_err(Refusal::Thread)?;
                self.shared = shared;
            }
        }
        Ok(())
    }

    /// Evaluates with the network of that file from now on; with the embedded one if the path is empty.
    fn read_network(&mut self, path: &OsStr) -> Result<(), Refusal> {
        let network = if path.is_empty() { Network::embedded() } else { Network::from_file(path.as_ref())?.into() };
        // What the hash table holds is the other network's opinion.
        let table = fresh_table(self.options.hash)?;
        let shared = Shared::new(table, self.control.clone(), self.options.threads).with_network(network);
        self.share(shared);
        Ok(())
    }

    /// Opens the tables of the path that was set; with an empty one there are none any more.
    fn open_tablebases(&mut self, options: &mut Options) -> Result<(), Refusal> {
        options.syzygy.tables = None;
        if !options.syzygy_path.is_empty() {
            let tables = Tablebases::open(&options.syzygy_path)?;
            for refused in tables.refused() {
                self.complain(refused);
            }
            self.message(format!("{} tables of up to {} men", tables.files(), tables.max_pieces()));
            options.syzygy.tables = Some(Arc::new(tables));
        }
        Ok(())
    }

    /// An empty table costs a mapping; emptying one would cost a write to every page of it.
    fn renew_table(&mut self, mebibytes: usize) -> Result<(), Refusal> {
        let shared = self.shared_for(mebibytes, self.options.threads)?;
        self.share(shared);
        Ok(())
    }

    /// Where there is no memory for a second table beside the one in use, that one is written over.
    fn empty_table(&mut self) {
        if self.renew_table(self.options.hash).is_err() {
            self.shared.tt.clear();
        }
    }

    fn share(&mut self, shared: Shared) {
        self.shared = Arc::new(shared);
        self.pool.share(&self.shared);
        // The last thread to let go of the old table gives its memory back.
        self.pool.sync();
    }

    fn shared_for(&self, mebibytes: usize, threads: usize) -> Result<Shared, Refusal> {
        let table = fresh_table(mebibytes)?;
        Ok(Shared::new(table, self.control.clone(), threads).with_network(self.shared.network.clone()))
    }

    fn new_game(&mut self) {
        self.pool.new_game();
        self.empty_table();
        self.pool.sync();
    }

    fn set_position(&mut self, setup: Result<Setup, SetupError>) {
        match setup.map_err(GameError::from).and_then(|setup| game::set_up(&setup)) {
            Ok((position, repairs)) => {
                for repair in repairs {
                    self.message(format!("FEN mended: {repair}"));
                }
                self.position = Some(position);
            }
            Err(error) => {
                self.complain(error);
                self.position = None;
            }
        }
    }

    fn set_to_work(&mut self, task: Task) {
        let context = self.context();
        let newsroom = self.newsroom.clone();
        let work = move || {
            if panic::catch_unwind(panic::AssertUnwindSafe(|| task.run(&context))).is_err() {
                log::error!("a task broke down");
            }
            // Nobody listens any more when the process is about to end.
            drop(newsroom.send(News::TaskDone));
        };
        match thread::Builder::new().name("task".to_owned()).spawn(work) {
            Ok(_) => self.state = State::Working,
            Err(error) => self.complain(Refusal::Thread(error)),
        }
    }

    fn context(&self) -> TaskContext {
        TaskContext {
            position: self.position.clone(),
            backend: self.options.backend(),
            chess960: self.options.chess960,
            network: self.shared.network.clone(),
            control: self.control.clone(),
        }
    }

    pub(super) fn say(&mut self, event: Event<'_>) {
        (self.say)(event);
    }

    pub(super) fn message(&mut self, text: String) {
        self.say(Event::Message(text));
    }

    /// Tells the user that something was not done.
    pub(super) fn complain(&mut self, error: impl std::fmt::Display) {
        self.message(format!("error: {error}"));
    }
}

fn fresh_table(mebibytes: usize) -> Result<TranspositionTable, Refusal> {
    TranspositionTable::new(mebibytes).map_err(|error| Refusal::Memory(mebibytes, error))
}
