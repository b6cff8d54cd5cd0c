//! State shared by the threads of a lazy SMP search.
// CITE: Julien Marcel, Daniel Homan - lazy SMP, in place of a parallel search that splits the tree.

use std::{
    sync::{
        Arc,
        atomic::{self, Ordering::Relaxed},
    },
    time::Duration,
};

use super::{
    control::Control,
    report::{Line, SearchReport},
};
use crate::{
    nnue::Network,
    tt::TranspositionTable,
    types::{Depth, Move},
    util::sync::AtomicU64,
};

/// A counter on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counter(atomic::AtomicU64);

/// State shared by the workers of a pool. Each writes to the TT and to its own counters.
#[derive(Debug)]
pub struct Shared {
    /// The transposition table.
    pub tt: TranspositionTable,
    /// The stop and ponderhit flags.
    pub control: Arc<Control>,
    /// The evaluation network.
    pub network: Arc<Network>,
    /// The last search that the main worker has finished, which stops its helpers.
    ended: AtomicU64,
    /// The root move being searched by the main worker: its bits, its number from 1, and the iteration above them.
    current: atomic::AtomicU64,
    nodes: Box<[Counter]>,
    tbhits: Box<[Counter]>,
}

impl Shared {
    /// Creates the shared state of `threads` workers, with the embedded network.
    pub fn new(tt: TranspositionTable, control: Arc<Control>, threads: usize) -> Self {
        let counters = || (0..threads.max(1)).map(|_| Counter::default()).collect();
        Self {
            tt,
            control,
            network: Network::embedded(),
            ended: AtomicU64::new(0),
            current: atomic::AtomicU64::new(0),
            nodes: counters(),
            tbhits: counters(),
        }
    }

    /// Replaces the network.
    #[must_use]
    pub fn with_network(self, network: Arc<Network>) -> Self {
        Self { network, ..self }
    }

    /// Number of workers.
    pub fn threads(&self) -> usize {
        self.nodes.len()
    }

    /// Nodes searched by all workers; each worker's share may lag by up to 512.
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// Tablebase hits of all workers, with the same lag.
    pub fn tbhits(&self) -> u64 {
        self.tbhits.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// A report with what all workers have searched.
    pub fn report(&self, depth: Depth, lines: Vec<Line>, time: Duration) -> SearchReport {
        let (nodes, tbhits, hashfull) = (self.nodes(), self.tbhits(), self.tt.hashfull());
        SearchReport { depth, lines, nodes, time, hashfull, tbhits }
    }

    /// Begins a search: the entries of older ones are replaced first, and all counters are at zero. A helper that is
    /// ahead of the main worker publishes its count again.
    pub(super) fn begin(&self) {
        self.tt.new_search();
        self.nodes.iter().chain(&self.tbhits).for_each(|counter| counter.0.store(0, Relaxed));
    }

    /// Forgets the root move of the last search, which must not be shown as one of the next before its main worker has
    /// woken.
    pub fn forget_current_move(&self) {
        self.current.store(0, Relaxed);
    }

    /// Tells the helpers that the main worker has finished a search.
    pub fn end(&self, search: u64) {
        self.ended.fetch_max(search, Relaxed);
    }

    /// Returns true if the main worker has finished the search.
    pub(super) fn is_ended(&self, search: u64) -> bool {
        self.ended.load(Relaxed) >= search
    }

    /// The root move being searched by the main worker, its number from 1, and the iteration, in plies.
    pub fn current_move(&self) -> Option<(Move, u16, Depth)> {
        let word = self.current.load(Relaxed);
        Some((Move::from_bits(word as u16)?, (word >> 16) as u16, (word >> 32) as Depth))
    }

    pub(super) fn set_current_move(&self, mv: Move, number: usize, depth: Depth) {
        self.current.store(u64::from(mv.bits()) | (number as u64) << 16 | (depth as u64) << 32, Relaxed);
    }

    #[inline]
    pub(super) fn publish(&self, thread_id: usize, nodes: u64, tbhits: u64) {
        self.nodes[thread_id].0.store(nodes, Relaxed);
        self.tbhits[thread_id].0.store(tbhits, Relaxed);
    }
}
