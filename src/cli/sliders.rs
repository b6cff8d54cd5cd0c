use std::error::Error;
#[cfg(feature = "lab")]
use std::{fs, path::PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    attacks::{Backend, Unavailable},
    lab::{Comparison, ComparisonOptions, Paper, PaperOptions, Setting, verify},
    uci::print,
};

/// The progress bar, which is drawn on standard error, and only on a terminal.
const BAR: &str = "{bar:40} {pos}/{len} {msg} {elapsed}";

#[derive(Args, Debug)]
pub(super) struct Sliders {
    /// The backends to check and time, by default all that this processor can run
    #[arg(value_parser = super::backend())]
    backends: Vec<Backend>,
    /// Repeat Table 4 of the paper on perfect hashing instead
    #[arg(long, conflicts_with = "backends")]
    paper: bool,
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
    #[cfg(feature = "lab")]
    #[arg(long, value_name = "FILE", conflicts_with = "paper")]
    svg: Option<PathBuf>,
}

impl Sliders {
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        if self.paper { self.repeat_paper() } else { self.compare() }
    }

    /// Checks every backend, then times all of them.
    fn compare(&self) -> Result<(), Box<dyn Error>> {
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
        #[cfg(feature = "lab")]
        if let Some(path) = &self.svg {
            fs::write(path, comparison.svg()?).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }

    fn repeat_paper(&self) -> Result<(), Box<dyn Error>> {
        let defaults = PaperOptions::default();
        let seed = self.seed.unwrap_or(defaults.seed);
        let bar = bar(4)?;
        let paper = Paper::run(&PaperOptions { rounds: self.rounds.into(), seed, ..defaults }, |row| {
            bar.set_message(row.operation);
            bar.inc(1);
        });
        bar.finish_and_clear();
        print(if self.json { paper.json().to_string() } else { paper.to_string() }.trim_end());
        Ok(())
    }
}

fn bar(len: usize) -> Result<ProgressBar, Box<dyn Error>> {
    Ok(ProgressBar::new(len as u64).with_style(ProgressStyle::with_template(BAR)?))
}
