//! The search threads and what they share: the transposition table, the network, the control flags.

use std::{
    ffi::OsStr,
    io,
    sync::Arc,
    time::{Duration, Instant},
};

#[cfg(single_threaded)]
use super::pool::Search;
use super::{
    error::EngineError,
    options::EngineOptions,
    pool::{Pool, TOUCHES_PAGES},
    worker_event::WorkerEvent,
};
use crate::{
    nnue::Network,
    search::{Control, Job, Shared},
    tt::TranspositionTable,
    util::sync::Sender,
};

/// How long `readyok` waits at most for the pages of a new transposition table.
const MEMORY_WAIT: Duration = Duration::from_secs(1);

/// Changed only while no search is in progress.
pub(super) struct Resources {
    control: Arc<Control>,
    shared: Arc<Shared>,
    pool: Pool,
    events: Sender<WorkerEvent>,
    /// Size of the transposition table.
    mebibytes: usize,
    /// True if no search has used the table.
    is_table_new: bool,
    /// When `readyok` stops waiting for the table's pages; the first table's are not waited for.
    ready_by: Option<Instant>,
}

impl Resources {
    /// Starts the threads and takes the memory that `options` name. The threads report to `events`.
    ///
    /// # Errors
    /// When memory cannot be allocated or a thread cannot be started.
    pub(super) fn new(options: &EngineOptions, control: Arc<Control>, events: Sender<WorkerEvent>) -> io::Result<Self> {
        let table = TranspositionTable::new(options.hash)?;
        let shared = Arc::new(Shared::new(table, control.clone(), options.threads));
        let pool = Pool::new(&shared, &events)?;
        Ok(Self { control, shared, pool, events, mebibytes: options.hash, is_table_new: true, ready_by: None })
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Starts a search and returns the number of threads that take part.
    pub(super) fn search(&mut self, job: Job) -> usize {
        self.is_table_new = false;
        self.shared.tt.use_small_pages_for_rest();
        self.pool.search(job)
    }

    /// The search that was last started, where there are no threads to run it.
    #[cfg(single_threaded)]
    pub(super) fn next_search(&self) -> Option<Search> {
        self.pool.next_search()
    }

    /// True until the idle threads have begun to touch the last pages of a new table, but for no longer than a second
    /// after it was made.
    pub(super) fn is_memory_awaited(&self) -> bool {
        TOUCHES_PAGES
            && self.ready_by.is_some_and(|deadline| self.shared.tt.is_left_to_touch() && Instant::now() < deadline)
    }

    /// Replaces the transposition table by an empty one.
    ///
    /// # Errors
    /// When there is no memory for it beside the old one, which then stays.
    pub(super) fn resize_hash(&mut self, mebibytes: usize) -> Result<(), EngineError> {
        let shared = self.with_empty_table(mebibytes, self.shared.threads())?;
        self.replace_shared(shared);
        self.mebibytes = mebibytes;
        Ok(())
    }

    /// Empties the transposition table, if a search has used it: in all threads if its pages are there, else by
    /// replacing it, or in place where there is no memory for a second one.
    pub(super) fn clear_hash(&mut self) {
        if self.is_table_new {
            return;
        }
        if self.shared.tt.is_touched() || self.resize_hash(self.mebibytes).is_err() {
            self.pool.clear_table();
            self.pool.sync();
            self.is_table_new = true;
        }
    }

    /// Clears the transposition table and the threads' history.
    pub(super) fn new_game(&mut self) {
        self.pool.new_game();
        self.clear_hash();
        self.pool.sync();
    }

    /// Replaces the threads; the new ones start with an empty transposition table.
    ///
    /// # Errors
    /// When memory or a thread is not available.
    pub(super) fn restart_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        let shared = Arc::new(self.with_empty_table(self.mebibytes, threads)?);
        let pool = Pool::new(&shared, &self.events).map_err(EngineError::Thread)?;
        // The old threads let go of the old table before they end.
        self.pool.share(&shared);
        self.shared = shared;
        self.pool.sync();
        self.pool = pool;
        self.table_is_new();
        Ok(())
    }

    /// Evaluates with the network in this file from now on, or with the embedded one if the path is empty. Clears the
    /// transposition table, which holds the scores of the old network.
    ///
    /// # Errors
    /// When the file is not such a network, or memory cannot be allocated.
    pub(super) fn load_network(&mut self, path: &OsStr) -> Result<(), EngineError> {
        let network = if path.is_empty() { Network::embedded() } else { Network::from_file(path.as_ref())?.into() };
        let shared = self.with_empty_table(self.mebibytes, self.shared.threads())?;
        self.replace_shared(shared.with_network(network));
        Ok(())
    }

    fn with_empty_table(&self, mebibytes: usize, threads: usize) -> Result<Shared, EngineError> {
        let table = TranspositionTable::new(mebibytes);
        let table = table.map_err(|source| EngineError::HashMemory { mebibytes, source })?;
        table.skip_touching_if_too_large();
        Ok(Shared::new(table, self.control.clone(), threads).with_network(self.shared.network.clone()))
    }

    fn replace_shared(&mut self, shared: Shared) {
        self.shared = Arc::new(shared);
        self.pool.share(&self.shared);
        // The last thread to let go of the old table gives its memory back.
        self.pool.sync();
        self.table_is_new();
    }

    fn table_is_new(&mut self) {
        self.is_table_new = true;
        self.ready_by = Some(Instant::now() + MEMORY_WAIT);
    }
}
