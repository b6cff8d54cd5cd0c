//! The search threads.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

#[cfg(loom)]
use super::model_worker::Worker;
use super::worker_event::WorkerEvent;
#[cfg(not(loom))]
use crate::search::Worker;
use crate::{
    attacks::{Backend, Sliders, WithSliders},
    search::{Job, STACK_BYTES, Shared},
    util::sync::{Receiver, Sender, TryRecvError, bounded, thread, unbounded},
};

/// An idle thread touches pages of the table; not in a model, which would interleave each with all else.
pub(super) const TOUCHES_PAGES: bool = cfg!(not(loom));

/// A command to a search thread.
enum WorkerCommand {
    Search(Arc<Job>),
    /// Use another table, network or set of counters from now on.
    Share(Arc<Shared>),
    /// Clear the history.
    NewGame,
    /// Clear the thread's part of the table.
    ClearTable,
    /// Drop the sender: every command before this one is done.
    Sync(Sender<()>),
}

/// The search threads (lazy SMP); they end when this is dropped.
pub(super) struct Pool {
    commands: Vec<Sender<WorkerCommand>>,
}

impl Pool {
    /// Starts as many threads as `shared` has room for; they report to `events`.
    ///
    /// # Errors
    /// When the system will not start a thread; those that were started end again.
    pub(super) fn new(shared: &Arc<Shared>, events: &Sender<WorkerEvent>) -> io::Result<Self> {
        let start = |id| spawn(id, shared.clone(), events.clone());
        Ok(Self { commands: (0..shared.threads()).map(start).collect::<io::Result<_>>()? })
    }

    /// Starts a search, whose reports and ends come as events. Returns the number of threads that take part.
    pub(super) fn search(&self, job: Job) -> usize {
        let job = Arc::new(job);
        self.send_all(|| WorkerCommand::Search(job.clone()))
    }

    /// Replaces what the threads share by something made for as many threads.
    pub(super) fn share(&self, shared: &Arc<Shared>) {
        self.send_all(|| WorkerCommand::Share(shared.clone()));
    }

    /// Clears the threads' history.
    pub(super) fn new_game(&self) {
        self.send_all(|| WorkerCommand::NewGame);
    }

    /// Clears the table, a part by each thread.
    pub(super) fn clear_table(&self) {
        self.send_all(|| WorkerCommand::ClearTable);
    }

    /// Waits until every thread, none of which searches, is done with its commands.
    pub(super) fn sync(&self) {
        let (sender, dropped) = bounded(0);
        self.send_all(|| WorkerCommand::Sync(sender.clone()));
        drop(sender);
        // Nothing is ever sent: each thread drops its sender.
        let _ = dropped.recv();
    }

    /// Sends a command to every thread; returns the number of threads that are alive.
    fn send_all(&self, command: impl Fn() -> WorkerCommand) -> usize {
        self.commands.iter().filter(|thread| thread.send(command()).is_ok()).count()
    }
}

/// Starts a thread and waits until it has the memory it needs; returns where its commands go. The standard library aborts
/// if a new thread finds no memory for its signal stack, so the threads must not start at once.
fn spawn(id: usize, shared: Arc<Shared>, events: Sender<WorkerEvent>) -> io::Result<Sender<WorkerCommand>> {
    let (commands, received) = unbounded();
    let (ready, started) = bounded(1);
    let start = RunWorker { id, shared, ready, commands: received, events };
    let run = move || Backend::with_detected(start);
    thread::Builder::new().name(format!("search {id}")).stack_size(STACK_BYTES).spawn(run)?;
    started.recv().unwrap_or_else(|_| Err(io::ErrorKind::OutOfMemory.into()))?;
    Ok(commands)
}

/// [`run_worker`] with the slider backend that is the fastest on this processor.
struct RunWorker {
    id: usize,
    shared: Arc<Shared>,
    ready: Sender<io::Result<()>>,
    commands: Receiver<WorkerCommand>,
    events: Sender<WorkerEvent>,
}

impl WithSliders for RunWorker {
    type Out = ();

    fn run<S: Sliders>(self, sliders: S) {
        let worker = Worker::new(sliders, self.shared.clone(), self.id);
        run_worker(self.id, worker, &self.ready, self.shared, &self.commands, &self.events);
    }
}

/// The next command. Until it comes, pages of the table are touched; none if no more commands will come.
fn next_command(commands: &Receiver<WorkerCommand>, shared: &Shared) -> Option<WorkerCommand> {
    loop {
        match commands.try_recv() {
            Ok(command) => return Some(command),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if TOUCHES_PAGES && shared.tt.touch_next() => {}
            Err(TryRecvError::Empty) => return commands.recv().ok(),
        }
    }
}

fn run_worker<S: Sliders>(
    id: usize,
    worker: io::Result<Worker<S>>,
    ready: &Sender<io::Result<()>>,
    mut shared: Arc<Shared>,
    commands: &Receiver<WorkerCommand>,
    events: &Sender<WorkerEvent>,
) {
    // The receiver is gone when the process is about to end.
    let emit = |event| drop(events.send(event));
    let mut worker = match worker {
        Ok(worker) => worker,
        Err(error) => return drop(ready.send(Err(error))),
    };
    drop(ready.send(Ok(())));
    while let Some(command) = next_command(commands, &shared) {
        match command {
            WorkerCommand::NewGame => worker.new_game(),
            WorkerCommand::ClearTable => shared.tt.clear_part(id, shared.threads()),
            WorkerCommand::Sync(sender) => drop(sender),
            WorkerCommand::Share(other) => {
                worker.set_shared(other.clone());
                shared = other;
            }
            WorkerCommand::Search(job) => {
                let search_id = job.search_id;
                let mut report = |report| emit(WorkerEvent::Report { search_id, report });
                match catch_unwind(AssertUnwindSafe(|| worker.search(&job, Some(&mut report)))) {
                    Ok(result) => emit(WorkerEvent::Done { search_id, result: Some(result) }),
                    Err(_) => {
                        worker.new_game();
                        shared.end(search_id);
                        emit(WorkerEvent::Done { search_id, result: None });
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{search::Control, tt::TranspositionTable};

    #[test]
    fn every_command_is_done_after_a_sync() {
        let shared = || Arc::new(Shared::new(TranspositionTable::new(1).unwrap(), Arc::new(Control::new()), 4));
        let (events, _received) = unbounded();
        let mut old = shared();
        let pool = Pool::new(&old, &events).unwrap();
        for _ in 0..50 {
            let new = shared();
            pool.new_game();
            pool.share(&new);
            pool.sync();
            assert_eq!(Arc::strong_count(&old), 1, "a thread still holds what it was to let go");
            old = new;
        }
    }
}
