//! The search threads (lazy SMP) and what they share: the transposition table, the network, the control flags.

use std::{
    io,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::{Duration, Instant},
};

#[cfg(loom)]
use super::model_worker::new_worker;
use super::{
    command::{Message, Task},
    event::EngineError,
    ongoing_search::OngoingSearch,
};
#[cfg(not(loom))]
use crate::search::new_worker;
use crate::{
    attacks::Backend,
    nnue::Network,
    search::{Control, STACK_BYTES, Search, Shared},
    tt::TranspositionTable,
    util::{
        actor::{Handler, Mailbox, WAIT, actor},
        sync::{Sender, unbounded},
    },
};

/// How long `readyok` waits at most for the pages of a new transposition table.
const MEMORY_WAIT: Duration = Duration::from_secs(1);

/// An idle thread touches pages of the table; not in a model, which would interleave each with all else.
const TOUCHES_PAGES: bool = cfg!(not(any(loom, single_threaded)));

enum WorkerCommand {
    Search(Arc<OngoingSearch>),
    Run(u64, Task),
    /// Use another table, network or set of counters from now on.
    Share(Arc<Shared>),
    /// Clear the history.
    NewGame,
    /// Clear the thread's part of the table.
    ClearTable,
    /// Drop the sender: every command before this one is done.
    Sync(Sender<()>),
}

/// The search threads. What they share is changed only while no search is in progress. They end when this is dropped.
pub(super) struct Pool {
    threads: Vec<Mailbox<WorkerCommand>>,
    pub(super) shared: Arc<Shared>,
    /// Where the threads report the ends of their work.
    engine: Mailbox<Message>,
    /// True if no search has used the table.
    is_table_new: bool,
    /// When `readyok` stops waiting for the table's pages; the first table's are not waited for.
    ready_by: Option<Instant>,
}

impl Pool {
    /// Starts one thread with a table of so many MiB.
    ///
    /// # Errors
    /// When memory cannot be allocated or the thread cannot be started.
    pub(super) fn new(mebibytes: usize, control: Arc<Control>, engine: Mailbox<Message>) -> io::Result<Self> {
        let shared = Arc::new(Shared::new(TranspositionTable::new(mebibytes)?, control, 1));
        let threads = start_threads(&shared, &engine)?;
        Ok(Self { threads, shared, engine, is_table_new: true, ready_by: None })
    }

    /// Size of the transposition table, in MiB.
    pub(super) fn mebibytes(&self) -> usize {
        self.shared.tt.bytes() >> 20
    }

    /// Starts a search, each end of which comes as a message. Returns the number of threads that take part.
    pub(super) fn search(&mut self, search: &Arc<OngoingSearch>) -> usize {
        self.is_table_new = false;
        self.shared.forget_current_move();
        self.shared.tt.clusters.use_small_pages_for_rest();
        self.send_all(|| WorkerCommand::Search(search.clone()))
    }

    /// Runs a task in the first thread, the end of which comes as a message. Returns false if the thread is gone.
    pub(super) fn run(&self, id: u64, task: Task) -> bool {
        self.threads.first().is_some_and(|thread| thread.send(WorkerCommand::Run(id, task)))
    }

    /// True until the idle threads have begun to touch the last pages of a new table, but for no longer than a second
    /// after it was made.
    pub(super) fn is_memory_awaited(&self) -> bool {
        let is_early = self.ready_by.is_some_and(|deadline| Instant::now() < deadline);
        TOUCHES_PAGES && is_early && self.shared.tt.clusters.is_left_to_touch()
    }

    /// Shares an empty table and a network among the threads, or among so many new ones.
    ///
    /// # Errors
    /// When there is no memory for the table beside the old one, or no thread; the old ones stay.
    pub(super) fn rebuild(
        &mut self,
        mebibytes: usize,
        new_threads: Option<usize>,
        network: Arc<Network>,
    ) -> Result<(), EngineError> {
        let table = TranspositionTable::new(mebibytes);
        let table = table.map_err(|source| EngineError::HashMemory { mebibytes, source })?;
        table.clusters.skip_touching_if_too_large();
        let threads = new_threads.unwrap_or(self.threads.len());
        let shared = Shared::new(table, self.shared.control.clone(), threads).with_network(network);
        let shared = Arc::new(shared);
        let new = new_threads.map(|_| start_threads(&shared, &self.engine)).transpose().map_err(EngineError::Thread)?;
        self.shared = shared;
        // The last thread to let go of the old table gives its memory back, also one that is about to end.
        self.send_all(|| WorkerCommand::Share(self.shared.clone()));
        self.sync();
        if let Some(new) = new {
            self.threads = new;
            // A thread touches pages from its first command on.
            self.send_all(|| WorkerCommand::Share(self.shared.clone()));
        }
        (self.is_table_new, self.ready_by) = (true, Some(Instant::now() + MEMORY_WAIT));
        Ok(())
    }

