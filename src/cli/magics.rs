use std::{error::Error, time::Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    attacks::{Found, MagicNumbers},
    uci::print,
};

#[derive(Args, Debug)]
pub(super) struct Magics {
    /// Find them anew instead of printing those in use
    #[arg(long)]
    find: bool,
    /// Where the search starts; the numbers in use come from the default
    #[arg(long, requires = "find", default_value_t = MagicNumbers::embedded().seed)]
    seed: u64,
}

impl Magics {
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let numbers = if self.find { find(self.seed)? } else { MagicNumbers::embedded().clone() };
        print(numbers.to_string().trim_end());
        Ok(())
    }
}

fn find(seed: u64) -> Result<MagicNumbers, Box<dyn Error>> {
    // One rook and one bishop a square. The bar is drawn on standard error, and only on a terminal.
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed}")?;
    let bar = ProgressBar::new(128).with_style(style);
    let mut start = Instant::now();
    let numbers = MagicNumbers::find(seed, |slider, square, Found { magic, attempts }| {
        let time = start.elapsed();
        bar.suspend(|| eprintln!("{slider:?} {square} {magic:#018x} {attempts} attempts {time:.1?}"));
        bar.inc(1);
        start = Instant::now();
    })?;
    bar.finish_and_clear();
    Ok(numbers)
}
