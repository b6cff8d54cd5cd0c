//! The search threads (lazy SMP) and what they share: the transposition table, the network, the control flags.

use std::{
    io, iter,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    command::{Message, Task},
    event::EngineError,
    ongoing_search::OngoingSearch,
};
#[cfg(not(loom))]
use crate::search::Worker;
#[cfg(loom)]
use crate::search::model_worker::Worker;
use crate::{
    nnue::Network,
    search::{Control, STACK_BYTES, Shared},
    tt::TranspositionTable,
    util::{
        actor::{Handler, Mailbox, WAIT, actor},
        require_memory,
        sync::{Receiver, Sender, unbounded},
    },
};

/// How long `readyok` waits at most for the memory of a new transposition table.
const MEMORY_WAIT: Duration = Duration::from_secs(1);

/// Memory that is left when a thread has started, in bytes.
const SPARE_BYTES: usize = 32 << 20;

/// Work for a search thread.
type Work = Box<dyn FnOnce(&mut SearchThread) + Send>;

/// The search threads. What they share is changed only while no search is in progress. They end when this is dropped.
pub(super) struct Pool {
    threads: Vec<ThreadHandle>,
    pub(super) shared: Arc<Shared>,
    /// The mailbox to which the threads report the ends of their work.
    engine: Mailbox<Message>,
    /// True if no search has used the table.
    is_table_new: bool,
    /// When `readyok` stops waiting for the memory of a new table; that of the first is not waited for.
    ready_by: Option<Instant>,
}

impl Pool {
    /// Starts one thread with a table of this size, in MiB.
    ///
    /// # Errors
    /// When memory cannot be allocated or the thread cannot be started.
    pub(super) fn new(mebibytes: usize, control: Arc<Control>, engine: Mailbox<Message>) -> io::Result<Self> {
        let shared = Arc::new(Shared::new(TranspositionTable::new(mebibytes)?, control, 1));
        let threads = vec![ThreadHandle::start(0, shared.clone(), &engine)?];
        Ok(Self { threads, shared, engine, is_table_new: true, ready_by: None })
    }

    /// Size of the transposition table, in MiB.
    pub(super) fn mebibytes(&self) -> usize {
        self.shared.tt.bytes() >> 20
    }

    /// Starts a search; each thread sends a message when it ends. Returns false if the main thread is gone.
    pub(super) fn search(&mut self, search: &Arc<OngoingSearch>) -> bool {
        self.is_table_new = false;
        self.shared.forget_current_move();
        let search = search.clone();
        self.send_all(move |thread| thread.search(search))
    }

    /// Runs a task in the first thread, which sends a message when it ends. Returns false if the thread is gone.
    pub(super) fn run(&self, id: u64, task: Task) -> bool {
        self.threads.first().is_some_and(|thread| thread.mailbox.send(Box::new(move |thread| thread.run(id, task))))
    }

    /// True until the idle threads have begun to touch the last pages of a new table, but for no longer than a second.
    pub(super) fn is_memory_awaited(&self) -> bool {
        self.ready_by.is_some_and(|deadline| Instant::now() < deadline) && self.shared.tt.is_left_to_touch()
    }

    /// Replaces the transposition table by an empty one of this size, in MiB, unless it has that size.
    ///
    /// # Errors
    /// When there is no memory for it, in which case there is an empty one of the old size again.
    pub(super) fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError> {
        if mebibytes == self.mebibytes() { Ok(()) } else { self.replace_table(mebibytes) }
    }

