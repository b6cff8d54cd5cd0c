//! One search from the first report of its threads to its best move.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    best_move_hold::BestMoveHold,
    error::{EngineError, GoError},
    event::{Event, Progress},
    resources::Resources,
    strength::{Candidates, Strength},
    worker_event::WorkerEvent,
};
use crate::{
    position::Position,
    search::{DETAILS_FROM, Job, Line, SearchReport, SearchResult, Shared},
    syzygy::Tablebases,
    types::{Depth, Move, Score},
    util::Rng,
};

/// A long search says how far it has come when it has been silent for this long. Its ticks may be late on a busy
/// machine, and two seconds of silence look like a fault.
const MAX_SILENCE: Duration = Duration::from_secs(1);

/// A search in progress: what its threads have reported so far.
#[derive(Debug)]
pub(super) struct OngoingSearch {
    hold: BestMoveHold,
    started: Instant,
    position: Position,
    shared: Arc<Shared>,
    tablebases: Option<Arc<Tablebases>>,
    /// How many of the best lines are shown.
    multi_pv: usize,
    /// True if several are searched.
    has_several_lines: bool,
    /// The candidates to choose from, where less than full strength is wanted.
    limited: Option<Limited>,
    /// Played if the search finds nothing.
    fallback: Move,
    /// Threads that are still searching.
    running: usize,
    results: Vec<SearchResult>,
    panicked: bool,
    /// When the last report or progress was shown.
    last_shown: Instant,
    /// The last root move that was shown, with its number and the iteration.
    current_move: Option<(Move, u16, Depth)>,
}

/// A choice among several lines, for less than full strength.
#[derive(Debug)]
pub(super) struct Limited {
    pub(super) strength: Strength,
    pub(super) candidates: Candidates,
    pub(super) rng: Rng,
}

/// A search that is over, and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FinishedSearch {
    pub(super) hold: BestMoveHold,
    /// The last lines, the first of which is the answer; `None` where there is no position.
    pub(super) report: Option<SearchReport>,
}

impl OngoingSearch {
    /// Hands a job to the search threads. `multi_pv` lines are shown, though more may be searched for `limited`.
    pub(super) fn start(
        job: Job,
        resources: &mut Resources,
        fallback: Move,
        multi_pv: usize,
        limited: Option<Limited>,
    ) -> Self {
        Self {
            hold: BestMoveHold::new(job.search_id, &job.limits),
            started: job.started,
            position: job.position.clone(),
            shared: resources.shared().clone(),
            tablebases: job.options.syzygy.tables.clone(),
            multi_pv,
            has_several_lines: job.options.multi_pv > 1,
            limited,
            fallback,
            running: resources.search(job),
            results: Vec::new(),
            panicked: false,
            last_shown: Instant::now(),
            current_move: None,
        }
    }

    pub(super) fn hold(&self) -> BestMoveHold {
        self.hold
    }

