//! Aspiration windows.

use super::{
    lines::report_details,
    node::{RootNode, search_node},
    report::OnReport,
    search_state::Aborted,
    window::Window,
    worker::Worker,
};
use crate::{
    params,
    types::{Bound, Score},
};

/// Aspiration windows: searches the root with a window around the previous score, and again with a wider one as long as
/// the score lies outside. After a fail high, the depth is reduced: the move is good, and only how good is open.
// CITE: Gérard Baudet - aspiration; Stockfish, by way of akimbo and Berserk - less depth after a fail high, beta to the
// middle after a fail low; Reckless - window and growth. Measured here: half-width 12 with growth 512 against 19 with
// 558, SPRT of 3,694 games at 30,000 nodes a move, +11.0 ± 7.4 Elo.
pub(super) fn aspiration_search(worker: &mut Worker, on_report: &mut OnReport<'_>) -> Result<(), Aborted> {
    let root = &worker.state.root;
    let depth = root.depth;
    let previous = root.moves[root.pv_index].previous;
    let mut delta = params::aspiration_window();
    let mut window = Window::FULL;
    if depth >= params::aspiration_min_depth() && !previous.is_decisive() {
        window = Window { alpha: aspiration_alpha(previous, delta), beta: aspiration_beta(previous, delta) };
    }
    let mut reduction = 0;
    loop {
        let result = search_node::<RootNode>(worker, window, (depth - reduction).max(1), 0, false);
        worker.state.root.sort_candidates();
        let score = result?;
        match window.bound(score) {
            Bound::Exact => return Ok(()),
            Bound::Upper => {
                window.beta = Score((window.alpha.0 + window.beta.0) / 2);
                window.alpha = aspiration_alpha(score, delta);
                reduction = 0;
            }
            Bound::Lower => {
                window.beta = aspiration_beta(score, delta);
                reduction = (reduction + 1).min(params::aspiration_max_reduction());
            }
        }
        report_details(worker, on_report, true);
        delta += delta * params::aspiration_growth() / 1024;
    }
}

/// The alpha of an aspiration window. Beyond the range of evaluations it opens fully, as decisive scores lie far apart.
fn aspiration_alpha(score: Score, delta: i32) -> Score {
    let end = score - delta;
    if end < -Score::MAX_EVAL || delta > params::aspiration_max_window() { -Score::INFINITE } else { end }
}

/// The beta of an aspiration window; it opens fully in the same cases.
fn aspiration_beta(score: Score, delta: i32) -> Score {
    let end = score + delta;
    if end > Score::MAX_EVAL || delta > params::aspiration_max_window() { Score::INFINITE } else { end }
}
