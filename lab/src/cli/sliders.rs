//! The subcommands `sliders`, `perft` and `paper`: proof, speed, counts and tables of the slider backends.

use std::{error::Error, fs, path::PathBuf, time::Instant};

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use indicatif::{ProgressBar, ProgressStyle};
use sleight::position::{Position, STARTPOS};

use super::print;
use crate::sliders::{
    self, Backend, Comparison, ComparisonOptions, Leaves, PaperOptions, Setting, Unavailable, verify,
};

/// The progress bar, which is drawn on standard error, and only on a terminal.
const BAR: &str = "{bar:40} {pos}/{len} {msg} {elapsed}";

#[derive(Args, Debug)]
pub(super) struct SlidersArguments {
    /// The backends to check and time, by default all that this processor can run
    #[arg(value_parser = backend())]
    backends: Vec<Backend>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Timings of everything, of which the median counts
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// The seed of the occupied squares
    #[arg(long)]
    seed: Option<u64>,
    /// Also draw a bar chart into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl SlidersArguments {
    /// Checks every backend, then times all of them.
    ///
    /// # Errors
    /// If a backend is wrong, this machine cannot run one that was asked for, or the chart cannot be written.
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let defaults = ComparisonOptions::default();
        let backends = if self.backends.is_empty() { defaults.backends } else { self.backends.clone() };
        if let Some(&missing) = self.backends.iter().find(|backend| !backend.is_available()) {
            return Err(Unavailable(missing).into());
        }
        let checked = verify(&backends)?.join("\n");
        // Standard output is for the JSON object alone.
        if self.json {
            eprintln!("{checked}")
        } else {
            print(&checked)
        }
        let seed = self.seed.unwrap_or(defaults.seed);
        let options = ComparisonOptions { backends, rounds: self.rounds.into(), seed, ..defaults };
        let bar = bar(options.rounds * Setting::ALL.len())?;
        let comparison = Comparison::run(&options, |setting| {
            bar.set_message(setting.to_string());
            bar.inc(1);
        })?;
        bar.finish_and_clear();
        print(if self.json { comparison.json().to_string() } else { comparison.to_string() }.trim_end());
        if let Some(path) = &self.svg {
            fs::write(path, comparison.svg()?).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }
}

#[derive(Args, Debug)]
pub(super) struct PerftArguments {
    /// Depth in plies
    depth: u32,
    /// The backends to count with, by default all that this processor can run
    #[arg(value_parser = backend())]
    backends: Vec<Backend>,
    /// The root position; Chess960 castling rights in X-FEN or Shredder-FEN
    #[arg(long, default_value = STARTPOS)]
    fen: String,
}

impl PerftArguments {
    /// Prints a line for each backend.
    ///
    /// # Errors
    /// If the position is none, this machine cannot run a backend that was asked for, or two of them count differently.
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let position = Position::from_fen(&self.fen)?;
        let available = || Backend::ALL.into_iter().filter(|backend| backend.is_available()).collect();
        let backends = if self.backends.is_empty() { available() } else { self.backends.clone() };
        let mut first = None;
        for backend in backends {
            let start = Instant::now();
            let leaves = backend.with(Leaves { board: position.board(), depth: self.depth })?;
            let seconds = start.elapsed().as_secs_f64();
            print(&format!("{backend:14} {leaves:13} leaves {seconds:8.3} s"));
            let (reference, expected) = *first.get_or_insert((backend, leaves));
            if leaves != expected {
                return Err(format!("`{reference}` and `{backend}` count differently").into());
            }
        }
        Ok(())
    }
}

#[derive(Args, Debug)]
pub(super) struct Paper {
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Timings of everything, of which the median counts
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// The seed of the positions
    #[arg(long)]
    seed: Option<u64>,
}

impl Paper {
    /// Times the rows of the table.
    ///
    /// # Errors
    /// None but the progress bar's.
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let defaults = PaperOptions::default();
        let seed = self.seed.unwrap_or(defaults.seed);
        let bar = bar(4)?;
        let paper = sliders::Paper::run(&PaperOptions { rounds: self.rounds.into(), seed, ..defaults }, |row| {
            bar.set_message(row.operation);
            bar.inc(1);
        });
        bar.finish_and_clear();
        print(if self.json { paper.json().to_string() } else { paper.to_string() }.trim_end());
        Ok(())
    }
}

/// A parser for the names of slider backends.
fn backend() -> impl TypedValueParser<Value = Backend> {
    PossibleValuesParser::new(Backend::ALL.map(Backend::name)).try_map(|name| name.parse::<Backend>())
}

fn bar(len: usize) -> Result<ProgressBar, Box<dyn Error>> {
    Ok(ProgressBar::new(len as u64).with_style(ProgressStyle::with_template(BAR)?))
}
