//! The training loop over epochs, with checkpoints and early stopping.

use std::{
    fs::{self, File, TryLockError},
    path::PathBuf,
    sync::Arc,
    time::Instant,
};

use indicatif::{ProgressBar, ProgressStyle};

use super::{
    checkpoint::{Checkpoint, CheckpointError},
    epochs::{self, Epoch},
    error::TrainError,
    inference::{Comparison, compare},
    load::Dataset,
    loss::Loss,
    model::Model,
    optimizer::AdamW,
    options::{TrainOptions, TrainSettings},
    schedule::lerp,
    shuffle::Permutation,
    trainer::Trainer,
};
use crate::{
    nnue::{BUCKETS, HIDDEN, Network},
    util::fnv1a,
};

/// The most validation positions on which the engine's inference is compared.
const MAX_COMPARED: usize = 200_000;
// Mixed into the seed, for independent random streams.
const WEIGHT_STREAM: u64 = 0x77ee_0001;
const ORDER_STREAM: u64 = 0x77ee_0002;

/// A training in progress.
pub(super) struct Training<'a, const H: usize> {
    options: &'a TrainOptions,
    settings: &'a TrainSettings,
    data: &'a Dataset,
    trainer: Trainer<H>,
    /// The weights of the epoch with the lowest validation loss.
    best: Vec<f32>,
    epochs: Vec<Epoch>,
    identity: u64,
    /// Held as long as the training lasts.
    _lock: File,
}

impl<'a, const H: usize> Training<'a, H> {
    /// A new training, or one resumed from its checkpoint.
    pub(super) fn new(options: &'a TrainOptions, data: &'a Dataset) -> Result<Self, TrainError> {
        let settings = &options.settings;
        let model = initial_model(settings)?;
        let mut optimizer = AdamW::new(model.weights().len(), settings.weight_decay as f32);
        if settings.initial.is_some() {
            optimizer = optimizer.with_decay_targets(model.weights());
        }
        fs::create_dir_all(&options.out).map_err(TrainError::writing(&options.out))?;
        let mut training = Self {
            options,
            settings,
            data,
            best: model.weights().to_vec(),
            trainer: Trainer::new(model, optimizer, settings.threads),
            epochs: Vec::new(),
            identity: identity(settings, data),
            _lock: lock(options)?,
        };
        match training.checkpoint() {
            checkpoint if options.resume => training.restore(checkpoint?),
            Ok(checkpoint) if !settings.is_finished(&checkpoint.epochs) => {
                return Err(TrainError::Unfinished(options.out.clone()));
            }
            _ => {}
        }
        Ok(training)
    }

    /// Trains for another epoch and writes the checkpoint; none if the training is finished.
    pub(super) fn next_epoch(&mut self) -> Result<Option<Epoch>, TrainError> {
        if self.settings.is_finished(&self.epochs) {
            return Ok(None);
        }
        let mut epoch = self.train_epoch(self.epochs.len() as u64);
        epoch.validation_loss = self.validation_loss();
        if self.epochs.iter().all(|earlier| epoch.validation_loss < earlier.validation_loss) {
            self.best.copy_from_slice(self.trainer.model.weights());
        }
        self.epochs.push(epoch);
        self.write()?;
        Ok(Some(epoch))
    }

    /// The epoch with the lowest validation loss so far; 0 before the first.
    pub(super) fn best_epoch(&self) -> u64 {
        best_epoch(&self.epochs)
    }

    /// Writes the network of the best epoch, and compares the engine's inference with it.
    pub(super) fn finish<const B: usize>(&self) -> Result<Comparison, TrainError> {
        let model = Model::<H>::from_weights(self.settings.buckets, &self.best);
        let scale = self.settings.scale.unwrap_or_else(|| self.data.scale().round() as u32);
        let network: Arc<Network<H, B>> = model.network(scale).ok_or(TrainError::Architecture)?.into();
        let path = self.path("network.nnue");
        fs::write(&path, network.to_bytes()).map_err(TrainError::writing(&path))?;
        let records = &self.data.validation[..self.data.validation.len().min(MAX_COMPARED)];
        Ok(compare(&model, network, records, self.final_loss()))
    }

    fn train_epoch(&mut self, done: u64) -> Epoch {
        let (settings, positions) = (self.settings, &self.data.training);
        let batch_size = settings.batch.clamp(1, positions.len());
        let batches = positions.len() / batch_size;
        let order = Permutation::new(positions.len(), (settings.seed ^ ORDER_STREAM).wrapping_add(done));
        let bar = progress_bar(batches * batch_size, done + 1);
        let started = Instant::now();
        let mut sum = 0.0;
        let mut epoch = Epoch { number: done + 1, ..Epoch::default() };
        for i in 0..batches {
            let epochs_done = done as f64 + i as f64 / batches as f64;
            let progress = epochs_done / settings.epochs as f64;
            epoch.learning_rate = settings.lr * settings.lr_schedule.factor(progress, settings.lr_final_factor);
            epoch.wdl_share = lerp(settings.wdl, settings.final_wdl(), progress);
            let loss = Loss { wdl_share: epoch.wdl_share as f32 };
            let fetch = |position| positions[order.at(position)];
            let batch = i * batch_size..(i + 1) * batch_size;
            sum += self.trainer.train_batch(batch, fetch, loss, epoch.learning_rate as f32);
            bar.inc(batch_size as u64);
            bar.set_message(format!("{:.6}", sum / ((i + 1) * batch_size) as f64));
        }
        bar.finish_and_clear();
        let trained = (batches * batch_size) as f64;
        epoch.training_loss = sum / trained;
        epoch.positions_per_second = trained / started.elapsed().as_secs_f64();
        epoch
    }

