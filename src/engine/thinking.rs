//! The part of the player that is about searches: starting them, hearing of them, and telling their moves in time.

use std::{
    mem,
    time::{Duration, Instant},
};

use super::{
    Engine, Event, Go, GoRequest, Style,
    pool::News,
    strength::{Lines, Strength},
};
use crate::{
    clock::Limits,
    movegen::legal_moves,
    notation::UciMove,
    position::Position,
    search::{Job, SearchOptions, SearchReport, SearchResult},
    tt::Bound,
    types::{Color, Depth, Move, Score},
};

/// How long a search goes on before it tells which root move it is at.
const QUIET_TIME: Duration = Duration::from_secs(3);

/// What the engine is about.
pub(super) enum State {
    Idle,
    /// A searcher is at work.
    Searching(Search),
    /// The search is over, but its move must not be told before a stop or a ponderhit.
    Holding(Search, Answer),
    /// A task is at work.
    Working,
}

/// What the engine remembers of the search in progress.
pub(super) struct Search {
    id: u64,
    /// Nothing of its own ends it.
    infinite: bool,
    /// Nothing of its own ends it before the ponderhit.
    ponder: bool,
    /// Played if the search comes to nothing.
    fallback: Option<Move>,
    /// The last report of the best line.
    shown: Option<SearchReport>,
    /// How many of the best lines are shown.
    multi_pv: usize,
    /// How well to play, and what there is to choose from, if not as well as possible.
    weakened: Option<(Strength, Lines)>,
    /// Threads that are still searching.
    running: usize,
    results: Vec<SearchResult>,
    broke_down: bool,
    style: Style,
    started: Instant,
    /// The last root move that was shown, with its number.
    current: Option<(Move, u32)>,
}

/// What a search came to.
#[derive(Default)]
pub(super) struct Answer {
    best: Option<Move>,
    ponder: Option<Move>,
}

