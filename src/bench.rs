//! `bench`: the node count of a fixed set of searches, the signature of the search's behavior. It is the same in every
//! process, on every processor and with every lookup of sliders.

use std::{
    fmt, io,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use crate::{
    nnue::Network,
    notation::{Epd, EpdError},
    search::{Control, Job, Limits, STACK_BYTES, Shared, Worker, nps},
    tt::TranspositionTable,
    types::Depth,
};

/// The default depth, in plies: one or two seconds in all.
pub(crate) const DEPTH: Depth = 14;

/// The positions: openings, middlegames, endings, Chess960 and oddities.
const POSITIONS: &str = include_str!("../bench.epd");

/// The size of the TT, in MiB.
const TT_MIB: usize = 16;

/// The settings of a bench.
#[derive(Clone, Debug)]
pub(crate) struct Bench {
    /// The depth of each search, in plies.
    pub depth: Depth,
    /// The network; the signature is that of the embedded one.
    pub network: Arc<Network>,
    /// The flags by which the bench is stopped.
    pub control: Arc<Control>,
    /// The number under which it is stopped: see [`Control`].
    pub search_id: u64,
}

/// The errors of a bench.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BenchError {
    /// The system provides no memory or no thread.
    #[error(transparent)]
    System(#[from] io::Error),
    /// A line of the position list is not valid EPD.
    #[error("line {0} of the bench positions: {1}")]
    Position(usize, EpdError),
    /// The bench was stopped by [`Bench::control`].
    #[error("the bench was stopped")]
    Stopped,
    /// The search thread panicked: a bug.
    #[error("the search broke down")]
    Failed,
}

/// Nodes and the time that they took: the result of a bench or a perft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodesAndTime {
    /// The nodes. Those of a bench change if and only if the search's behavior does.
    pub nodes: u64,
    /// The time.
    pub time: Duration,
}

/// The line that ends a bench: `N nodes M nps`.
impl fmt::Display for NodesAndTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, nps(self.nodes, self.time))
    }
}

impl Bench {
    /// Searches every position with an empty TT and empty histories, and passes a line about each to `each`.
    ///
    /// # Errors
    /// If the system provides no memory or thread, or if the bench is stopped.
    pub(crate) fn run(&self, each: impl FnMut(String) + Send) -> Result<NodesAndTime, BenchError> {
        let work = || self.search_all(each);
        if cfg!(single_threaded) {
            return work(); // There are no threads; the linker gives the only one a stack of this size.
        }
        thread::scope(|scope| {
            let thread = thread::Builder::new().name("bench".to_owned()).stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, work)?.join().unwrap_or(Err(BenchError::Failed))
        })
    }

    fn search_all(&self, mut each: impl FnMut(String)) -> Result<NodesAndTime, BenchError> {
        let shared = Shared::new(TranspositionTable::new(TT_MIB)?, self.control.clone(), 1);
        let shared = Arc::new(shared.with_network(self.network.clone()));
        let mut worker = Worker::new(shared.clone(), 0)?;
        let mut total = NodesAndTime::default();
        for (number, line) in (1..).zip(POSITIONS.lines()) {
            let epd: Epd = line.parse().map_err(|error| BenchError::Position(number, error))?;
            shared.tt.clear();
            worker.new_game();
            let started = Instant::now();
            let job = Job::new(epd.position.clone(), Limits::depth(self.depth));
            let result = worker.search(&Job { search_id: self.search_id, ..job }, None);
            total.time += started.elapsed();
            if self.control.is_stopped(self.search_id) {
                return Err(BenchError::Stopped);
            }
            total.nodes += result.nodes;
            let best = result.best().map_or("(none)".to_owned(), |mv| mv.to_string());
            let score = format!("{:?}", result.score);
            let id = epd.id().unwrap_or_default();
            each(format!("{number:>3} {:>10} {best:<6} {score:>7}  {id}", result.nodes));
        }
        Ok(total)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{attacks::Lookup, movegen::legal_moves};

    #[test]
    fn the_positions_are_good_and_all_different() {
        let epds: Vec<Epd> = POSITIONS.lines().map(|line| line.parse().unwrap()).collect();
        assert!(epds.iter().all(|epd| !legal_moves(&epd.position).is_empty()));
        let names: HashSet<_> = epds.iter().map(|epd| epd.id().unwrap()).collect();
        let keys: HashSet<_> = epds.iter().map(|epd| epd.position.key()).collect();
        assert_eq!((names.len(), keys.len()), (epds.len(), epds.len()));
        assert!((45..=60).contains(&epds.len()));
    }

    #[test]
    fn the_count_repeats_itself_with_every_lookup() {
        let run = || {
            let bench =
                Bench { depth: 3, network: Network::embedded(), control: Arc::new(Control::new()), search_id: 1 };
            let mut lines = 0;
            (bench.run(|_| lines += 1).unwrap().nodes, lines)
        };
        let (nodes, lines) = run();
        assert_eq!(lines, POSITIONS.lines().count());
        Lookup::with_each(|lookup| assert_eq!(run().0, nodes, "{lookup:?}"));
    }

    #[test]
    fn a_stop_ends_it() {
        let control = Arc::new(Control::new());
        control.stop(1);
        let bench = Bench { depth: 30, network: Network::embedded(), control, search_id: 1 };
        assert!(matches!(bench.run(drop), Err(BenchError::Stopped)));
    }

    #[test]
    fn the_last_line_can_be_parsed() {
        let signature = NodesAndTime { nodes: 1_234_567, time: Duration::from_millis(500) };
        assert_eq!(signature.to_string(), "1234567 nodes 2469134 nps");
    }
}
