//! The subcommand `magics`: a search for magic numbers.

use std::{error::Error, time::Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sleight::attacks::MagicNumbers;

use super::print;
use crate::magics::{Found, find_all, source_text};

#[derive(Args, Debug)]
pub(super) struct Magics {
    /// Search for magic numbers instead of printing those in use
    #[arg(long)]
    find: bool,
    /// The seed of the search; the numbers in use come from the default
    #[arg(long, requires = "find", default_value_t = MagicNumbers::EMBEDDED.seed)]
    seed: u64,
}

impl Magics {
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let numbers = if self.find { self.search()? } else { MagicNumbers::EMBEDDED };
        print(source_text(&numbers).trim_end());
        Ok(())
    }

    fn search(&self) -> Result<MagicNumbers, Box<dyn Error>> {
        // One rook and one bishop per square. The bar is drawn on standard error, and only on a terminal.
        let bar = ProgressBar::new(128).with_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed}")?);
        let mut start = Instant::now();
        let numbers = find_all(self.seed, |slider, square, Found { magic, attempts }| {
            let time = start.elapsed();
            bar.suspend(|| eprintln!("{slider:?} {square} {magic:#018x} {attempts} attempts {time:.1?}"));
            bar.inc(1);
            start = Instant::now();
        })?;
        bar.finish_and_clear();
        Ok(numbers)
    }
}