impl<E: FnMut(Event<'_>)> Engine<E> {
    /// Begins a search. Where there is nothing to search, it is over at once, though its end may have to wait.
    pub(super) fn start(&mut self, go: Go) {
        let Go { id, received, request } = go;
        let Some(position) = self.position.clone() else {
            self.complain("there is no position to search, since the last one could not be set up");
            // Whose clock runs is not known.
            let infinite = Color::ALL.into_iter().all(|side| is_endless(&request.limits, side));
            let limits = Limits { infinite, ..request.limits };
            return self.hold(self.new_search(id, received, &limits, None), Answer::default());
        };
        let limits = self.limits(request, &position);
        if self.debug {
            self.message(format!("search {id}: {limits}"));
        }
        let fallback = limits.search_moves.first().copied().or_else(|| legal_moves(&position).first().copied());
        let search = self.new_search(id, received, &limits, fallback);
        if fallback.is_none() {
            let score = if position.in_check() { Score::mated_in(0) } else { Score::ZERO };
            self.say(Event::Report { report: &bare_report(0, score, None), style: search.style });
            return self.hold(search, Answer::default());
        }
        let candidates = search.weakened.as_ref().map_or(1, |(strength, _)| strength.candidates);
        let options = SearchOptions {
            multi_pv: self.options.multi_pv.max(candidates),
            move_overhead: self.options.move_overhead,
            syzygy: self.options.syzygy.clone(),
        };
        self.shared.table.new_search();
        self.shared.reset_counters();
        let running = self.pool.search(Job { search_id: id, position, limits, options, started: received });
        self.state = State::Searching(Search { running, ..search });
        if running == 0 {
            self.conclude();
        }
        if self.leaving {
            self.stop_endless();
        }
    }

    /// What `go` and the options allow a search of `position`.
    fn limits(&mut self, request: GoRequest, position: &Position) -> Limits {
        let mut limits = request.limits;
        if let Some(wanted) = request.search_moves {
            limits.search_moves = self.root_moves(position, &wanted);
        }
        // Even a search of no depth or no nodes must find a move.
        limits.depth = limits.depth.map(|depth| depth.max(1));
        limits.depth = limits.mate.map(deepest_for_mate).into_iter().chain(limits.depth).min();
        limits.infinite = is_endless(&limits, position.side_to_move());
        if let Some(strength) = self.options.strength() {
            limits.soft_nodes = Some(strength.nodes);
            limits.nodes = limits.nodes.into_iter().chain([strength.hard_nodes()]).min();
        }
        limits
    }

    fn new_search(&self, id: u64, started: Instant, limits: &Limits, fallback: Option<Move>) -> Search {
        Search {
            id,
            infinite: limits.infinite,
            ponder: limits.ponder,
            fallback,
            shown: None,
            multi_pv: self.options.multi_pv,
            weakened: self.options.strength().map(|strength| (strength, Lines::default())),
            running: 0,
            results: Vec::new(),
            broke_down: false,
            style: self.options.style(),
            started,
            current: None,
        }
    }

    /// Ends a search with an answer that is told as soon as it may be.
    fn hold(&mut self, search: Search, answer: Answer) {
        self.state = State::Holding(search, answer);
        self.release();
        if self.leaving {
            self.stop_endless();
        }
    }

    /// The legal ones of the moves after `searchmoves`; without any, all moves are searched.
    fn root_moves(&mut self, position: &Position, wanted: &[UciMove]) -> Vec<Move> {
        let mut moves = Vec::new();
        for &spelled in wanted {
            match spelled.find(position) {
                Some(mv) if moves.contains(&mv) => {}
                Some(mv) => moves.push(mv),
                None => self.complain(format_args!("skipped `searchmoves {spelled}`, which is illegal here")),
            }
        }
        if moves.is_empty() {
            self.complain("`searchmoves` names no legal move, so all are searched");
        }
        moves
    }

    /// Takes in what a searcher or a task says.
    pub(super) fn hear(&mut self, news: News) {
        match (news, &mut self.state) {
            (News::Report { id, report }, State::Searching(search)) if search.id == id => {
                let style = search.style;
                if report.multipv == 1 {
                    search.shown = Some(report.clone());
                }
                if let Some((_, lines)) = &mut search.weakened {
                    lines.note(&report);
                }
                if report.multipv <= search.multi_pv {
                    self.say(Event::Report { report: &report, style });
                }
            }
            (News::Done { id, result }, State::Searching(search)) if search.id == id => {
                search.running -= 1;
                search.broke_down |= result.is_none();
                search.results.extend(result);
                if search.running == 0 {
                    self.conclude();
                }
            }
            (News::TaskDone, State::Working) => self.state = State::Idle,
            (news, _) => log::error!("nobody waits for {news:?}"),
        }
    }

    /// Tells how far a long search has come, if it has begun with another root move since it was last told.
    pub(super) fn show_progress(&mut self) {
        let State::Searching(search) = &mut self.state else { return };
        let time = search.started.elapsed();
        let current = self.shared.current_move();
        if time < QUIET_TIME || current == search.current {
            return;
        }
        search.current = current;
        let style = search.style;
        let Some((current, number)) = current else { return };
        let (nodes, tbhits) = (self.shared.nodes(), self.shared.tbhits());
        let hashfull = self.shared.table.hashfull();
        self.say(Event::Progress { current, number, nodes, time, hashfull, tbhits, style });
    }

    /// All threads are through: chooses among their results.
    fn conclude(&mut self) {
        let State::Searching(mut search) = mem::replace(&mut self.state, State::Idle) else { return };
        search.results.sort_by_key(|result| result.worker);
        if search.broke_down {
            self.complain("the search broke down, which should be reported as a bug");
        }
        if let Some(tables) = self.options.syzygy.tables.clone()
            && let Some(complaint) = tables.complaint()
        {
            self.complain(complaint);
        }
        // Of several lines, all are the main thread's: another's best one might be among them already.
        let elected = if search.multi_pv > 1 { 0 } else { SearchResult::best_thread(&search.results) };
        let best = search.results.get(elected).and_then(SearchResult::best).or(search.fallback);
        let mut last = final_report(&search, elected, best);
        let mut answer = Answer { best, ponder: last.pv.get(1).copied() };
        let choice = search.weakened.as_ref().and_then(|(level, lines)| level.choose(lines.complete(), &mut self.rng));
        if let Some(line) = choice.filter(|line| !line.pv.is_empty()) {
            answer = Answer { best: line.pv.first().copied(), ponder: line.pv.get(1).copied() };
            last = SearchReport { multipv: 1, ..line.clone() };
        }
        let nodes = self.shared.nodes();
        let is_last_word = |shown: &SearchReport| shown.nodes == nodes && shown.pv.first() == answer.best.as_ref();
        if !search.shown.as_ref().is_some_and(is_last_word) {
            let (time, hashfull) = (search.started.elapsed(), self.shared.table.hashfull());
            let report = SearchReport { nodes, time, hashfull, tbhits: self.shared.tbhits(), ..last };
            self.say(Event::Report { report: &report, style: search.style });
        }
        answer.ponder = answer.ponder.or_else(|| self.expected_reply(answer.best?));
        self.hold(search, answer);
    }

    /// What the hash table holds for the best answer to a move. A variation that was cut short by the end of the search
    /// may have none.
    fn expected_reply(&self, best: Move) -> Option<Move> {
        let mut after = self.position.clone()?;
        after.play(best);
        let reply = self.shared.table.probe(after.tt_key())?.mv?;
        legal_moves(&after).contains(&reply).then_some(reply)
    }

    /// Tells the move of a finished search, unless it still has to wait.
    pub(super) fn release(&mut self) {
        let State::Holding(search, answer) = &self.state else { return };
        if self.is_endless() {
            return;
        }
        let event = Event::BestMove { best: answer.best, ponder: answer.ponder, chess960: search.style.chess960 };
        self.state = State::Idle;
        self.say(event);
    }

    pub(super) fn is_searching(&self) -> bool {
        matches!(self.state, State::Searching(_) | State::Holding(..))
    }

    /// Whether a search is in progress, or held back, that nothing but a command will end.
    pub(super) fn is_endless(&self) -> bool {
        match &self.state {
            State::Searching(search) | State::Holding(search, _) => {
                let endless = search.infinite || search.ponder && !self.control.is_ponderhit(search.id);
                endless && !self.control.is_stopped(search.id)
            }
            State::Idle | State::Working => false,
        }
    }

    /// Stops the search in progress if nothing else will, now that no more commands come.
    pub(super) fn stop_endless(&mut self) {
        if let State::Searching(search) | State::Holding(search, _) = &self.state
            && self.is_endless()
        {
            self.control.stop(search.id);
            self.release();
        }
    }
}

