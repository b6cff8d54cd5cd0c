//! The flags by which other threads steer a search.

use std::sync::atomic::Ordering::Relaxed;

use crate::util::sync::AtomicU64;

/// The flags by which other threads steer a search.
///
/// Searches are numbered from 1 in the order in which they are asked for. Stopping means stopping every search up to
/// a number, so a stop can neither be lost because its search has not yet begun, nor hit a later one.
///
/// # Pondering
///
/// From `go ponder` to its best move:
///
/// 1. The job's [`Limits`](super::Limits) have `ponder` set, and its clock runs from the `go` on. Depth, nodes and mate
///    end the search, time does not (`SearchState::check_limits`). That an iteration has reached a soft limit is kept
///    in `StopConditions::ends_at_ponderhit` (`end_iteration`).
/// 2. The best move of a search that has ended is held back by the engine's thread (`Hold::is_active`).
/// 3. At `ponderhit`, the engine's handle raises the flag here and wakes its thread (`Engine::ponderhit`), which sends
///    a best move that was held back. A search in progress is from now on one like any other
///    (`SearchState::is_pondering`), or ends when it next looks at the flags, if a soft limit had been reached.
/// 4. A `stop` ends the search and releases its best move at any time.
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
