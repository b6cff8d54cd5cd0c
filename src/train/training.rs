//! The course of a training, epoch by epoch.

use std::{
    fs::{self, File, TryLockError},
    path::PathBuf,
    sync::Arc,
    time::Instant,
};

use indicatif::{ProgressBar, ProgressStyle};

use super::{
    TrainError,
    checkpoint::{Checkpoint, CheckpointError},
    history::{self, Epoch},
    load::Data,
    model::Model,
    objective::Objective,
    options::{Options, Settings},
    quantize::{Comparison, compare},
    schedule::ramp,
    shuffle::Permutation,
    trainer::Trainer,
};
use crate::{nnue::Network, util::fnv1a};

/// Held-out positions that the quantized network is compared on.
const COMPARED: usize = 200_000;
const WEIGHT_STREAM: u64 = 0x77ee_0001;
const ORDER_STREAM: u64 = 0x77ee_0002;

/// A training that is going on.
pub(super) struct Training<'a, const H: usize> {
    options: &'a Options,
    settings: &'a Settings,
    data: &'a Data,
    trainer: Trainer<H>,
    /// The weights of the epoch with the least held-out loss.
    best: Vec<f32>,
    epochs: Vec<Epoch>,
    identity: u64,
    /// Held for as long as the training lasts.
    _lock: File,
}

impl<'a, const H: usize> Training<'a, H> {
    /// A training at its beginning, or where its checkpoint left it.
    pub(super) fn new(options: &'a Options, data: &'a Data) -> Result<Self, TrainError> {
        let settings = &options.settings;
        let model = Model::new(settings.buckets, settings.seed ^ WEIGHT_STREAM);
        fs::create_dir_all(&options.out).map_err(TrainError::writing(&options.out))?;
        let mut training = Self {
            options,
            settings,
            data,
            best: model.weights().to_vec(),
            trainer: Trainer::new(model, settings.threads),
            epochs: Vec::new(),
            identity: identity(settings, data),
            _lock: lock(options)?,
        };
        match training.checkpoint() {
            checkpoint if options.resume => training.restore(checkpoint?),
            Ok(checkpoint) if !settings.is_over(&checkpoint.epochs) => {
                return Err(TrainError::Begun(options.out.clone()));
            }
            _ => {}
        }
        Ok(training)
    }

    /// Trains for another epoch and writes down where things stand; none when the training has ended.
    pub(super) fn next_epoch(&mut self) -> Result<Option<Epoch>, TrainError> {
        if self.settings.is_over(&self.epochs) {
            return Ok(None);
        }
        let mut epoch = self.learn(self.epochs.len() as u64);
        epoch.held_out_loss = self.held_out_loss();
        if self.epochs.iter().all(|earlier| epoch.held_out_loss < earlier.held_out_loss) {
            self.best.copy_from_slice(self.trainer.model.weights());
        }
        self.epochs.push(epoch);
        self.write()?;
        Ok(Some(epoch))
    }

    /// The epoch with the least held-out loss so far; 0 when there is none.
    pub(super) fn best_epoch(&self) -> u64 {
        best_epoch(&self.epochs)
    }

    /// Writes the best network and says how it compares with what was trained.
    pub(super) fn finish<const B: usize>(&self) -> Result<Comparison, TrainError> {
        let model = Model::<H>::from_weights(self.settings.buckets, &self.best);
        let network: Arc<Network<H, B>> = model.network().ok_or(TrainError::Shape)?.into();
        let path = self.path("network.nnue");
        fs::write(&path, network.to_bytes()).map_err(TrainError::writing(&path))?;
        let records = &self.data.held_out[..self.data.held_out.len().min(COMPARED)];
        Ok(compare(&model, network, records, self.last_objective()))
    }

