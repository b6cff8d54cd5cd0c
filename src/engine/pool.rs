//! The threads that search.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::{
    attacks::{Backend, Magic, Pext, Sliders},
    search::{Job, SearchReport, SearchResult, Shared, Worker},
};

/// Room for the deepest search in a build without optimisation.
const STACK_BYTES: usize = 32 << 20;

/// What the threads are told.
enum Order {
    Search(Box<Job>),
    Share(Arc<Shared>),
    NewGame,
}

/// What the threads say.
#[derive(Debug)]
pub(super) enum News {
    /// How search number `id` is going.
    Report { id: u64, report: SearchReport },
    /// Search number `id` is over.
    Done { id: u64, result: SearchResult },
    /// Search number `id` broke down: a bug, but no reason to lose the game.
    Failed { id: u64 },
    /// A task is over.
    TaskDone,
}

/// The searching threads; they end when this is dropped.
pub(super) struct Pool {
    orders: Sender<Order>,
}

impl Pool {
    /// Starts the threads, which search with `backend`, share `shared` and report to `newsroom`.
    ///
    /// # Errors
    /// When the system will not start a thread.
    pub(super) fn new(backend: Backend, shared: Arc<Shared>, newsroom: Sender<News>) -> io::Result<Self> {
        let (orders, received) = unbounded();
        thread::Builder::new().name("search".to_owned()).stack_size(STACK_BYTES).spawn(move || {
            match (backend, Pext::detect()) {
                (Backend::Pext, Some(pext)) => serve(pext, shared, &received, &newsroom),
                _ => serve(Magic, shared, &received, &newsroom),
            }
        })?;
        Ok(Self { orders })
    }

    /// Starts a search; its reports and its end come as news.
    pub(super) fn search(&self, job: Job) {
        self.order(Order::Search(Box::new(job)));
    }

    /// Shares something else from now on.
    pub(super) fn share(&self, shared: Arc<Shared>) {
        self.order(Order::Share(shared));
    }

    /// Forgets what was learned in the last game.
    pub(super) fn new_game(&self) {
        self.order(Order::NewGame);
    }

    fn order(&self, order: Order) {
        if self.orders.send(order).is_err() {
            log::error!("the search thread is gone");
        }
    }
}

fn serve<S: Sliders>(sliders: S, mut shared: Arc<Shared>, orders: &Receiver<Order>, newsroom: &Sender<News>) {
    // Nobody listens any more when the process is about to end.
    let tell = |news| drop(newsroom.send(news));
    let mut worker = Worker::new(sliders, shared.clone(), 0);
    for order in orders {
        match order {
            Order::NewGame => worker.new_game(),
            Order::Share(other) => {
                worker.set_shared(other.clone());
                shared = other;
            }
            Order::Search(job) => {
                let id = job.id;
                let mut report = |report| tell(News::Report { id, report });
                match catch_unwind(AssertUnwindSafe(|| worker.search(&job, &mut report))) {
                    Ok(result) => tell(News::Done { id, result }),
                    Err(_) => {
                        worker = Worker::new(sliders, shared.clone(), 0);
                        tell(News::Failed { id });
                    }
                }
            }
        }
    }
}