    /// Changes the number of threads. Those that go on keep their histories, and the table stays as it is.
    ///
    /// # Errors
    /// When one cannot be started, in which case there are as many as before.
    pub(super) fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        let kept = self.threads.len();
        for ended in self.threads.split_off(threads.min(kept)) {
            ended.end();
        }
        let result = (kept..threads).try_for_each(|id| {
            self.threads.push(ThreadHandle::start(id, self.shared.clone(), &self.engine)?);
            Ok(())
        });
        if result.is_err() {
            self.threads.split_off(kept).into_iter().for_each(ThreadHandle::end);
        }
        if self.threads.len() != kept {
            let Shared { tt, network, .. } = self.take_shared()?;
            self.share(tt, network);
        }
        result.map_err(|source| EngineError::Thread { source, kept })
    }

    /// Replaces the network, and clears all that earlier searches have found with the one before.
    ///
    /// # Errors
    /// Those of [`Self::new_game`].
    pub(super) fn set_network(&mut self, network: Arc<Network>) -> Result<(), EngineError> {
        if !Arc::ptr_eq(&network, &self.shared.network) {
            let table = self.take_shared()?.tt;
            self.share(table, network);
        }
        self.new_game()
    }

    /// Clears the transposition table and the threads' history.
    ///
    /// # Errors
    /// When the table has to be replaced, and its memory does not come back.
    pub(super) fn new_game(&mut self) -> Result<(), EngineError> {
        self.send_all(|thread| thread.worker.new_game());
        let has_memory = self.shared.tt.is_touched();
        if has_memory && !self.is_table_new {
            self.send_all(|thread| thread.shared.tt.clear_part(thread.id, thread.shared.threads()));
        }
        self.sync();
        if !has_memory && !self.is_table_new {
            return self.replace_table(self.mebibytes());
        }
        self.is_table_new = true;
        Ok(())
    }

    /// Gives the table's memory back, and only then takes that of an empty one of this size, in MiB.
    fn replace_table(&mut self, mebibytes: usize) -> Result<(), EngineError> {
        let before = self.mebibytes();
        let Shared { tt, network, .. } = self.take_shared()?;
        drop(tt);
        (self.is_table_new, self.ready_by) = (true, Some(Instant::now() + MEMORY_WAIT));
        let result = TranspositionTable::new(mebibytes).map(|table| self.share(table, network.clone()));
        result.map_err(|source| {
            // Someone else may have taken some of what was given back.
            let mut sizes = iter::successors(Some(before), |size| (*size > 1).then_some(size / 2));
            let table = sizes.find_map(|size| TranspositionTable::new(size).ok());
            table.into_iter().for_each(|table| self.share(table, network.clone()));
            EngineError::HashMemory { mebibytes, source, kept: self.mebibytes() }
        })
    }

    /// Takes what the threads share from them: until they share something else, they have a table of one cluster.
    fn take_shared(&mut self) -> Result<Shared, EngineError> {
        let mebibytes = self.mebibytes();
        let no_memory = |source| EngineError::HashMemory { mebibytes, source, kept: mebibytes };
        let cluster = TranspositionTable::new(0).map_err(no_memory)?;
        let shared = self.shared.clone();
        self.share(cluster, shared.network.clone());
        self.sync();
        // Nobody else has it while no search is in progress; if somebody had, there would be a second table.
        if let Some(shared) = Arc::into_inner(shared) {
            return Ok(shared);
        }
        log::error!("something still uses the old table");
        let table = TranspositionTable::new(mebibytes).map_err(no_memory)?;
        Ok(Shared::new(table, self.shared.control.clone(), 1).with_network(self.shared.network.clone()))
    }

    /// Shares a table and a network among the threads.
    fn share(&mut self, table: TranspositionTable, network: Arc<Network>) {
        let shared = Shared::new(table, self.shared.control.clone(), self.threads.len()).with_network(network);
        self.shared = Arc::new(shared);
        // A thread touches pages from its first message on.
        let shared = self.shared.clone();
        self.send_all(move |thread| {
            thread.worker.set_shared(shared.clone());
            thread.shared = shared;
        });
    }

    /// Waits until every thread, none of which searches, is done with what it was told.
    fn sync(&self) {
        let (sender, dropped) = unbounded::<()>();
        self.send_all(move |_| drop(sender));
        // Nothing is ever sent: each thread drops its sender.
        let _ = dropped.recv();
    }

    /// Tells every thread what to do; returns true if the main thread is alive.
    fn send_all(&self, work: impl FnOnce(&mut SearchThread) + Clone + Send + 'static) -> bool {
        let are_alive: Vec<bool> =
            self.threads.iter().map(|thread| thread.mailbox.send(Box::new(work.clone()))).collect();
        are_alive.first() == Some(&true)
    }
}

