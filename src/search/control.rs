//! The flags by which other threads steer a search.

use std::sync::atomic::Ordering::Relaxed;

use crate::util::sync::AtomicU64;

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
    /// Creates flags under which no search is stopped.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops every search numbered up to `search`.
    pub fn stop(&self, search: u64) {
        self.stopped.fetch_max(search, Relaxed);
    }

    /// Tells every search numbered up to `search` that the opponent has played the expected move.
    pub fn ponderhit(&self, search: u64) {
        self.pondered.fetch_max(search, Relaxed);
    }

    /// Returns true if the search has been told to stop.
    #[inline(always)]
    pub fn is_stopped(&self, search: u64) -> bool {
        self.stopped.load(Relaxed) >= search
    }

    /// Returns true if the opponent has played the move that the search ponders on.
    #[inline(always)]
    pub fn is_ponderhit(&self, search: u64) -> bool {
        self.pondered.load(Relaxed) >= search
    }

    /// Forgets every stop: the fault of clearing a stop flag when a search begins, which the model checker has to find.
    #[cfg(loom)]
    pub(crate) fn clear_stop(&self) {
        self.stopped.store(0, Relaxed);
    }
}
