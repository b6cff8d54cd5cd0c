//! The progress of a run: a bar on a terminal, otherwise a line a minute.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use super::output::Progress;
use crate::datagen::note;

/// Time between two lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// Displays the part of a file that is labelled, the rate and the time left.
pub(super) struct Display {
    bar: ProgressBar,
    name: String,
    before: Progress,
    started: Instant,
    last_line: Instant,
}

impl Display {
    pub(super) fn new(path: &Path, bytes: u64, before: Progress) -> Self {
        // Hidden unless standard error is a terminal.
        let bar = ProgressBar::new(bytes);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes}, {msg}, {eta} left") {
            bar.set_style(style);
        }
        bar.set_position(before.input);
        bar.reset_eta();
        let now = Instant::now();
        Self { bar, name: path.display().to_string(), before, started: now, last_line: now }
    }

    pub(super) fn show(&mut self, progress: Progress) {
        self.bar.set_message(self.message(progress));
        self.bar.set_position(progress.input);
        if self.bar.is_hidden() && self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            note(&format!("{}: {}", self.name, self.message(progress)));
        }
    }

    pub(super) fn finish(&self, progress: Progress) {
        self.bar.finish_and_clear();
        let damaged = match progress.counts.damaged {
            0 => String::new(),
            places => format!(", damaged in {places} places, which are left out"),
        };
        note(&format!("{}: {}{damaged}", self.name, self.message(progress)));
    }

    fn message(&self, progress: Progress) -> String {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-3);
        let rate = (progress.counts.labelled - self.before.counts.labelled) as f64 / seconds;
        let (labelled, in_check) = (HumanCount(progress.counts.labelled), HumanCount(progress.counts.in_check));
        format!("{labelled} positions, {in_check} in check, {rate:.0} positions/s")
    }
}