/// A search thread, as the pool knows it.
struct ThreadHandle {
    mailbox: Mailbox<Work>,
    /// Disconnected when the thread has given back its memory but for the stack.
    ended: Receiver<()>,
}

impl ThreadHandle {
    fn start(id: usize, shared: Arc<Shared>, engine: &Mailbox<Message>) -> io::Result<Self> {
        require_memory(SPARE_BYTES + STACK_BYTES)?;
        let (mailbox, inbox) = actor();
        let (alive, ended) = unbounded();
        let engine = engine.clone();
        let start = move || {
            let mut thread =
                SearchThread { worker: Worker::new(shared.clone(), id)?, id, shared, engine, _alive: alive };
            Ok(Box::new(move |work| thread.on_message(work)) as Handler<Work>)
        };
        inbox.serve(&format!("search {id}"), STACK_BYTES, start)?;
        let thread = Self { mailbox, ended };
        if let Err(error) = require_memory(SPARE_BYTES) {
            thread.end();
            return Err(error);
        }
        Ok(thread)
    }

    /// Ends the thread, and waits until it has given back its memory.
    fn end(self) {
        let Self { mailbox, ended } = self;
        drop(mailbox);
        // Nothing is ever sent.
        let _ = ended.recv();
    }
}

struct SearchThread {
    id: usize,
    worker: Worker,
    shared: Arc<Shared>,
    engine: Mailbox<Message>,
    /// Dropped last, with the thread.
    _alive: Sender<()>,
}

impl SearchThread {
    /// Does what it is told, or else touches some memory of the table.
    fn on_message(&mut self, work: Option<Work>) -> ControlFlow<(), Duration> {
        match work {
            Some(work) => work(self),
            None => self.shared.tt.touch_some(),
        }
        if self.shared.tt.is_left_to_touch() { ControlFlow::Continue(Duration::ZERO) } else { WAIT }
    }

    fn run(&mut self, id: u64, task: Task) {
        if catch_unwind(AssertUnwindSafe(|| task(&self.shared, id))).is_err() {
            log::error!("a task panicked");
        }
        // The engine is gone when the process is about to end.
        self.engine.send(Message::TaskDone);
    }

