//! The comparison of the slider backends: are they right, and how fast are they?

use std::{
    fmt,
    io::{self, Write},
    time::Duration,
};

use super::{
    json::Json,
    workload::{Pressed, Pressure, Sample, Warm, Workload},
};
use crate::attacks::{Backend, Mismatch, Verify};

/// Checks every backend that this machine can run on all 1,119,744 cases, and writes a line on each.
///
/// # Errors
/// When the writer fails. A backend that is wrong is an error inside: the first case that it gets wrong.
pub fn verify(backends: &[Backend], out: &mut dyn Write) -> io::Result<Result<(), Mismatch>> {
    for &backend in backends {
        match backend.with(Verify) {
            Err(unavailable) => writeln!(out, "{backend:14} skipped: {unavailable}")?,
            Ok(Err(mismatch)) => return Ok(Err(mismatch)),
            Ok(Ok(cases)) => writeln!(out, "{backend:14} agrees with the ray scan on {cases} cases")?,
        }
    }
    Ok(Ok(()))
}

/// How many squares are occupied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Density {
    /// Random, 8 of 64 on average.
    Sparse,
    /// As random play leaves them.
    Game,
    /// Random, 32 of 64 on average.
    Dense,
}

/// What is timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The occupied squares.
    pub density: Density,
    /// Whether something else keeps emptying the caches.
    pub pressed: bool,
}

impl Setting {
    /// Every setting there is.
    pub const ALL: [Self; 6] = {
        let mut all = [Self { density: Density::Sparse, pressed: false }; 6];
        let mut index = 0;
        while index < 6 {
            let density = [Density::Sparse, Density::Game, Density::Dense][index % 3];
            all[index] = Self { density, pressed: index >= 3 };
            index += 1;
        }
        all
    };
}

/// `sparse`, `game` or `dense`; under cache pressure `sparse*` and so on.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let density = match self.density {
            Density::Sparse => "sparse",
            Density::Game => "game",
            Density::Dense => "dense",
        };
        f.pad(&format!("{density}{}", if self.pressed { "*" } else { "" }))
    }
}

/// What to compare and how long.
#[derive(Clone, Debug)]
pub struct Options {
    /// The backends; those that this machine cannot run are left out.
    pub backends: Vec<Backend>,
    /// Times that every backend is timed in every setting. They take turns, so that a busy moment of the machine harms
    /// all alike; the median counts.
    pub rounds: usize,
    /// Sets of occupied squares in a setting, twelve queens each.
    pub tasks: usize,
    /// Decides all squares.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { backends: Backend::ALL.to_vec(), rounds: 21, tasks: 4096, seed: 64 }
    }
}

/// Two backends found different attacks in the same workload.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` and `{1}` find different attacks")]
pub struct Disagreement(Backend, Backend);

/// How fast one backend is.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// The backend.
    pub backend: Backend,
    /// Million queens looked up per second, the median of the rounds, by setting in the order of [`Setting::ALL`].
    pub queens: [f64; 6],
}

/// The result of a comparison, the backends in the order that was asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// One for each backend.
    pub measured: Vec<Measured>,
    /// Rounds behind every number.
    pub rounds: usize,
}

impl Comparison {
    /// Times every backend in every setting, telling `progress` of each round of a setting when it is done.
    ///
    /// # Errors
    /// When the backends do not find the same attacks.
    pub fn run(options: &Options, mut progress: impl FnMut(Setting, usize)) -> Result<Self, Disagreement> {
        let backends: Vec<Backend> = options.backends.iter().copied().filter(|b| b.is_available()).collect();
        let mut measured: Vec<Measured> =
            backends.iter().map(|&backend| Measured { backend, queens: [0.0; 6] }).collect();
        let mut pressure = Pressure::new();
        for (index, setting) in Setting::ALL.into_iter().enumerate() {
            let mut bench = Bench::new(setting, options, &backends);
            for round in 0..options.rounds {
                bench.round(&mut pressure)?;
                progress(setting, round);
            }
            for (measured, queens) in measured.iter_mut().zip(bench.queens_per_second()) {
                measured.queens[index] = queens / 1e6;
            }
        }
        Ok(Self { measured, rounds: options.rounds })
    }

    /// The most queens per second that any backend has in the setting with this index.
    pub(super) fn best(&self, setting: usize) -> f64 {
        self.measured.iter().map(|measured| measured.queens[setting]).fold(0.0, f64::max)
    }

