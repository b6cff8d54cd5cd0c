//! The search where there are no threads: one worker, which searches when it is its turn.

use std::{cell::RefCell, io, rc::Rc, sync::Arc};

use super::worker_event::WorkerEvent;
use crate::{
    attacks::{Backend, Magic},
    search::{Job, Shared, Worker},
    util::{background, sync::Sender},
};

/// The memory of the table was written to when it was made.
pub(super) const TOUCHES_PAGES: bool = false;

/// The worker; it has the interface of a pool of threads.
pub(super) struct Pool {
    worker: Rc<RefCell<Worker<Magic>>>,
    shared: RefCell<Arc<Shared>>,
    events: Sender<WorkerEvent>,
}

impl Pool {
    /// A worker that reports to `events`. `Magic` is the only backend that can search on processors without PEXT.
    ///
    /// # Errors
    /// When there is no memory.
    pub(super) fn new(_backend: Backend, shared: &Arc<Shared>, events: &Sender<WorkerEvent>) -> io::Result<Self> {
        let worker = Rc::new(RefCell::new(Worker::new(Magic, shared.clone(), 0)?));
        Ok(Self { worker, shared: RefCell::new(shared.clone()), events: events.clone() })
    }

    /// Leaves a search for later, whose reports and end come as events. Returns the number of workers that take part.
    pub(super) fn search(&self, job: Job) -> usize {
        let (worker, events) = (self.worker.clone(), self.events.clone());
        let emit = move |event| {
            // The receiver is gone when the process is about to end.
            drop(events.send(event));
            background::poll();
        };
        let search = move || {
            let search_id = job.search_id;
            let mut report = |report| emit(WorkerEvent::Report { search_id, report });
            let result = worker.borrow_mut().search(&job, Some(&mut report));
            emit(WorkerEvent::Done { search_id, result: Some(result) });
        };
        usize::from(background::spawn("search", search).is_ok())
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
