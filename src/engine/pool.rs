//! The threads that search.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::{
    attacks::{Backend, Sliders, WithSliders},
    search::{Job, SearchReport, SearchResult, Shared, Worker},
};

/// Room for the deepest search in a build without optimisation.
const STACK_BYTES: usize = 32 << 20;

/// What the threads are told.
enum Order {
    Search(Arc<Job>),
    Share(Arc<Shared>),
    NewGame,
    /// Drop the sender: all orders before this one have been obeyed.
    Sync(Sender<()>),
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
        let threads = (0..shared.threads()).map(|id| spawn(id, backend, shared.clone(), newsroom.clone()));
        let threads: Vec<Starting> = threads.collect::<io::Result<_>>()?;
        let ready = |(orders, started): Starting| {
            started.recv().unwrap_or_else(|_| Err(io::ErrorKind::OutOfMemory.into())).map(|()| orders)
        };
        Ok(Self { orders: threads.into_iter().map(ready).collect::<io::Result<_>>()? })
    }

    /// Starts a search; its reports and the end of each thread's part come as news. Returns how many threads there
    /// are to end it.
    pub(super) fn search(&self, job: Job) -> usize {
        let job = Arc::new(job);
        self.order(|| Order::Search(job.clone()))
    }

    /// Shares something else from now on, made for as many threads.
    pub(super) fn share(&self, shared: &Arc<Shared>) {
        self.order(|| Order::Share(shared.clone()));
    }

    /// Forgets what was learned in the last game.
    pub(super) fn new_game(&self) {
        self.order(|| Order::NewGame);
    }

    /// Waits until every thread, none of which searches, has obeyed what it was ordered.
    pub(super) fn sync(&self) {
        let (sender, dropped) = bounded(0);
        self.order(|| Order::Sync(sender.clone()));
        drop(sender);
        // Nothing is ever sent: each thread drops its sender.
        let _ = dropped.recv();
    }

    /// Gives an order to all threads; how many got it.
    fn order(&self, order: impl Fn() -> Order) -> usize {
        self.orders.iter().filter(|thread| thread.send(order()).is_ok()).count()
    }
}

/// A thread that is being started: where its orders go, and where it says whether it has all it needs.
type Starting = (Sender<Order>, Receiver<io::Result<()>>);

fn spawn(id: usize, backend: Backend, shared: Arc<Shared>, newsroom: Sender<News>) -> io::Result<Starting> {
    let (orders, received) = unbounded();
    let (ready, started) = bounded(1);
    let serve = Serve { id, shared, ready, orders: received, newsroom };
    let run = move || backend.with_searchable(serve);
    thread::Builder::new().name(format!("search {id}")).stack_size(STACK_BYTES).spawn(run)?;
    Ok((orders, started))
}

/// [`serve`] for a slider backend chosen at run time.
struct Serve {
    id: usize,
    shared: Arc<Shared>,
    ready: Sender<io::Result<()>>,
    orders: Receiver<Order>,
    newsroom: Sender<News>,
}

impl WithSliders for Serve {
    type Out = ();

    fn run<S: Sliders>(self, sliders: S) {
        let worker = Worker::new(sliders, self.shared.clone(), self.id);
        serve(worker, &self.ready, self.shared, &self.orders, &self.newsroom);
    }
}

fn serve<S: Sliders>(
    worker: io::Result<Worker<S>>,
    ready: &Sender<io::Result<()>>,
    mut shared: Arc<Shared>,
    orders: &Receiver<Order>,
    newsroom: &Sender<News>,
) {
    // Nobody listens any more when the process is about to end.
    let tell = |news| drop(newsroom.send(news));
    let mut worker = match worker {
        Ok(worker) => worker,
        Err(error) => return drop(ready.send(Err(error))),
    };
    drop(ready.send(Ok(())));
    for order in orders {
        match order {
            Order::NewGame => worker.new_game(),
            Order::Sync(sender) => drop(sender),
            Order::Share(other) => {
                worker.set_shared(other.clone());
                shared = other;
            }
            Order::Search(job) => {
                let id = job.search_id;
                let mut report = |report| tell(News::Report { id, report });
                match catch_unwind(AssertUnwindSafe(|| worker.search(&job, Some(&mut report)))) {
                    Ok(result) => tell(News::Done { id, result: Some(result) }),
                    Err(_) => {
                        worker.new_game();
                        shared.end(id);
                        tell(News::Done { id, result: None });
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
    fn all_orders_have_been_obeyed_after_a_sync() {
        let shared = || Arc::new(Shared::new(TranspositionTable::new(1).unwrap(), Arc::new(Control::new()), 4));
        let (newsroom, _news) = unbounded();
        let mut old = shared();
        let pool = Pool::new(Backend::Magic, &old, &newsroom).unwrap();
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
