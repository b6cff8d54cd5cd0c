//! The progress of a run: a bar on a terminal, otherwise a line a minute.

use std::{
    io::{self, Write as _},
    time::{Duration, Instant},
};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use super::options::{DatagenOptions, Totals};

/// Time between two lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// Prints a line on standard error. A run goes on without a reader of its progress.
pub(crate) fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Displays the number of games and positions, the rate and the time left.
pub(super) struct ProgressDisplay {
    bar: ProgressBar,
    games: Option<u64>,
    positions: Option<u64>,
    /// The totals at the start of this run.
    before: Totals,
    started: Instant,
    last_line: Instant,
}

impl ProgressDisplay {
    pub(super) fn new(options: &DatagenOptions, before: Totals) -> Self {
        // Hidden unless standard error is a terminal.
        let bar = ProgressBar::no_length();
        let template = "{wide_bar} {human_pos}/{human_len} positions, {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let now = Instant::now();
        let progress =
            Self { bar, games: options.games, positions: options.positions, before, started: now, last_line: now };
        progress.draw(before, 0);
        progress
    }

    /// Displays the totals, of which this run has searched `nodes`.
    pub(super) fn show(&mut self, totals: Totals, nodes: u64) {
        self.draw(totals, nodes);
        if self.bar.is_hidden() && self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            note(&self.line(totals, nodes));
        }
    }

    pub(super) fn finish(&self, totals: Totals, nodes: u64) {
        self.bar.finish_and_clear();
        note(&self.line(totals, nodes));
    }

    fn draw(&self, totals: Totals, nodes: u64) {
        if let Some(expected) = self.expected(totals) {
            self.bar.set_length(expected.max(totals.positions));
        }
        self.bar.set_message(self.message(totals, nodes));
        self.bar.set_position(totals.positions);
    }

    fn line(&self, totals: Totals, nodes: u64) -> String {
        format!("{} positions, {}", HumanCount(totals.positions), self.message(totals, nodes))
    }

    fn message(&self, totals: Totals, nodes: u64) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let positions = totals.positions - self.before.positions;
        let rate = positions as f64 / seconds.max(1e-3);
        let nodes = nodes as f64 / positions.max(1) as f64;
        let left = self.expected(totals).filter(|_| rate > 0.0).map_or_else(String::new, |expected| {
            let seconds = expected.saturating_sub(totals.positions) as f64 / rate;
            // Capped at a century, since larger values overflow a duration.
            format!(", {} left", HumanDuration(Duration::from_secs_f64(seconds.min(3e9))))
        });
        format!("{} games, {rate:.0} positions/s, {nodes:.0} nodes/position{left}", HumanCount(totals.games))
    }

    /// The estimated number of positions at the end of the run; none if it has no end.
    fn expected(&self, totals: Totals) -> Option<u64> {
        let games = self.games.filter(|_| totals.games > 0);
        let by_games = games.map(|games| (games as f64 * totals.positions as f64 / totals.games as f64) as u64);
        by_games.into_iter().chain(self.positions).min()
    }
}
