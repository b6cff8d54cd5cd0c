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
    Search(Arc<Job>),
    Share(Arc<Shared>),
    NewGame,
}

/// What the threads say.
#[derive(Debug)]
pub(super) enum News {
    /// How search number `id` is going.
    Report { id: u64, report: SearchReport },
    /// One thread is through with search number `id`, without a result if it broke down: a bug, but no reason to lose
    /// the game.
    Done { id: u64, result: Option<SearchResult> },
    /// A task is over.
    TaskDone,
}

/// The searching threads; they end when this is dropped.
pub(super) struct Pool {
    orders: Vec<Sender<Order>>,
}

impl Pool {
    /// Starts as many threads as `shared` has room for; they search with `backend` and report to `newsroom`.
    ///
    /// # Errors
    /// When the system will not start a thread; those that were started end again.
    pub(super) fn new(backend: Backend, shared: &Arc<Shared>, newsroom: &Sender<News>) -> io::Result<Self> {
        let orders = (0..shared.threads()).map(|id| spawn(id, backend, shared.clone(), newsroom.clone()));
        Ok(Self { orders: orders.collect::<io::Result<_>>()? })
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> usize {
        self.orders.len()
    }

    /// Starts a search; its reports and the end of each thread's part come as news.
    pub(super) fn search(&self, job: Job) {
        let job = Arc::new(job);
        self.order(|| Order::Search(job.clone()));
    }

    /// Shares something else from now on, made for as many threads.
    pub(super) fn share(&self, shared: &Arc<Shared>) {
        self.order(|| Order::Share(shared.clone()));
    }

    /// Forgets what was learned in the last game.
    pub(super) fn new_game(&self) {
        self.order(|| Order::NewGame);
    }

    fn order(&self, order: impl Fn() -> Order) {
        for thread in &self.orders {
            if thread.send(order()).is_err() {
                log::error!("a search thread is gone");
            }
        }
    }
}

fn spawn(id: usize, backend: Backend, shared: Arc<Shared>, newsroom: Sender<News>) -> io::Result<Sender<Order>> {
    let (orders, received) = unbounded();
    thread::Builder::new().name(format!("search {id}")).stack_size(STACK_BYTES).spawn(move || {
        match (backend, Pext::detect()) {
            (Backend::Pext, Some(pext)) => serve(id, pext, shared, &received, &newsroom),
            _ => serve(id, Magic, shared, &received, &newsroom),
        }
    })?;
    Ok(orders)
}

fn serve<S: Sliders>(
    thread: usize,
    sliders: S,
    mut shared: Arc<Shared>,
    orders: &Receiver<Order>,
    newsroom: &Sender<News>,
) {
    // Nobody listens any more when the process is about to end.
    let tell = |news| drop(newsroom.send(news));
    let mut worker = Worker::new(sliders, shared.clone(), thread);
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
                    Ok(result) => tell(News::Done { id, result: Some(result) }),
                    Err(_) => {
                        worker = Worker::new(sliders, shared.clone(), thread);
                        shared.end(id);
                        tell(News::Done { id, result: None });
                    }
                }
            }
        }
    }
}
