//! The lines and the report of a search, from its root moves.

use std::slice;

use super::{
    report::{DETAILS_FROM, Line, OnReport, SearchReport},
    root::RootMove,
    search_state::SearchState,
    shared::Shared,
    tablebases::{CURSED_WIN, TablebaseState},
    tree::Tree,
    worker::Worker,
};
use crate::{
    eval::evaluate,
    outcome::Outcome,
    position::Position,
    types::{Bound, Move, Score},
};

/// A report of the search so far. If `failed`, the current PV has failed high or low, and has that bound.
pub(super) fn current_report(worker: &mut Worker, failed: bool) -> SearchReport {
    worker.state.publish();
    let lines = shown_lines(worker, failed.then_some(worker.state.root.pv_index));
    worker.state.shared.report(worker.state.root.completed_depth, lines, worker.state.stop.clock.elapsed())
}

/// Reports from within a long iteration; `failed` as in [`current_report`].
pub(super) fn report_details(worker: &mut Worker, on_report: &mut OnReport<'_>, failed: bool) {
    if worker.state.is_main()
        && let Some(on_report) = on_report
        && worker.state.stop.clock.elapsed() >= DETAILS_FROM
    {
        on_report(current_report(worker, failed));
    }
}

/// The lines, each root move once, in order of score: none has a lower score than the one below it, and a mate is shown
/// only with its own moves. `failed` is the PV that has just failed high or low.
pub(super) fn shown_lines(worker: &mut Worker, failed: Option<usize>) -> Vec<Line> {
    let Worker { tree, state } = worker;
    let mut lines: Vec<Line> =
        (0..state.root.pv_count).map(|index| line_of(tree, state, index, failed == Some(index))).collect();
    restore_order(state, &mut lines);
    let searched = lines.into_iter().zip(&state.root.moves);
    searched.map(|(line, root_move)| with_known_result(&tree.position, state, line, root_move)).collect()
}

/// The line of a root move: its last exact score; a proven win of this iteration before that; if it has `failed`, this
/// iteration's score.
fn line_of(tree: &mut Tree, state: &SearchState, index: usize, failed: bool) -> Line {
    let root_move = &state.root.moves[index];
    let current = current_line(state, root_move);
    let proven = current.clone().filter(|_| !failed).and_then(|line| proven_win(&tree.position, &state.shared, line));
    let exact = root_move.exact.clone().filter(|_| !failed);
    proven.or(exact).or(current).unwrap_or_else(|| {
        // Never searched: it is not known to be as good as the move that the search began with.
        let score = evaluate(&tree.position, &mut tree.accumulators);
        Line::new(1, 1, score, if index == 0 { Bound::Exact } else { Bound::Upper }, root_move.pv.clone())
    })
}

/// The line of a fail high that is shown as exact: a win by the tablebases, since there may be a quicker one after
/// every search, or a mate if the moves up to it are known.
fn proven_win(root: &Position, shared: &Shared, mut line: Line) -> Option<Line> {
    if line.bound != Bound::Lower {
        return None;
    }
    if line.score.is_mate() {
        shared.complete_pvs(root, slice::from_mut(&mut line));
    } else if line.score.is_win() {
        line.bound = Bound::Exact;
    }
    (line.bound == Bound::Exact).then_some(line)
}

/// The line of a root move by its score of this iteration, which may be a bound; `None` if it has none. The PV of a
/// fail high may be cut off: the longest one known is taken.
fn current_line(state: &SearchState, root_move: &RootMove) -> Option<Line> {
    let known = root_move.exact.as_ref().map_or(&root_move.pv, |exact| &exact.pv);
    let pv = if known.len() > root_move.pv.len() { known } else { &root_move.pv };
    let (depth, seldepth) = (state.root.depth, state.counters.seldepth.max(1));
    let line = || Line::new(depth, seldepth, root_move.score, root_move.bound, pv.clone());
    (root_move.score != -Score::INFINITE).then(line)
}

/// Restores the order of the scores, some of which may be of the iteration before. The order of the root moves is
/// right: it is that of the later iteration.
fn restore_order(state: &SearchState, lines: &mut [Line]) {
    // A move that stands above another only by its fail high shows the score of the one below, or that of the fail high
    // if it is lower. The loop runs upwards, because each move is compared with what the one below it shows.
    for index in (1..lines.len()).rev() {
        let (above, below) = (&state.root.moves[index - 1], lines[index].score);
        if lines[index - 1].score < below
            && lines[index - 1].bound == Bound::Exact
            && above.bound == Bound::Lower
            && let Some(line) = current_line(state, above)
        {
            let score = line.score.min(below);
            let bound = if score.is_mate() { Bound::Lower } else { Bound::Exact };
            lines[index - 1] = Line { score, searched_score: score, bound, ..line };
        }
    }
    // A move that this iteration has not searched as a PV is no better than the one above it, and shows at most that
    // score. If it is a mate, the move does not lead to it: the score is an upper bound.
    for index in 1..lines.len() {
        let above = lines[index - 1].score;
        let line = &mut lines[index];
        if above < line.score {
            (line.score, line.searched_score) = (above, above);
            line.bound = if above.is_mate() { Bound::Upper } else { line.bound };
        }
    }
}

/// The line of a root move as it is reported: with the result by the rules or by the tablebases, unless the search has
/// found a mate. A cursed win or blessed loss is a draw.
pub(super) fn with_known_result(root: &Position, state: &SearchState, line: Line, root_move: &RootMove) -> Line {
    let searched = line.score;
    let line = Line { tablebase_order: root_move.tablebase_order(), searched_score: searched, ..line };
    let draw = |line| Line { score: Score::ZERO, bound: Bound::Exact, is_draw: true, ..line };
    if state.root.is_draw && !(root.is_fifty_move_draw() && searched.is_mate()) {
        return draw(line);
    }
    match root_move.tablebase_rank {
        Some(rank) if !searched.is_mate() => match state.tablebases.score(rank.result, 0).0 {
            score if score.is_decisive() => Line { score, bound: Bound::Exact, ..line },
            _ => draw(line),
        },
        None if line.bound == Bound::Exact
            && searched.0.abs() <= CURSED_WIN.0
            && ends_in_draw(root, &state.tablebases, &line.pv) =>
        {
            draw(line)
        }
        // The search varies the scores of draws (`draw_score`). Scores this close to zero are shown as zero, as proven
        // draws are, so that the lines stay in order.
        _ if searched.0.abs() <= CURSED_WIN.0 => Line { score: Score::ZERO, ..line },
        _ => line,
    }
}

/// Returns true if the line ends in a draw by the rules or by the tablebases.
fn ends_in_draw(root: &Position, tablebases: &TablebaseState, pv: &[Move]) -> bool {
    let mut end = root.clone();
    pv.iter().for_each(|&mv| end.make(mv));
    let tables = tablebases.options.tablebases_for(end.board().occupied().len());
    let is_drawn = |result| !tablebases.score(result, 0).0.is_decisive();
    end.outcome() == Some(Outcome::Draw) || tables.and_then(|tables| tables.probe_wdl(&end)).is_some_and(is_drawn)
}
