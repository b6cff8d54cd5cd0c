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
    strength::{LineHistory, Strength},
    worker_event::WorkerEvent,
};
use crate::{
    movegen::legal_moves,
    position::Position,
    search::{Job, SearchReport, SearchResult, Shared},
    syzygy::Tablebases,
    types::{Move, Score},
    util::Rng,
};

/// How long a search goes on before it shows the root move it is at.
const PROGRESS_DELAY: Duration = Duration::from_secs(3);

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
    /// The candidates to choose from, where less than full strength is wanted.
    limited: Option<Limited>,
    /// Played if the search finds nothing.
    fallback: Move,
    /// Threads that are still searching.
    running: usize,
    results: Vec<SearchResult>,
    panicked: bool,
    /// The last report of the best line.
    best_line: Option<SearchReport>,
    /// The last root move that was shown, with its number.
    current_move: Option<(Move, u32)>,
}

/// A choice among several lines, for less than full strength.
#[derive(Debug)]
pub(super) struct Limited {
    pub(super) strength: Strength,
    pub(super) lines: LineHistory,
    pub(super) rng: Rng,
}

/// A search that is over, and its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FinishedSearch {
    pub(super) hold: BestMoveHold,
    pub(super) best: Option<Move>,
    pub(super) ponder: Option<Move>,
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
            limited,
            fallback,
            running: resources.search(job),
            results: Vec::new(),
            panicked: false,
            best_line: None,
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

    fn on_report(&mut self, report: SearchReport, emit: &mut impl FnMut(Event<'_>)) {
        if let Some(limited) = &mut self.limited {
            limited.lines.push(&report);
        }
        if report.multipv <= self.multi_pv {
            emit(Event::Report(&report));
        }
        if report.multipv == 1 {
            self.best_line = Some(report);
        }
    }

    /// The root move that a long search is at, if it has changed since the last call.
    pub(super) fn progress(&mut self) -> Option<Progress> {
        let time = self.started.elapsed();
        let current = self.shared.current_move();
        if time < PROGRESS_DELAY || current == self.current_move {
            return None;
        }
        self.current_move = current;
        let (current_move, number) = current?;
        Some(Progress {
            current_move,
            number,
            nodes: self.shared.nodes(),
            time,
            hashfull: self.shared.tt.hashfull(),
            tbhits: self.shared.tbhits(),
        })
    }

    /// The answer, if no thread is searching any more.
    pub(super) fn finish_if_done(&mut self, emit: &mut impl FnMut(Event<'_>)) -> Option<FinishedSearch> {
        if self.running > 0 {
            return None;
        }
        self.report_faults(emit);
        let mut last = self.last_line();
        if let Some(line) = self.limited.as_mut().and_then(Limited::choose) {
            last = SearchReport { multipv: 1, ..line };
        }
        let best = last.pv.first().copied().unwrap_or(self.fallback);
        let ponder = last.pv.get(1).copied().or_else(|| self.expected_reply(best));
        let nodes = self.shared.nodes();
        let is_final = |shown: &SearchReport| shown.nodes == nodes && shown.pv.first() == Some(&best);
        if !self.best_line.as_ref().is_some_and(is_final) {
            let (time, hashfull) = (self.started.elapsed(), self.shared.tt.hashfull());
            emit(Event::Report(&SearchReport { nodes, time, hashfull, tbhits: self.shared.tbhits(), ..last }));
        }
        Some(FinishedSearch { hold: self.hold, best: Some(best), ponder })
    }

    fn report_faults(&self, emit: &mut impl FnMut(Event<'_>)) {
        if self.panicked {
            emit(Event::Error(GoError::WorkerPanicked.into()));
        }
        if let Some(damage) = self.tablebases.as_ref().and_then(|tables| tables.take_damage()) {
            emit(Event::Error(EngineError::DamagedTablebase(damage.to_owned())));
        }
    }

    /// The line of the thread that is trusted most: the last report, unless that thread would play another move.
    fn last_line(&mut self) -> SearchReport {
        self.results.sort_by_key(|result| result.worker);
        // With several lines, all are the main thread's: another thread's best one might be among them already.
        let trusted = if self.multi_pv > 1 { 0 } else { SearchResult::best_thread(&self.results) };
        let result = self.results.get(trusted).filter(|result| !result.pv.is_empty());
        let best = result.and_then(SearchResult::best).unwrap_or(self.fallback);
        let shown = self.best_line.clone().unwrap_or_else(|| SearchReport::bare(1, Score::ZERO, Some(best)));
        match result {
            _ if shown.pv.first() == Some(&best) => shown,
            None => SearchReport { pv: vec![best], ..shown },
            Some(result) => SearchReport {
                depth: result.depth.max(1),
                // An iteration that has hardly begun has not reached its own depth.
                seldepth: result.seldepth.max(usize::try_from(result.depth).unwrap_or_default()).max(1),
                score: result.score,
                bound: result.bound,
                pv: result.pv.clone(),
                ..shown
            },
        }
    }

    /// The reply in the transposition table: a PV that was cut short by the end of the search may have none.
    fn expected_reply(&self, best: Move) -> Option<Move> {
        let mut after = self.position.clone();
        after.play(best);
        let reply = self.shared.tt.probe(after.tt_key())?.mv?;
        legal_moves(&after).contains(&reply).then_some(reply)
    }
}

impl Limited {
    fn choose(&mut self) -> Option<SearchReport> {
        let line = self.strength.choose(self.lines.complete(), &mut self.rng)?;
        (!line.pv.is_empty()).then(|| line.clone())
    }
}