    /// The mean loss over the validation set, always with the final WDL share, so that epochs can be compared.
    fn validation_loss(&mut self) -> f64 {
        let positions = &self.data.validation;
        let sum = self.trainer.evaluate(0..positions.len(), |i| positions[i], self.final_loss());
        sum / positions.len() as f64
    }

    fn final_loss(&self) -> Loss {
        Loss { wdl_share: self.settings.final_wdl() as f32 }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.options.out.join(name)
    }

    /// Writes the checkpoint, the table and the plot.
    fn write(&self) -> Result<(), TrainError> {
        let checkpoint = Checkpoint {
            identity: self.identity,
            steps: self.trainer.optimizer.steps,
            weights: self.trainer.model.weights().to_vec(),
            first_moments: self.trainer.optimizer.first_moments.to_vec(),
            second_moments: self.trainer.optimizer.second_moments.to_vec(),
            best: self.best.clone(),
            epochs: self.epochs.clone(),
        };
        let path = self.path("checkpoint");
        checkpoint.write(&path).map_err(TrainError::writing(&path))?;
        let path = self.path("loss.csv");
        fs::write(&path, epochs::to_csv(&self.epochs)).map_err(TrainError::writing(&path))?;
        let title = format!("{}, {} positions", Network::<H, 1>::ARCHITECTURE, self.data.training.len());
        epochs::plot(&self.epochs, &title, &self.path("loss.svg")).map_err(TrainError::Plot)
    }

    fn checkpoint(&self) -> Result<Checkpoint, CheckpointError> {
        Checkpoint::read(&self.path("checkpoint"), self.identity, self.best.len())
    }

    fn restore(&mut self, checkpoint: Checkpoint) {
        self.trainer.model = Model::from_weights(self.settings.buckets, &checkpoint.weights);
        self.trainer.optimizer.first_moments.copy_from_slice(&checkpoint.first_moments);
        self.trainer.optimizer.second_moments.copy_from_slice(&checkpoint.second_moments);
        self.trainer.optimizer.steps = checkpoint.steps;
        self.best = checkpoint.best;
        self.epochs = checkpoint.epochs;
    }
}

impl TrainSettings {
    /// Returns true after the last epoch, or if early stopping ends the training.
    fn is_finished(&self, epochs: &[Epoch]) -> bool {
        let done = epochs.len() as u64;
        done >= self.epochs || done >= best_epoch(epochs).saturating_add(self.patience)
    }
}

fn best_epoch(epochs: &[Epoch]) -> u64 {
    let best = epochs.iter().min_by(|a, b| a.validation_loss.total_cmp(&b.validation_loss));
    best.map_or(0, |epoch| epoch.number)
}

/// The model before the first epoch.
fn initial_model<const H: usize>(settings: &TrainSettings) -> Result<Model<H>, TrainError> {
    let seed = settings.seed ^ WEIGHT_STREAM;
    let Some(path) = &settings.initial else { return Ok(Model::new(settings.buckets, seed)) };
    let network = <Network>::from_file(path)?;
    if H < HIDDEN || settings.buckets != BUCKETS {
        return Err(TrainError::Shape(<Network>::ARCHITECTURE));
    }
    Ok(Model::from_network(&network, seed))
}

/// Locks the output directory against other trainings until the file is closed.
fn lock(options: &TrainOptions) -> Result<File, TrainError> {
    let path = options.out.join("lock");
    let file = File::create(&path).map_err(TrainError::writing(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(TrainError::InUse(options.out.clone())),
        Err(TryLockError::Error(error)) => Err(TrainError::writing(&path)(error)),
    }
}

/// A hash of everything that determines the trained network.
fn identity(settings: &TrainSettings, data: &Dataset) -> u64 {
    let sample: Vec<_> =
        data.training.iter().step_by(997).chain(&data.validation).map(|record| record.to_bytes()).collect();
    let data = (data.training.len(), data.validation.len(), fnv1a(sample.as_flattened()));
    fnv1a(format!("{settings:?} {data:?}").as_bytes())
}

/// A progress bar on standard error, hidden unless that is a terminal.
fn progress_bar(positions: usize, epoch: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {bar:40} {percent}% {per_sec} loss {msg} {eta}");
    let bar = ProgressBar::new(positions as u64).with_prefix(format!("epoch {epoch}"));
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