    fn search(&mut self, search: Arc<OngoingSearch>) {
        if !search.started_threads.start() {
            return;
        }
        let mut report = |report| search.on_report(report);
        let result = catch_unwind(AssertUnwindSafe(|| self.worker.search(&search.job, Some(&mut report)))).ok();
        if result.is_none() {
            self.worker.new_game();
        }
        if self.id == 0 {
            search.close();
        }
        drop(search);
        self.engine.send(Message::Done(result));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::{
        super::{
            command::Hold,
            engine_options::EngineOptions,
            event::{Client, Event},
        },
        *,
    };
    use crate::{
        position::Position,
        search::{Job, Limits},
        tt::TtEntry,
        types::{Color, Score},
        util::actor::Inbox,
    };

    fn pool() -> (Pool, Inbox<Message>) {
        let (engine, inbox) = actor();
        (Pool::new(1, Arc::new(Control::new()), engine).unwrap(), inbox)
    }

    #[test]
    fn idle_threads_touch_a_new_table_without_a_command() {
        let (mut pool, _inbox) = pool();
        for (threads, mebibytes) in [(1, 8), (2, 7), (1, 8), (1, 9)] {
            pool.set_threads(threads).unwrap();
            pool.set_hash(mebibytes).unwrap();
            let deadline = Instant::now() + Duration::from_secs(60);
            while pool.shared.tt.is_left_to_touch() {
                assert!(Instant::now() < deadline, "nothing touches the table of {threads} threads");
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn every_command_is_done_after_a_sync() {
        let (mut pool, _inbox) = pool();
        pool.set_threads(4).unwrap();
        for mebibytes in (1..=2).cycle().take(50) {
            let old = Arc::downgrade(&pool.shared);
            pool.new_game().unwrap();
            pool.set_hash(mebibytes + 1).unwrap();
            assert!(old.upgrade().is_none(), "a thread still holds what it was to let go");
            pool.set_hash(1).unwrap();
        }
    }

    struct Silent;

    impl Client for Silent {
        fn on_event(&self, _event: &Event<'_>, _options: &EngineOptions) {}
    }

    /// A thread that is at something else, as one that has not run yet on a busy machine, neither delays a search nor
    /// begins it when it is over.
    #[test]
    fn a_search_does_not_wait_for_a_thread_that_has_not_begun_it() {
        let (mut pool, inbox) = pool();
        pool.set_threads(2).unwrap();
        let (done, results) = channel();
        let handler = move |message| {
            if let Some(Message::Done(result)) = message {
                done.send(result).unwrap();
            }
            WAIT
        };
        inbox.serve("test", 1 << 20, move || Ok(Box::new(handler) as Handler<Message>)).unwrap();
        let (free, held) = channel::<()>();
        pool.threads[1].mailbox.send(Box::new(move |_| assert!(held.recv().is_err())));

        let job = Job::new(Position::startpos(), Limits::depth(3));
        let hold = Hold::new(1, &job.limits, Some(Color::White));
        let (options, shared) = (EngineOptions::default(), pool.shared.clone());
        let search = Arc::new(OngoingSearch::new(job, hold, options, shared, Arc::new(Silent)));
        assert!(pool.search(&search));
        assert_eq!(results.recv().unwrap().unwrap().thread_id, 0);
        assert!(search.started_threads.is_over_with(1));
        drop(free);
        pool.sync();
        assert!(search.started_threads.is_over_with(1) && results.try_recv().is_err());
    }

    /// A result of a search, and whether it is still there.
    const KEY: u64 = 0x1234_5678_9abc_def0;

    fn store(pool: &mut Pool) {
        let entry = TtEntry { mv: None, score: None, raw_eval: Some(Score(7)), depth: 5, pv: false };
        pool.shared.tt.store(KEY, 0, entry);
        pool.is_table_new = false;
    }

    #[test]
    fn a_table_whose_size_does_not_change_is_kept() {
        let (mut pool, _inbox) = pool();
        pool.set_hash(3).unwrap();
        store(&mut pool);
        for threads in [2, 5, 1] {
            pool.set_threads(threads).unwrap();
            pool.set_hash(3).unwrap();
            assert_eq!((pool.threads.len(), pool.shared.threads()), (threads, threads));
            assert!(pool.shared.tt.probe(KEY, 0).is_some());
        }
        while !pool.shared.tt.is_touched() {
            pool.shared.tt.touch_some();
        }
        let other = Network::from_bytes(&Network::embedded().to_bytes()).unwrap().into();
        pool.set_network(other).unwrap();
        assert!(pool.shared.tt.probe(KEY, 0).is_none(), "what another network said");
    }

    /// The system promises no such table.
    #[cfg_attr(miri, ignore = "the interpreter ends where the system refuses")]
    #[test]
    fn the_old_size_comes_back() {
        let (mut pool, _inbox) = pool();
        pool.set_hash(5).unwrap();
        pool.set_threads(3).unwrap();
        store(&mut pool);
        let error = pool.set_hash(1 << 40).unwrap_err();
        assert!(error.to_string().ends_with("; back to 5 MiB"), "{error}");
        assert_eq!((pool.mebibytes(), pool.shared.threads()), (5, 3));
        assert!(pool.shared.tt.probe(KEY, 0).is_none());
    }
}