    /// Takes in what a search thread says. Returns the answer when the last thread is done.
    pub(super) fn on_event(&mut self, event: WorkerEvent, emit: &mut impl FnMut(Event<'_>)) -> Option<FinishedSearch> {
        match event {
            WorkerEvent::Report { search_id, report } if search_id == self.hold.search_id => {
                self.on_report(report, emit);
                None
            }
            WorkerEvent::Done { search_id, result } if search_id == self.hold.search_id => {
                self.running = self.running.saturating_sub(1);
                self.panicked |= result.is_none();
                self.results.extend(result);
                self.finish_if_done(emit)
            }
            event => {
                log::error!("search {} got {event:?}", self.hold.search_id);
                None
            }
        }
    }

    fn on_report(&mut self, mut report: SearchReport, emit: &mut impl FnMut(Event<'_>)) {
        if let Some(limited) = &mut self.limited {
            limited.candidates.push(&report, &limited.strength);
        }
        report.lines.truncate(self.multi_pv);
        self.last_shown = Instant::now();
        emit(Event::Report(&report));
    }

    /// How far a long search has come, if it is at another root move than at the last call or has been silent since.
    pub(super) fn progress(&mut self) -> Option<Progress> {
        let time = self.started.elapsed();
        let current = self.shared.current_move();
        let is_due = current != self.current_move || self.last_shown.elapsed() >= MAX_SILENCE;
        if time < DETAILS_FROM || !is_due {
            return None;
        }
        self.current_move = current;
        let (current_move, number, depth) = current?;
        self.last_shown = Instant::now();
        Some(Progress {
            depth,
            current_move,
            number,
            nodes: self.shared.nodes(),
            time,
            hashfull: self.shared.tt.hashfull(),
            tbhits: self.shared.tbhits(),
        })
    }

    /// The answer, if no thread is searching any more. One that is held back is shown without a choice among its lines
    /// until it is asked for.
    pub(super) fn finish_if_done(&mut self, emit: &mut impl FnMut(Event<'_>)) -> Option<FinishedSearch> {
        if self.running > 0 {
            return None;
        }
        self.report_faults(emit);
        let mut report = self.last_report();
        if self.hold.is_active(&self.shared.control) {
            emit(Event::Report(&self.shown(report.clone())));
        }
        if let Some(limited) = &mut self.limited {
            limited.candidates.push(&report, &limited.strength);
            limited.put_choice_first(&mut report.lines);
        }
        Some(FinishedSearch { hold: self.hold, report: Some(self.shown(report)) })
    }

    /// The report as it is shown: so many lines, each as long as it can be.
    fn shown(&self, mut report: SearchReport) -> SearchReport {
        report.lines.truncate(self.multi_pv);
        self.shared.complete_pvs(&self.position, &mut report.lines);
        report
    }

    fn report_faults(&self, emit: &mut impl FnMut(Event<'_>)) {
        if self.panicked {
            emit(Event::Error(GoError::WorkerPanicked.into()));
        }
        if let Some(damage) = self.tablebases.as_ref().and_then(|tables| tables.take_damage()) {
            emit(Event::Error(EngineError::DamagedTablebase(damage.to_owned())));
        }
    }

    /// The lines of the thread that is trusted most, with what all of them have searched.
    fn last_report(&mut self) -> SearchReport {
        self.results.sort_by_key(|result| result.worker);
        // Of several lines, another thread's best one might be among the main thread's already.
        let trusted = if self.has_several_lines { 0 } else { SearchResult::best_thread(&self.results) };
        let result = self.results.get(trusted).filter(|result| !result.lines.is_empty());
        let bare = || SearchReport::bare(1, Score::ZERO, Some(self.fallback));
        let found = |result: &SearchResult| SearchReport { depth: result.depth, lines: result.lines.clone(), ..bare() };
        SearchReport {
            nodes: self.shared.nodes(),
            time: self.started.elapsed(),
            hashfull: self.shared.tt.hashfull(),
            tbhits: self.shared.tbhits(),
            ..result.map_or_else(bare, found)
        }
    }
}

impl Limited {
    /// Chooses the move to play. Its line becomes the first, and leaves its place among the others.
    fn put_choice_first(&mut self, lines: &mut Vec<Line>) {
        let Some(chosen) = self.strength.choose(self.candidates.lines(), &mut self.rng) else { return };
        let place = lines.iter().position(|line| line.pv.first() == chosen.pv.first());
        let first = place.map_or_else(|| chosen.clone(), |place| lines.remove(place));
        lines.insert(0, first);
    }
}

impl FinishedSearch {
    /// The move to play; `None` where there is no legal one, or no position.
    pub(super) fn best(&self) -> Option<Move> {
        self.pv().first().copied()
    }

    /// The expected reply, to ponder on.
    pub(super) fn ponder(&self) -> Option<Move> {
        self.pv().get(1).copied()
    }

    fn pv(&self) -> &[Move] {
        let line = self.report.as_ref().and_then(|report| report.lines.first());
        line.map_or(&[], |line| &line.pv)
    }
}
