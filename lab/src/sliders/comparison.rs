//! Correctness check and speed comparison of the slider backends.

use std::{fmt, time::Duration};

use serde_json::{Value, json};

use super::{
    backends::{Backend, Mismatch, Verify},
    workload::{CachePressure, Sample, Setting, TimeUnderPressure, TimeWarm, Workload},
};

/// Checks each backend on all 1,119,744 cases. Returns a line about each: the cases that it agrees on, or why this
/// machine cannot run it.
///
/// # Errors
/// The first case that a backend gets wrong.
pub(crate) fn verify(backends: &[Backend]) -> Result<Vec<String>, Mismatch> {
    let check = |&backend: &Backend| match backend.with(Verify) {
        Err(unavailable) => Ok(format!("{backend:14} skipped: {unavailable}")),
        Ok(checked) => Ok(format!("{backend:14} agrees with the ray scan on {} cases", checked?)),
    };
    backends.iter().map(check).collect()
}

/// The parameters of a [`Comparison`].
#[derive(Clone, Debug)]
pub(crate) struct ComparisonOptions {
    /// The backends; those that this machine cannot run are left out.
    pub backends: Vec<Backend>,
    /// Timings of every backend in every setting, of which the median counts. The backends take turns, so that other
    /// load on the machine slows all of them alike.
    pub rounds: usize,
    /// Sets of occupied squares in a setting, with twelve queen lookups each.
    pub tasks: usize,
    /// The seed of all squares.
    pub seed: u64,
}

impl Default for ComparisonOptions {
    fn default() -> Self {
        Self { backends: Backend::ALL.to_vec(), rounds: 21, tasks: 4096, seed: 64 }
    }
}

/// Two backends found different attacks in the same workload.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` and `{1}` find different attacks")]
pub(crate) struct Disagreement(Backend, Backend);

/// The speed of one backend.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Measured {
    /// The backend.
    pub backend: Backend,
    /// Million queen lookups per second, the median of all rounds, by setting in the order of [`Setting::ALL`].
    pub queens: [f64; 6],
}

/// The speeds of several backends.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Comparison {
    /// One for each backend, in the order of [`ComparisonOptions::backends`].
    pub measured: Vec<Measured>,
    /// The rounds behind every number.
    pub rounds: usize,
}

impl Comparison {
    /// Times every backend in every setting. `progress` is called after each round of a setting.
    ///
    /// # Errors
    /// When two backends do not find the same attacks.
    pub(crate) fn run(options: &ComparisonOptions, mut progress: impl FnMut(Setting)) -> Result<Self, Disagreement> {
        let backends: Vec<Backend> = options.backends.iter().copied().filter(|b| b.is_available()).collect();
        let mut measured: Vec<Measured> =
            backends.iter().map(|&backend| Measured { backend, queens: [0.0; 6] }).collect();
        let mut pressure = CachePressure::new();
        for (index, setting) in Setting::ALL.into_iter().enumerate() {
            let mut timings = Timings::new(setting, options, &backends);
            for _ in 0..options.rounds {
                timings.round(&mut pressure)?;
                progress(setting);
            }
            for (measured, queens) in measured.iter_mut().zip(timings.queens_per_second()) {
                measured.queens[index] = queens / 1e6;
            }
        }
        Ok(Self { measured, rounds: options.rounds })
    }

    /// The million queens per second of the fastest backend in the setting with this index.
    pub(super) fn best(&self, setting: usize) -> f64 {
        self.measured.iter().map(|measured| measured.queens[setting]).fold(0.0, f64::max)
    }

    /// The contents of the table, as JSON.
    pub(crate) fn json(&self) -> Value {
        let setting = |index: usize, queens: f64| {
            json!({
                "setting": Setting::ALL[index].to_string(),
                "million_queens_per_second": queens,
                "ratio_to_fastest": queens / self.best(index),
            })
        };
        let backend = |Measured { backend, queens }: &Measured| {
            json!({
                "backend": backend.name(),
                "table_bytes": backend.table_bytes(),
                "needs": backend.needs(),
                "settings": queens.iter().enumerate().map(|(index, &queens)| setting(index, queens)).collect::<Value>(),
            })
        };
        json!({ "rounds": self.rounds, "backends": self.measured.iter().map(backend).collect::<Value>() })
    }
}

