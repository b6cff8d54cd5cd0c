//! What the user can ask of a training.

use std::{num::NonZeroUsize, path::PathBuf};

use super::{
    load::{Filter, Split},
    schedule::Schedule,
};
use crate::nnue::{BUCKETS, HIDDEN};

/// A training: what it reads, where it writes, and how it goes.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Files to learn from: games in viriformat (.vf), or positions in bulletformat (.bullet, .bin, .data)
    #[arg(required = true)]
    pub data: Vec<PathBuf>,
    /// The directory for the network, the table and plot of the losses, and the checkpoint
    #[arg(long, short, default_value = "training")]
    pub out: PathBuf,
    /// Go on from the checkpoint in the output directory; everything else must be as it was, threads included
    #[arg(long)]
    pub resume: bool,
    /// How it goes.
    #[command(flatten)]
    pub settings: Settings,
}

/// What decides, together with the data, how a training ends.
#[derive(clap::Args, Clone, PartialEq, Debug)]
pub struct Settings {
    /// Hidden neurons for each perspective: 64, 128, 192, 256, 384 or 512
    #[arg(long, default_value_t = HIDDEN)]
    pub hidden: usize,
    /// Output neurons, chosen by the number of men: 1, 2, 4 or 8
    #[arg(long, default_value_t = BUCKETS)]
    pub buckets: usize,
    /// Times that each position is seen
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub epochs: u64,
    /// Positions for each step
    #[arg(long, default_value_t = 16_384, value_parser = at_least_one)]
    pub batch: usize,
    /// The learning rate at the start
    #[arg(long, default_value_t = 0.001, value_parser = fraction)]
    pub rate: f64,
    /// What part of the learning rate is left at the end
    #[arg(long, default_value_t = 0.03, value_parser = fraction)]
    pub rate_left: f64,
    /// How the learning rate falls
    #[arg(long, value_enum, default_value_t = Schedule::Cosine)]
    pub schedule: Schedule,
    /// How much the game's result counts, 0 to 1; the search's score has the rest
    #[arg(long, default_value_t = 0.2, value_parser = fraction)]
    pub result: f64,
    /// The same at the end, if it is to change evenly
    #[arg(long, value_parser = fraction)]
    pub result_at_end: Option<f64>,
    /// The part of the games that is not learned from but measured on
    #[arg(long, default_value_t = 0.02, value_parser = fraction)]
    pub held_out: f64,
    /// Stop when the held-out loss has not fallen for so many epochs
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub patience: u64,
    /// Leave out the first half-moves of each game
    #[arg(long, default_value_t = 16)]
    pub min_ply: u32,
    /// Leave out scores of so many centipawns or more
    #[arg(long, default_value_t = 10_000)]
    pub max_score: i16,
    /// Decides the first weights, the order of the positions and the held-out games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; results repeat to the last bit only with the same number
    #[arg(long, default_value_t = default_threads(), value_parser = threads)]
    pub threads: usize,
}

impl Settings {
    pub(super) fn filter(&self) -> Filter {
        Filter { min_ply: self.min_ply, max_score: self.max_score }
    }

    pub(super) fn split(&self) -> Split {
        Split { held_out: self.held_out, seed: self.seed }
    }

    /// How much the result counts at the end.
    pub(super) fn last_result(&self) -> f64 {
        self.result_at_end.unwrap_or(self.result)
    }
}

fn fraction(text: &str) -> Result<f64, String> {
    let number = text.parse().map_err(|error| format!("{error}"))?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("expected a number from 0 to 1".to_owned()) }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse::<NonZeroUsize>().map_err(|error| format!("{error}"))?;
    Ok(number.get())
}

/// More threads than any machine has processors, and few enough for the system to grant.
const MOST_THREADS: usize = 1024;

fn threads(text: &str) -> Result<usize, String> {
    at_least_one(text)
        .and_then(|number| if number <= MOST_THREADS { Ok(number) } else { Err(format!("at most {MOST_THREADS}")) })
}

fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS)
}
