use crate::search::{SearchReport, SearchResult};

/// An event from a search thread or a task.
#[derive(Debug)]
pub(super) enum WorkerEvent {
    /// A line that a search has found.
    Report { search_id: u64, report: SearchReport },
    /// One thread has ended a search; without a result if it panicked, which is a bug, but no reason to lose the game.
    Done { search_id: u64, result: Option<SearchResult> },
    /// The task in progress has ended.
    TaskDone,
}
