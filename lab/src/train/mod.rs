//! The network trainer, on the CPU.
//!
//! Positions come from games or files of positions ([`TrainingData`]), filtered, at 32 bytes each in memory, or part
//! by part where memory is not to hold all. Every epoch shuffles them anew and goes through whole batches; the
//! remainder of them or of a part, smaller than a batch, is left out of that epoch. A batch is split among threads,
//! each of which sums the gradient of its share; AdamW updates the weights. Training is quantization-aware: the
//! forward pass computes what the engine does. The network of the epoch with the lowest validation loss is compared
//! with the engine's own inference.
// CITE: the setup (SCReLU, WDL blend, AdamW with clipped weights, batches of 16,384) follows bullet (Jamie Whiting).

mod aligned;
mod checkpoint;
mod directory;
mod epochs;
mod error;
mod gradient;
mod inference;
mod load;
mod loss;
mod model;
mod optimizer;
mod options;
mod parallel;
mod schedule;
mod shuffle;
mod stream;
mod trainer;
mod training;
mod vectorized;

#[cfg(test)]
mod tests;

pub(crate) use aligned::Aligned;
use directory::OutputDirectory;
pub(crate) use error::TrainError;
pub(crate) use load::{Format, LoadError};
pub(crate) use options::{TrainOptions, default_threads, threads};
pub(crate) use parallel::in_parallel;
use stream::TrainingData;
use training::{Training, initial_model};
pub(crate) use vectorized::vectorized;

use sleight::nnue::{Architecture, BUCKETS, INPUT_BUCKETS};

/// Trains a network, and passes each line of the report to `report`.
///
/// # Errors
/// See [`TrainError`].
pub(crate) fn run(options: &TrainOptions, report: &mut dyn FnMut(&str)) -> Result<(), TrainError> {
    match options.settings.hidden {
        128 => run_sized::<128>(options, report),
        256 => run_sized::<256>(options, report),
        512 => run_sized::<512>(options, report),
        1024 => run_sized::<1024>(options, report),
        _ => Err(TrainError::Architecture),
    }
}

fn run_sized<const H: usize>(options: &TrainOptions, report: &mut dyn FnMut(&str)) -> Result<(), TrainError> {
    let settings = &options.settings;
    let input_buckets = settings.input_buckets;
    if input_buckets != 1 && input_buckets != INPUT_BUCKETS {
        return Err(TrainError::Architecture);
    }
    let directory = OutputDirectory::open(options)?;
    let initial = initial_model::<H>(settings)?;
    let data = TrainingData::open(&options.data, settings)?;
    let (training, validation, set) = (data.len(), data.set.validation.len(), &data.set);
    report(&format!(
        "{training} training and {validation} validation positions of {} games; {} positions filtered out",
        set.games, set.filtered_out
    ));
    if set.damaged > 0 {
        report(&format!("the files are damaged in {} places, which are left out", set.damaged));
    }
    if training == 0 || validation == 0 {
        return Err(TrainError::TooFew { training, validation });
    }
    report(&format!("73 % of the points at a score of {:.0} internal units", set.scale));
    let mut training = Training::new(options, initial, &data, directory)?;
    let architecture = Architecture { input_buckets, hidden: H, buckets: BUCKETS };
    report(&format!("training {architecture}"));
    while let Some(epoch) = training.next_epoch()? {
        report(&format!(
            "epoch {}: loss {:.6}, validation {:.6}, learning rate {:.6}, {:.0} positions/s",
            epoch.number, epoch.training_loss, epoch.validation_loss, epoch.learning_rate, epoch.positions_per_second
        ));
    }
    let comparison = training.finish()?;
    report(&format!("lowest validation loss in epoch {}", training.best_epoch()));
    report(&comparison.to_string());
    Ok(())
}
