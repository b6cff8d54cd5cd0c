//! The trainer: from games to a network, on the processor alone.
//!
//! Positions are taken from games of self-play ([`Data`]), filtered, and kept in memory at 32 bytes each. Every epoch
//! goes through them in another order, in whole batches: what is left over takes its turn in another epoch. A batch is
//! shared out among threads, each of which sums the derivatives of its share; AdamW turns the sums into new weights. The
//! epoch with the least loss on games that were held out gives the network, quantized as the engine wants it and compared
//! with what was trained through the engine's own inference.

mod aligned;
mod checkpoint;
mod gradient;
mod history;
mod load;
mod model;
mod objective;
mod optimizer;
mod options;
mod quantize;
mod record;
mod schedule;
mod shuffle;
mod trainer;
mod training;

#[cfg(test)]
mod tests;

use std::{
    io,
    path::{Path, PathBuf},
};

pub use checkpoint::CheckpointError;
pub use load::{Data, Filter, LoadError, Split};
pub use options::{Options, Settings};
pub use record::Record;
pub use schedule::Schedule;
use training::Training;

use crate::nnue::{Architecture, SCALE};

/// Why a training did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The positions could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// There is nothing to learn from, or nothing to measure on.
    #[error("{training} positions to learn from and {held_out} held out are too few")]
    TooFew {
        /// Positions to learn from.
        training: usize,
        /// Positions to measure on.
        held_out: usize,
    },
    /// The checkpoint is of no use.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Another training writes to the folder.
    #[error("{}: another training is writing to it", .0.display())]
    InUse(PathBuf),
    /// The same training was begun in the folder, and not ended.
    #[error("{}: this training has been begun already; go on with --resume, or begin anew with another --out", .0.display())]
    Begun(PathBuf),
    /// A result cannot be written.
    #[error("{path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The plot cannot be drawn.
    #[error("{0}")]
    Plot(String),
    /// Nobody foresaw a network of that shape.
    #[error("hidden layers have 64, 128, 192, 256, 384 or 512 neurons, and there are 1, 2, 4 or 8 outputs")]
    Shape,
}

impl TrainError {
    fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::Write { path, source }
    }
}

/// Trains a network as the options say, and passes each line of the report to `tell`.
///
/// # Errors
/// See [`TrainError`].
pub fn run(options: &Options, tell: &mut dyn FnMut(&str)) -> Result<(), TrainError> {
    match options.settings.hidden {
        64 => run_sized::<64>(options, tell),
        128 => run_sized::<128>(options, tell),
        192 => run_sized::<192>(options, tell),
        256 => run_sized::<256>(options, tell),
        384 => run_sized::<384>(options, tell),
        512 => run_sized::<512>(options, tell),
        _ => Err(TrainError::Shape),
    }
}

fn run_sized<const H: usize>(options: &Options, tell: &mut dyn FnMut(&str)) -> Result<(), TrainError> {
    let settings = &options.settings;
    if ![1, 2, 4, 8].contains(&settings.buckets) {
        return Err(TrainError::Shape);
    }
    let data = Data::load(&options.data, settings.filter(), settings.split(), settings.threads)?;
    let (training, held_out) = (data.training.len(), data.held_out.len());
    tell(&format!(
        "{training} positions to learn from and {held_out} held out, of {} games; {} positions refused",
        data.games, data.refused
    ));
    if data.damaged > 0 {
        tell(&format!("the files are damaged in {} places, and what could not be read is left out", data.damaged));
    }
    for (path, scale) in &data.scales {
        tell(&format!("{}: 73 % of the points from {scale:.0} centipawns, taken for {SCALE}", path.display()));
    }
    if training == 0 || held_out == 0 {
        return Err(TrainError::TooFew { training, held_out });
    }
    let mut training = Training::<H>::new(options, &data)?;
    let shape = Architecture { hidden: H, buckets: settings.buckets };
    tell(&format!("training {shape}"));
    while let Some(epoch) = training.next_epoch()? {
        tell(&format!(
            "epoch {}: loss {:.6}, held out {:.6}, rate {:.6}, {:.0} positions/s",
            epoch.number, epoch.loss, epoch.held_out_loss, epoch.rate, epoch.positions_per_second
        ));
    }
    let comparison = match settings.buckets {
        1 => training.finish::<1>(),
        2 => training.finish::<2>(),
        4 => training.finish::<4>(),
        8 => training.finish::<8>(),
        _ => Err(TrainError::Shape),
    }?;
    tell(&format!("epoch {} was best", training.best_epoch()));
    tell(&comparison.to_string());
    Ok(())
}