    fn learn(&mut self, done: u64) -> Epoch {
        let (settings, positions) = (self.settings, &self.data.training);
        let batch = settings.batch.clamp(1, positions.len());
        let batches = positions.len() / batch;
        let order = Permutation::new(positions.len(), (settings.seed ^ ORDER_STREAM).wrapping_add(done));
        let bar = progress_bar(batches * batch, done + 1);
        let started = Instant::now();
        let mut loss = 0.0;
        let mut epoch = Epoch { number: done + 1, ..Epoch::default() };
        for i in 0..batches {
            let steps_done = done as f64 + i as f64 / batches as f64;
            let progress = steps_done / settings.epochs as f64;
            epoch.rate = settings.rate * settings.schedule.factor(progress, settings.rate_left);
            epoch.result_weight = ramp(settings.result, settings.last_result(), progress);
            let objective = self.objective(epoch.result_weight);
            let fetch = |position| positions[order.at(position)];
            loss += self.trainer.learn(i * batch..(i + 1) * batch, fetch, objective, epoch.rate as f32);
            bar.inc(batch as u64);
            bar.set_message(format!("{:.6}", loss / ((i + 1) * batch) as f64));
        }
        bar.finish_and_clear();
        let learned = (batches * batch) as f64;
        epoch.loss = loss / learned;
        epoch.positions_per_second = learned / started.elapsed().as_secs_f64();
        epoch
    }

    /// Always by the last objective, so that epochs can be compared.
    fn held_out_loss(&mut self) -> f64 {
        let positions = &self.data.held_out;
        let loss = self.trainer.measure(0..positions.len(), |i| positions[i], self.last_objective());
        loss / positions.len() as f64
    }

    fn last_objective(&self) -> Objective {
        self.objective(self.settings.last_result())
    }

    fn objective(&self, result_weight: f64) -> Objective {
        Objective { result_weight: result_weight as f32 }
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
            first: self.trainer.optimizer.first.to_vec(),
            second: self.trainer.optimizer.second.to_vec(),
            best: self.best.clone(),
            epochs: self.epochs.clone(),
        };
        let path = self.path("checkpoint");
        checkpoint.write(&path).map_err(TrainError::writing(&path))?;
        let path = self.path("loss.csv");
        fs::write(&path, history::to_csv(&self.epochs)).map_err(TrainError::writing(&path))?;
        let title = format!("{}, {} positions", Network::<H, 1>::ARCHITECTURE, self.data.training.len());
        history::plot(&self.epochs, &title, &self.path("loss.svg")).map_err(TrainError::Plot)
    }

    fn checkpoint(&self) -> Result<Checkpoint, CheckpointError> {
        Checkpoint::read(&self.path("checkpoint"), self.identity, self.best.len())
    }

    fn restore(&mut self, checkpoint: Checkpoint) {
        self.trainer.model = Model::from_weights(self.settings.buckets, &checkpoint.weights);
        self.trainer.optimizer.first.copy_from_slice(&checkpoint.first);
        self.trainer.optimizer.second.copy_from_slice(&checkpoint.second);
        self.trainer.optimizer.steps = checkpoint.steps;
        self.best = checkpoint.best;
        self.epochs = checkpoint.epochs;
    }
}

impl Settings {
    /// Whether a training that has gone through these epochs is at its end.
    fn is_over(&self, epochs: &[Epoch]) -> bool {
        let done = epochs.len() as u64;
        done >= self.epochs || done >= best_epoch(epochs).saturating_add(self.patience)
    }
}

fn best_epoch(epochs: &[Epoch]) -> u64 {
    let least = epochs.iter().min_by(|a, b| a.held_out_loss.total_cmp(&b.held_out_loss));
    least.map_or(0, |epoch| epoch.number)
}

/// Keeps other trainings out of the folder until the file is closed.
fn lock(options: &Options) -> Result<File, TrainError> {
    let path = options.out.join("lock");
    let file = File::create(&path).map_err(TrainError::writing(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(TrainError::InUse(options.out.clone())),
        Err(TryLockError::Error(error)) => Err(TrainError::writing(&path)(error)),
    }
}

/// A number that two trainings share only when they must end alike.
fn identity(settings: &Settings, data: &Data) -> u64 {
    let sample: Vec<_> =
        data.training.iter().step_by(997).chain(&data.held_out).map(|record| record.to_bytes()).collect();
    let data = (data.training.len(), data.held_out.len(), fnv1a(sample.as_flattened()));
    fnv1a(format!("{settings:?} {data:?}").as_bytes())
}

/// Drawn on standard error, and only on a terminal.
fn progress_bar(positions: usize, epoch: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {bar:40} {percent}% {per_sec} loss {msg} {eta}");
    let bar = ProgressBar::new(positions as u64).with_prefix(format!("epoch {epoch}"));
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