    /// Empties the transposition table, if a search has used it: in all threads if its pages are there, else by
    /// replacing it, or in place where there is no memory for a second one.
    pub(super) fn clear_hash(&mut self) {
        if self.is_table_new {
            return;
        }
        let network = self.shared.network.clone();
        if self.shared.tt.clusters.is_touched() || self.rebuild(self.mebibytes(), None, network).is_err() {
            self.send_all(|| WorkerCommand::ClearTable);
            self.sync();
            self.is_table_new = true;
        }
    }

    /// Clears the transposition table and the threads' history.
    pub(super) fn new_game(&mut self) {
        self.send_all(|| WorkerCommand::NewGame);
        self.clear_hash();
        self.sync();
    }

    /// Waits until every thread, none of which searches, is done with its commands.
    fn sync(&self) {
        let (sender, dropped) = unbounded();
        self.send_all(|| WorkerCommand::Sync(sender.clone()));
        drop(sender);
        // Nothing is ever sent: each thread drops its sender.
        let _ = dropped.recv();
    }

    /// Sends a command to every thread; returns the number of threads that are alive.
    fn send_all(&self, command: impl Fn() -> WorkerCommand) -> usize {
        self.threads.iter().filter(|thread| thread.send(command())).count()
    }
}

/// Starts as many threads as `shared` has counters for, one after the other; if one fails, the others end again.
fn start_threads(shared: &Arc<Shared>, engine: &Mailbox<Message>) -> io::Result<Vec<Mailbox<WorkerCommand>>> {
    let start = |id| {
        let (mailbox, inbox) = actor();
        let thread = SearchThread { id, shared: shared.clone(), engine: engine.clone() };
        inbox.serve(&format!("search {id}"), STACK_BYTES, move || thread.handler())?;
        Ok(mailbox)
    };
    (0..shared.threads()).map(start).collect()
}

/// A search thread, but for the worker, which it makes itself.
struct SearchThread {
    id: usize,
    shared: Arc<Shared>,
    engine: Mailbox<Message>,
}

impl SearchThread {
    /// What the thread does with each command.
    fn handler(mut self) -> io::Result<Handler<WorkerCommand>> {
        let mut worker = new_worker(Backend::detect(), self.shared.clone(), self.id)?;
        Ok(Box::new(move |command| {
            match command {
                Some(command) => self.execute(command, &mut *worker),
                None => drop(self.shared.tt.clusters.touch_next()),
            }
            let has_pages = TOUCHES_PAGES && self.shared.tt.clusters.is_left_to_touch();
            if has_pages { ControlFlow::Continue(Duration::ZERO) } else { WAIT }
        }))
    }

    fn execute(&mut self, command: WorkerCommand, worker: &mut dyn Search) {
        match command {
            WorkerCommand::NewGame => worker.new_game(),
            WorkerCommand::ClearTable => self.shared.tt.clear_part(self.id, self.shared.threads()),
            WorkerCommand::Sync(sender) => drop(sender),
            WorkerCommand::Share(shared) => {
                worker.set_shared(shared.clone());
                self.shared = shared;
            }
            WorkerCommand::Run(id, task) => {
                if catch_unwind(AssertUnwindSafe(|| task(&self.shared, id))).is_err() {
                    log::error!("a task panicked");
                }
                // The engine is gone when the process is about to end.
                self.engine.send(Message::TaskDone);
            }
            WorkerCommand::Search(search) => {
                let mut report = |report| search.on_report(report);
                let result = catch_unwind(AssertUnwindSafe(|| worker.search(&search.job, Some(&mut report)))).ok();
                if result.is_none() {
                    worker.new_game();
                    self.shared.end(search.job.search_id);
                }
                drop(search);
                self.engine.send(Message::Done(result));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_threads_touch_a_new_table_without_a_command() {
        let (engine, _inbox) = actor();
        let mut pool = Pool::new(1, Arc::new(Control::new()), engine).unwrap();
        for new_threads in [None, Some(2), Some(1), None] {
            pool.rebuild(8, new_threads, Network::embedded()).unwrap();
            let deadline = Instant::now() + Duration::from_secs(60);
            while pool.shared.tt.clusters.is_left_to_touch() {
                assert!(Instant::now() < deadline, "nothing touches the table of {new_threads:?} new threads");
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn every_command_is_done_after_a_sync() {
        let (engine, _inbox) = actor();
        let mut pool = Pool::new(1, Arc::new(Control::new()), engine).unwrap();
        pool.rebuild(1, Some(4), Network::embedded()).unwrap();
        for _ in 0..50 {
            let old = pool.shared.clone();
            pool.new_game();
            pool.rebuild(1, None, Network::embedded()).unwrap();
            assert_eq!(Arc::strong_count(&old), 1, "a thread still holds what it was to let go");
        }
    }
}