    /// Writes a table: for each setting the million queens per second, and their ratio to the fastest of this run.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{:14} {:>9}  {:6}", "backend", "KiB", "needs")?;
        for setting in Setting::ALL {
            write!(out, " {setting:>12}")?;
        }
        writeln!(out)?;
        for Measured { backend, queens } in &self.measured {
            let kibibytes = backend.table_bytes() as f64 / 1024.0;
            write!(out, "{backend:14} {kibibytes:9.1}  {:6}", backend.needs())?;
            for (setting, queens) in queens.iter().enumerate() {
                write!(out, " {queens:7.1} {:4.2}", queens / self.best(setting))?;
            }
            writeln!(out)?;
        }
        writeln!(out, "Million queens per second and ratio to the fastest, medians of {} rounds.", self.rounds)?;
        writeln!(out, "Settings with * are under cache pressure.")
    }

    /// Writes the same as one JSON object.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let backends = self.measured.iter().map(|Measured { backend, queens }| {
            let settings = Setting::ALL.into_iter().zip(queens).enumerate().map(|(index, (setting, &queens))| {
                Json::Object(vec![
                    ("setting", Json::Text(setting.to_string())),
                    ("million_queens_per_second", Json::Number(queens)),
                    ("ratio_to_fastest", Json::Number(queens / self.best(index))),
                ])
            });
            Json::Object(vec![
                ("backend", Json::from(backend.name())),
                ("table_bytes", Json::Integer(backend.table_bytes() as u64)),
                ("needs", Json::from(backend.needs())),
                ("settings", Json::List(settings.collect())),
            ])
        });
        let report = vec![("rounds", Json::Integer(self.rounds as u64)), ("backends", Json::List(backends.collect()))];
        writeln!(out, "{}", Json::Object(report))
    }
}

/// One setting, with the times so far of each backend.
struct Bench<'a> {
    setting: Setting,
    workload: Workload,
    backends: &'a [Backend],
    times: Vec<Vec<Duration>>,
    /// How often each backend is run between two readings of the clock.
    repeats: Vec<u32>,
}

/// Aims of a timing: long enough for the clock, short enough to be left alone by other processes.
const TARGET: Duration = Duration::from_millis(1);

impl<'a> Bench<'a> {
    fn new(setting: Setting, options: &Options, backends: &'a [Backend]) -> Self {
        Self {
            setting,
            workload: Workload::new(setting.density, options.tasks, options.seed),
            backends,
            times: vec![Vec::new(); backends.len()],
            repeats: vec![1; backends.len()],
        }
    }

    fn round(&mut self, pressure: &mut Pressure) -> Result<(), Disagreement> {
        let mut first = None;
        for (index, &backend) in self.backends.iter().enumerate() {
            let workload = &self.workload;
            let sample = if self.setting.pressed {
                backend.with(Pressed { workload, pressure })
            } else {
                backend.with(Warm { workload, repeats: self.repeats[index] })
            };
            let Ok(Sample { time, found }) = sample else { continue };
            let (reference, expected) = *first.get_or_insert((backend, found));
            if found != expected {
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

/// The median time; the lower one of an even number of times.
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
        let options = Options { rounds: 1, tasks: 64, ..Options::default() };
        let mut told = 0;
        let comparison = Comparison::run(&options, |_, _| told += 1).unwrap();
        assert_eq!(told, 6);
        let (mut table, mut json) = (Vec::new(), Vec::new());
        comparison.write_table(&mut table).unwrap();
        comparison.write_json(&mut json).unwrap();
        let (table, json) = (String::from_utf8(table).unwrap(), String::from_utf8(json).unwrap());
        for backend in options.backends.into_iter().filter(|backend| backend.is_available()) {
            assert!(table.contains(backend.name()), "{table}");
            assert!(json.contains(&format!(r#""backend":"{backend}""#)), "{json}");
        }
        assert!(table.contains("sparse*") && json.contains(r#""setting":"dense*""#));
    }

    #[test]
    fn verification_says_what_it_did() {
        let mut text = Vec::new();
        assert_eq!(verify(&[Backend::Magic, Backend::Rays], &mut text).unwrap(), Ok(()));
        assert_eq!(String::from_utf8(text).unwrap().matches(&format!("{} cases", Verify::CASES)).count(), 2);
    }

    #[test]
    fn the_median_stands_in_the_middle() {
        let times = [5, 1, 4, 2, 3].map(Duration::from_millis);
        assert_eq!(median(&times), Duration::from_millis(3));
        assert_eq!(median(&[]), Duration::MAX);
    }
}
