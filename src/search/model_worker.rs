//! A search thread's worker as a model checker needs it: it looks at the flags as the search does, and searches
//! nothing.

use std::{cell::Cell, io, sync::Arc};

use super::{
    job::Job,
    report::{SearchReport, SearchResult},
    shared::Shared,
};
use crate::{
    movegen::legal_moves,
    types::{Depth, Score},
    util::sync::thread::yield_now,
};

thread_local! {
    /// True for a wrong version, which clears the stop flag when a search begins. A model runs in one thread of the
    /// system.
    pub(crate) static CLEARS_STOP: Cell<bool> = const { Cell::new(false) };
}

/// Stands for [`super::worker::Worker`].
pub(crate) struct Worker {
    shared: Arc<Shared>,
    thread_id: usize,
}

impl Worker {
    pub(crate) fn new(shared: Arc<Shared>, thread_id: usize) -> io::Result<Self> {
        Ok(Self { shared, thread_id })
    }

    pub(crate) fn new_game(&mut self) {}

    pub(crate) fn set_shared(&mut self, shared: Arc<Shared>) {
        self.shared = shared;
    }

    /// Looks at the flags until it is stopped, or as often as the depth says. Time is up at once, but not while
    /// pondering.
    pub(crate) fn search(&mut self, job: &Job, report: Option<&mut dyn FnMut(SearchReport)>) -> SearchResult {
        let (id, limits, control) = (job.search_id, &job.limits, &self.shared.control);
        if CLEARS_STOP.get() {
            control.clear_stop();
        }
        let best = legal_moves(&job.position).first().copied();
        let line = SearchReport::bare(1, Score::ZERO, best);
        if let Some(report) = report.filter(|_| self.thread_id == 0) {
            report(line.clone());
        }
        let is_over = |looks: Depth| {
            let pondering = limits.ponder && !control.is_ponderhit(id);
            limits.depth.is_some_and(|depth| looks >= depth) || limits.move_time.is_some() && !pondering
        };
        let mut looks = 0;
        while !control.is_stopped(id) && !is_over(looks) {
            looks += 1;
            yield_now();
        }
        self.shared.end(id);
        let (thread_id, score, bound) = (self.thread_id, line.lines[0].score, line.lines[0].bound);
        SearchResult { thread_id, score, bound, depth: 1, nodes: 0, lines: line.lines }
    }
}
