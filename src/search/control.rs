//! What the threads of a search share.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use crate::{nnue::Network, tt::TranspositionTable, types::Move};

/// The flags by which other threads steer a search.
///
/// Searches are numbered from 1 in the order in which they are asked for. Stopping means stopping every search up to
/// a number, so a stop can neither be lost because its search has not yet begun, nor hit a later one.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicU64,
    pondered: AtomicU64,
}

impl Control {
    /// No search is stopped.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops every search numbered up to `search`.
    pub fn stop(&self, search: u64) {
        self.stopped.fetch_max(search, Relaxed);
    }

    /// Tells every search numbered up to `search` that the expected move was played.
    pub fn ponderhit(&self, search: u64) {
        self.pondered.fetch_max(search, Relaxed);
    }

    /// Whether a search has been told to stop.
    #[inline(always)]
    pub fn is_stopped(&self, search: u64) -> bool {
        self.stopped.load(Relaxed) >= search
    }

    /// Whether a search has been told that the expected move was played.
    #[inline(always)]
    pub fn is_ponderhit(&self, search: u64) -> bool {
        self.pondered.load(Relaxed) >= search
    }
}

/// A counter on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counter(AtomicU64);

/// What all workers of a pool read, and the counters each writes its own of.
#[derive(Debug)]
pub struct Shared {
    /// The hash table.
    pub table: TranspositionTable,
    /// The flags.
    pub control: Arc<Control>,
    /// What evaluates.
    pub network: Arc<Network>,
    /// The last search that the main worker has ended, which ends it for its helpers.
    ended: AtomicU64,
    /// The root move that the main worker is at: its bits, and its number above them.
    current: AtomicU64,
    nodes: Box<[Counter]>,
    tbhits: Box<[Counter]>,
}

impl Shared {
    /// For a pool of `threads` workers, with the embedded network.
    pub fn new(table: TranspositionTable, control: Arc<Control>, threads: usize) -> Self {
        let counters = || (0..threads.max(1)).map(|_| Counter::default()).collect();
        Self {
            table,
            control,
            network: Network::embedded(),
            ended: AtomicU64::new(0),
            current: AtomicU64::new(0),
            nodes: counters(),
            tbhits: counters(),
        }
    }

    /// The same with another network.
    #[must_use]
    pub fn with_network(self, network: Arc<Network>) -> Self {
        Self { network, ..self }
    }

    /// The number of workers this is for.
    pub fn threads(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes searched by all workers, up to a few hundred each behind.
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// The positions that all workers found in the tablebases, likewise.
    pub fn tbhits(&self) -> u64 {
        self.tbhits.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// Sets all counters to zero, before a search begins.
    pub fn reset_counters(&self) {
        self.nodes.iter().chain(&self.tbhits).for_each(|counter| counter.0.store(0, Relaxed));
        self.current.store(0, Relaxed);
    }

    /// Tells the helpers that the main worker is through with a search.
    pub fn end(&self, search: u64) {
        self.ended.fetch_max(search, Relaxed);
    }

    /// Whether the main worker is through with a search.
    pub(super) fn is_ended(&self, search: u64) -> bool {
        self.ended.load(Relaxed) >= search
    }

    /// The root move that the main worker is at, and its number from 1.
    pub fn current_move(&self) -> Option<(Move, u32)> {
        let word = self.current.load(Relaxed);
        Some((Move::from_bits(word as u16)?, (word >> 16) as u32))
    }

    pub(super) fn set_current_move(&self, mv: Move, number: usize) {
        self.current.store(u64::from(mv.bits()) | (number as u64) << 16, Relaxed);
    }

    #[inline]
    pub(super) fn publish(&self, worker: usize, nodes: u64, tbhits: u64) {
        self.nodes[worker].0.store(nodes, Relaxed);
        self.tbhits[worker].0.store(tbhits, Relaxed);
    }
}