/// Whether a search will not end by itself, the expected move being played.
fn is_endless(limits: &Limits, side: Color) -> bool {
    Limits { ponder: false, ..limits.clone() }.is_unbounded(side)
}

/// The deepest iteration of a search for a mate in so many `moves`, in plies: one that was not found by then is given
/// up.
///
/// A full-width search would prove it at depth `2 * moves - 1`. Ours reduces quiet moves, so that a mate with quiet ones
/// in it shows some iterations later: up to 16 in problems of two to five moves.
fn deepest_for_mate(moves: u32) -> Depth {
    const MARGIN: i64 = 20;
    Depth::try_from(2 * i64::from(moves) + MARGIN).unwrap_or(Depth::MAX)
}

/// The last word of a search that went on after its last report, or whose move is not the one that was shown: another
/// thread's, or a makeshift.
fn final_report(search: &Search, elected: usize, best: Option<Move>) -> SearchReport {
    let shown = search.shown.clone().unwrap_or_else(|| bare_report(1, Score::ZERO, best));
    if shown.pv.first() == best.as_ref() {
        return shown;
    }
    match search.results.get(elected) {
        Some(result) => SearchReport {
            depth: result.depth.max(1),
            // An iteration that was hardly begun has not come far.
            seldepth: result.seldepth.max(usize::try_from(result.depth).unwrap_or_default()).max(1),
            score: result.score,
            bound: Bound::Exact,
            pv: result.pv.clone(),
            ..shown
        },
        None => SearchReport { pv: best.into_iter().collect(), ..shown },
    }
}

/// A report of a search that had nothing to search, or no time to report.
fn bare_report(depth: Depth, score: Score, best: Option<Move>) -> SearchReport {
    SearchReport {
        depth,
        seldepth: usize::try_from(depth).unwrap_or_default(),
        multipv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        time: Duration::ZERO,
        hashfull: 0,
        tbhits: 0,
        pv: best.into_iter().collect(),
    }
}
