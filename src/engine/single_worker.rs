//! The search where there are no threads: one worker, which searches in the engine's own.

use std::{
    cell::{Cell, RefCell},
    io,
    rc::Rc,
    sync::Arc,
};

use super::worker_event::WorkerEvent;
use crate::{
    attacks::Magic,
    search::{Job, Limits, Shared, Worker},
    util::sync::Sender,
};

/// The memory of the table was written to when it was made.
pub(super) const TOUCHES_PAGES: bool = false;

/// How long a search takes at most that only a command would end, in milliseconds: no command is read meanwhile.
const UNBOUNDED_MOVE_TIME: i64 = 60_000;

/// The worker; it has the interface of a pool of threads.
pub(super) struct Pool {
    worker: Rc<RefCell<Worker<Magic>>>,
    shared: RefCell<Arc<Shared>>,
    next: Cell<Option<Job>>,
}

/// A search that has been started and has yet to run.
pub(super) struct Search {
    worker: Rc<RefCell<Worker<Magic>>>,
    job: Job,
}

impl Search {
    /// Runs it, and passes its reports and end to `emit`.
    pub(super) fn run(mut self, mut emit: impl FnMut(WorkerEvent)) {
        end_without_command(&mut self.job.limits);
        let search_id = self.job.search_id;
        let mut report = |report| emit(WorkerEvent::Report { search_id, report });
        let result = self.worker.borrow_mut().search(&self.job, Some(&mut report));
        emit(WorkerEvent::Done { search_id, result: Some(result) });
    }
}

/// Bounds a search that only a command would end. Its best move is held back until that command all the same.
fn end_without_command(limits: &mut Limits) {
    if limits.infinite {
        let time = limits.move_time.unwrap_or(UNBOUNDED_MOVE_TIME);
        limits.move_time = Some(time.min(UNBOUNDED_MOVE_TIME));
    }
    (limits.infinite, limits.ponder) = (false, false);
}

impl Pool {
    /// A worker. `Magic` is the only backend that can search on processors without PEXT.
    ///
    /// # Errors
    /// When there is no memory.
    pub(super) fn new(shared: &Arc<Shared>, _events: &Sender<WorkerEvent>) -> io::Result<Self> {
        let worker = Rc::new(RefCell::new(Worker::new(Magic, shared.clone(), 0)?));
        Ok(Self { worker, shared: RefCell::new(shared.clone()), next: Cell::new(None) })
    }

    /// Leaves a search to [`Self::next_search`]. Returns the number of workers that take part.
    pub(super) fn search(&self, job: Job) -> usize {
        self.next.set(Some(job));
        1
    }

    /// The search that was last started, once.
    pub(super) fn next_search(&self) -> Option<Search> {
        self.next.take().map(|job| Search { worker: self.worker.clone(), job })
    }

    /// Replaces what the worker shares.
    pub(super) fn share(&self, shared: &Arc<Shared>) {
        *self.shared.borrow_mut() = shared.clone();
        self.worker.borrow_mut().set_shared(shared.clone());
    }

    /// Clears the worker's histories.
    pub(super) fn new_game(&self) {
        self.worker.borrow_mut().new_game();
    }

    /// Clears the table.
    pub(super) fn clear_table(&self) {
        self.shared.borrow().tt.clear();
    }

    /// Returns at once: the other commands are done when they return.
    pub(super) fn sync(&self) {}
}