/// A table: for each backend and setting the million queens per second, and their ratio to the fastest of this run.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:14} {:>9}  {:6}", "backend", "KiB", "needs")?;
        for setting in Setting::ALL {
            write!(f, " {setting:>12}")?;
        }
        writeln!(f)?;
        for Measured { backend, queens } in &self.measured {
            let kibibytes = backend.table_bytes() as f64 / 1024.0;
            write!(f, "{backend:14} {kibibytes:9.1}  {:6}", backend.needs())?;
            for (setting, queens) in queens.iter().enumerate() {
                write!(f, " {queens:7.1} {:4.2}", queens / self.best(setting))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "Million queens per second and ratio to the fastest, medians of {} rounds.", self.rounds)?;
        writeln!(f, "Settings with * are under cache pressure.")
    }
}

/// The times of each backend in one setting.
struct Timings<'a> {
    setting: Setting,
    workload: Workload,
    backends: &'a [Backend],
    times: Vec<Vec<Duration>>,
    /// Passes of each backend between two readings of the clock.
    repeats: Vec<u32>,
}

/// The aim for one timing: long compared with the clock's resolution, short compared with a time slice of the system.
const TARGET: Duration = Duration::from_millis(1);

impl<'a> Timings<'a> {
    fn new(setting: Setting, options: &ComparisonOptions, backends: &'a [Backend]) -> Self {
        Self {
            setting,
            workload: Workload::new(setting.density, options.tasks, options.seed),
            backends,
            times: vec![Vec::new(); backends.len()],
            repeats: vec![1; backends.len()],
        }
    }

    fn round(&mut self, pressure: &mut CachePressure) -> Result<(), Disagreement> {
        let mut first = None;
        for (index, &backend) in self.backends.iter().enumerate() {
            let workload = &self.workload;
            let sample = if self.setting.cache_pressure {
                backend.with(TimeUnderPressure { workload, pressure })
            } else {
                backend.with(TimeWarm { workload, repeats: self.repeats[index] })
            };
            // Those in `backends` are available.
            let Ok(Sample { time, attacks }) = sample else { continue };
            let (reference, expected) = *first.get_or_insert((backend, attacks));
            if attacks != expected {
                return Err(Disagreement(reference, backend));
            }
            self.times[index].push(time);
            self.repeats[index] = (TARGET.as_nanos() / time.as_nanos().max(1)).clamp(1, 1000) as u32;
        }
        Ok(())
    }

    fn queens_per_second(&self) -> impl Iterator<Item = f64> {
        let lookups = self.workload.lookups() as f64;
        self.times.iter().map(move |times| lookups / median(times).as_secs_f64())
    }
}

/// The median, the lower one of an even number of times; the longest duration there is for none.
pub(super) fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len().saturating_sub(1) / 2).copied().unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_comparison_is_written_in_both_forms() {
        let options = ComparisonOptions { rounds: 1, tasks: 64, ..ComparisonOptions::default() };
        let mut rounds = 0;
        let comparison = Comparison::run(&options, |_| rounds += 1).unwrap();
        assert_eq!(rounds, 6);
        let (table, json) = (comparison.to_string(), comparison.json());
        let available: Vec<&str> = Backend::ALL.iter().filter(|b| b.is_available()).map(|b| b.name()).collect();
        for (index, backend) in available.iter().enumerate() {
            assert!(table.contains(backend), "{table}");
            assert_eq!(json["backends"][index]["backend"], *backend);
        }
        assert!(table.contains("sparse*"));
        assert_eq!(json["backends"][0]["settings"][5]["setting"], "dense*");
    }

    #[test]
    fn verification_reports_the_number_of_cases() {
        let lines = verify(&[Backend::Magic, Backend::Rays]).unwrap();
        assert!(lines.len() == 2 && lines.iter().all(|line| line.contains(&format!("{} cases", Verify::CASES))));
    }

    #[test]
    fn the_median_is_the_middle_time() {
        let times = [5, 1, 4, 2, 3].map(Duration::from_millis);
        assert_eq!(median(&times), Duration::from_millis(3));
        assert_eq!(median(&[]), Duration::MAX);
    }
}
