use std::{error::Error, time::Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    attacks::{Found, MagicNumbers, Slider},
    uci::print,
};

#[derive(Args, Debug)]
pub(super) struct Magics {
    /// Find them anew instead of printing those in use
    #[arg(long)]
    find: bool,
    /// Where the search starts; the numbers in use come from the default, with --denser
    #[arg(long, requires = "find", default_value_t = MagicNumbers::embedded().seed)]
    seed: u64,
    /// Then try so many candidates on each square for an index of one bit less
    #[arg(long, requires = "find", value_name = "CANDIDATES")]
    denser: Option<u64>,
}

impl Magics {
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let numbers = if self.find { self.search()? } else { MagicNumbers::embedded().clone() };
        print(numbers.to_string().trim_end());
        Ok(())
    }

    fn search(&self) -> Result<MagicNumbers, Box<dyn Error>> {
        // One rook and one bishop a square. The bar is drawn on standard error, and only on a terminal.
        let rounds = 1 + u64::from(self.denser.is_some());
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed}")?;
        let bar = ProgressBar::new(128 * rounds).with_style(style);
        let mut start = Instant::now();
        let mut tell = |slider: Slider, square, what: String| {
            let time = start.elapsed();
            bar.suspend(|| eprintln!("{slider:?} {square} {what} {time:.1?}"));
            bar.inc(1);
            start = Instant::now();
        };
        let found = |Found { magic, attempts }| format!("{magic:#018x} {attempts} attempts");
        let mut numbers = MagicNumbers::find(self.seed, |slider, square, number| tell(slider, square, found(number)))?;
        let mut saved = 0;
        if let Some(attempts) = self.denser {
            numbers.make_denser(attempts, |slider, square, number| {
                let Some(number) = number else { return tell(slider, square, "no denser".to_owned()) };
                saved += 1 << (slider.relevant(square).len() - 1);
                tell(slider, square, format!("denser {}", found(number)));
            });
        }
        bar.finish_and_clear();
        if self.denser.is_some() {
            eprintln!("{saved} entries of the table saved");
        }
        Ok(numbers)
    }
}
