//! Command-line options of `sleight-lab train`.

use std::{num::NonZeroUsize, path::PathBuf};

use super::{
    load::{Filter, Split},
    schedule::LearningRateSchedule,
};
use sleight::nnue::{HIDDEN, INPUT_BUCKETS};

/// Options of a training.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct TrainOptions {
    /// Training data: games in viriformat (.vf), or positions in bulletformat (.bullet, .bin, .data)
    #[arg(required = true)]
    pub data: Vec<PathBuf>,
    /// Output directory for the network, the table and plot of the losses, and the checkpoint
    #[arg(long, short, default_value = "training")]
    pub out: PathBuf,
    /// Resume from the checkpoint in the output directory; all other options must be the same, threads included
    #[arg(long)]
    pub resume: bool,
    /// The hyperparameters.
    #[command(flatten)]
    pub settings: TrainSettings,
}

/// The hyperparameters and other settings that, together with the data, determine the trained network.
#[derive(clap::Args, Clone, PartialEq, Debug)]
pub(crate) struct TrainSettings {
    /// Hidden neurons of each perspective: 128, 256, 512 or 1024
    #[arg(long, default_value_t = HIDDEN)]
    pub hidden: usize,
    /// King buckets, selected by the square of the own king: those of the engine, or 1, whose weights all of the
    /// network's have
    #[arg(long, default_value_t = INPUT_BUCKETS)]
    pub input_buckets: usize,
    /// Network file of the engine's architecture to start from instead of random weights; a larger `--hidden` widens
    /// it. Or the `network.checkpoint` of a finished training of the same shape: its weights before they were rounded,
    /// with the moments of the optimizer
    #[arg(long)]
    pub initial: Option<PathBuf>,
    /// Epochs: passes over the training set
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub epochs: u64,
    /// Batch size, in positions
    #[arg(long, default_value_t = 16_384, value_parser = at_least_one)]
    pub batch: usize,
    /// Initial learning rate
    #[arg(long, default_value_t = 0.001, value_parser = fraction)]
    pub lr: f64,
    /// Final learning rate, as a fraction of the initial one
    #[arg(long, default_value_t = 0.03, value_parser = fraction)]
    pub lr_final_factor: f64,
    /// Learning-rate schedule
    #[arg(long, value_enum, default_value_t = LearningRateSchedule::Cosine)]
    pub lr_schedule: LearningRateSchedule,
    /// Weight decay, times the learning rate at each step: of the feature transformer and the first hidden layer,
    /// toward zero, or with `--initial` toward its weights; 0 to 1,000
    #[arg(long, default_value_t = 0.1, value_parser = weight_decay)]
    pub weight_decay: f64,
    /// WDL share (lambda): the weight of the game's result in the target, 0 to 1; the rest is the search score's
    #[arg(long, default_value_t = 0.2, value_parser = fraction)]
    pub wdl: f64,
    /// WDL share at the end, if it changes linearly
    #[arg(long, value_parser = fraction)]
    pub wdl_final: Option<f64>,
    /// Scale of the games and of the network: internal units for an output of 1.0, which stands for 73 % of the points
    /// [default: fitted to the results of the training positions]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub scale: Option<u32>,
    /// Share of the games held out for validation
    #[arg(long, default_value_t = 0.02, value_parser = share)]
    pub validation: f64,
    /// Early stopping: epochs without a lower validation loss
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub patience: u64,
    /// Plies to leave out at the start of each game (.vf only)
    #[arg(long, default_value_t = 16)]
    pub min_ply: u32,
    /// Leave out scores of this magnitude or more, in the internal units of the data
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(i16).range(1..))]
    pub max_score: i16,
    /// Training positions in memory at most, but two files at least; the others are read from the files during each
    /// epoch [default: all are in memory]
    #[arg(long, requires = "scale", value_parser = at_least_one)]
    pub resident: Option<usize>,
    /// Seed of the initial weights, the shuffling and the validation split
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; results are reproducible to the bit only with the same number
    #[arg(long, default_value_t = default_threads(), value_parser = threads)]
    pub threads: usize,
}

impl TrainSettings {
    pub(super) fn filter(&self) -> Filter {
        Filter { min_ply: self.min_ply, max_score: self.max_score }
    }

    pub(super) fn split(&self) -> Split {
        Split { validation_share: self.validation, seed: self.seed }
    }

    /// The WDL share at the end.
    pub(super) fn final_wdl(&self) -> f64 {
        self.wdl_final.unwrap_or(self.wdl)
    }
}

fn fraction(text: &str) -> Result<f64, String> {
    let number = text.parse().map_err(|error| format!("{error}"))?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("expected a number from 0 to 1".to_owned()) }
}

fn share(text: &str) -> Result<f64, String> {
    let number = fraction(text)?;
    if number > 0.0 && number < 1.0 { Ok(number) } else { Err("expected a number between 0 and 1".to_owned()) }
}

fn weight_decay(text: &str) -> Result<f64, String> {
    let number = text.parse().map_err(|error| format!("{error}"))?;
    if (0.0..=1000.0).contains(&number) { Ok(number) } else { Err("expected a number from 0 to 1000".to_owned()) }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse::<NonZeroUsize>().map_err(|error| format!("{error}"))?;
    Ok(number.get())
}

/// Above the processors of any machine, and within what an operating system grants.
const MAX_THREADS: usize = 1024;

pub(crate) fn threads(text: &str) -> Result<usize, String> {
    at_least_one(text)
        .and_then(|number| if number <= MAX_THREADS { Ok(number) } else { Err(format!("at most {MAX_THREADS}")) })
}

pub(crate) fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS)
}
