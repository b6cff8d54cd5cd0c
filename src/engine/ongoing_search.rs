//! One search from the first report of its main thread to its best move.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::Ordering::{AcqRel, Acquire},
    },
    time::{Duration, Instant},
};

use super::{
    command::Hold,
    engine_options::EngineOptions,
    event::{Client, EngineError, Event},
};
use crate::{
    search::{Candidates, DETAILS_FROM, Job, SearchReport, SearchResult, Shared, wanted_moves},
    types::{Depth, Move, Score},
    util::{Rng, sync::AtomicU64},
};

/// A long search says how far it has come when it has been silent for this long. Its ticks may be late on a busy
/// machine, and two seconds of silence look like a fault.
const MAX_SILENCE: Duration = Duration::from_secs(1);

/// The threads that have started a search: their number, until the main thread has ended it. The others are not waited
/// for. On a busy machine a thread may not have run before the search is over.
// CITE: own. Measured here: docs/notes/performance.md.
#[derive(Debug)]
pub(super) struct StartedThreads(AtomicU64);

/// Set when no thread may begin the search any more.
const CLOSED: u64 = 1 << 63;

impl StartedThreads {
    /// Counts a thread that starts; returns false if the search is over.
    pub(super) fn start(&self) -> bool {
        self.0.fetch_update(AcqRel, Acquire, |threads| (threads & CLOSED == 0).then_some(threads + 1)).is_ok()
    }

    pub(super) fn close(&self) {
        self.0.fetch_or(CLOSED, AcqRel);
    }

    /// Returns true if the search is over and this many threads, all that had started it, have ended.
    pub(super) fn is_over_with(&self, threads: usize) -> bool {
        self.0.load(Acquire) == CLOSED | threads as u64
    }
}

/// A search in progress. Its main thread reports through it, and the engine's thread ends it.
pub(super) struct OngoingSearch {
    pub(super) job: Job,
    pub(super) hold: Hold,
    options: EngineOptions,
    shared: Arc<Shared>,
    client: Arc<dyn Client>,
    reported: Mutex<Reported>,
    pub(super) started_threads: StartedThreads,
}

/// The reports of a search so far.
#[derive(Default)]
struct Reported {
    candidates: Candidates,
    /// When something was last shown.
    last_shown: Option<Instant>,
    /// The last root move that was shown, with its number and the iteration.
    current_move: Option<(Move, u16, Depth)>,
}

impl OngoingSearch {
    pub(super) fn new(
        job: Job,
        hold: Hold,
        options: EngineOptions,
        shared: Arc<Shared>,
        client: Arc<dyn Client>,
    ) -> Self {
        let (reported, started_threads) = (Mutex::default(), StartedThreads(AtomicU64::new(0)));
        Self { job, hold, options, shared, client, reported, started_threads }
    }

    fn reported(&self) -> MutexGuard<'_, Reported> {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn emit(&self, event: &Event<'_>) {
        self.client.on_event(event, &self.options);
    }

    /// Shows a report of the main thread, from which this is called.
    pub(super) fn on_report(&self, report: SearchReport) {
        let mut reported = self.reported();
        if let Some(strength) = &self.job.strength() {
            reported.candidates.push(&report, strength);
        }
        reported.last_shown = Some(Instant::now());
        drop(reported);
        self.emit(&Event::Report(&self.wanted_lines(report)));
    }

    /// As many lines as are wanted: more may have been searched to choose from.
    fn wanted_lines(&self, mut report: SearchReport) -> SearchReport {
        report.lines.truncate(self.job.options.multi_pv);
        report
    }

    /// Tells how far a search has come if it has been silent, or if a long one is at another root move than at the last
    /// call.
    pub(super) fn report_progress(&self) {
        let mut reported = self.reported();
        let current = self.shared.current_move();
        let is_news = current != reported.current_move && self.job.started.elapsed() >= DETAILS_FROM;
        if !is_news && reported.last_shown.unwrap_or(self.job.started).elapsed() < MAX_SILENCE {
            return;
        }
        reported.current_move = current;
        let Some((current_move, number, depth)) = current else { return };
        reported.last_shown = Some(Instant::now());
        drop(reported);
        let report = self.shared.report(depth, Vec::new(), self.job.started.elapsed());
        self.emit(&Event::Progress(&report, current_move, number));
    }

    /// Ends the search in all threads; those that have not begun it never will.
    pub(super) fn close(&self) {
        self.shared.end(self.job.search_id);
        self.started_threads.close();
    }

    /// The last lines, the first of which is the answer, when no thread is searching any more. An answer that is held
    /// back is shown without a choice among the lines until it is asked for.
    pub(super) fn finish(&self, results: Vec<Option<SearchResult>>, rng: &mut Rng) -> SearchReport {
        if results.iter().any(Option::is_none) {
            self.emit(&Event::Error(EngineError::WorkerPanicked));
        }
        let tables = self.job.options.syzygy.tables.as_ref();
        if let Some(damage) = tables.and_then(|tables| tables.take_damage()) {
            self.emit(&Event::Error(EngineError::DamagedTablebase(damage.to_owned())));
        }
        let mut report = self.last_report(results.into_iter().flatten().collect());
        if self.hold.is_active(&self.shared.control) {
            self.emit(&Event::Report(&self.last_lines(report.clone())));
        }
        if let Some(strength) = &self.job.strength() {
            let candidates = &mut self.reported().candidates;
            candidates.push(&report, strength);
            if let Some(chosen) = strength.choose(&candidates.lines, rng) {
                // Its line becomes the first, and leaves its place among the others.
                let place = report.lines.iter().position(|line| line.pv.first() == chosen.pv.first());
                let first = place.map_or_else(|| chosen.clone(), |place| report.lines.remove(place));
                report.lines.insert(0, first);
            }
        }
        self.last_lines(report)
    }

    /// The wanted lines, each as long as it can be.
    fn last_lines(&self, report: SearchReport) -> SearchReport {
        let mut report = self.wanted_lines(report);
        self.shared.complete_pvs(&self.job.position, &mut report.lines);
        report
    }

    /// The lines of the thread that is trusted most, with what all of them have searched.
    fn last_report(&self, mut results: Vec<SearchResult>) -> SearchReport {
        let Job { position, limits, .. } = &self.job;
        results.sort_by_key(|result| result.thread_id);
        // Of several lines, another thread's best one might be among the main thread's already. Who asks for a depth
        // gets a line of that depth, and the helpers' may be less deep.
        // CITE: Stockfish - no vote with MultiPV or `go depth`.
        let main_thread_decides = self.job.pv_count() > 1 || limits.depth.is_some();
        let trusted = if main_thread_decides { 0 } else { SearchResult::best_thread(&results) };
        let (depth, lines) = match results.get(trusted).filter(|result| !result.lines.is_empty()) {
            Some(result) => (result.depth, result.lines.clone()),
            None => (1, SearchReport::bare(1, Score::ZERO, wanted_moves(position, limits).first().copied()).lines),
        };
        self.shared.report(depth, lines, self.job.started.elapsed())
    }
}
