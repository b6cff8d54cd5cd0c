//! The training loop over epochs, with checkpoints and early stopping.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use super::{
    checkpoint::{Checkpoint, CheckpointError, PartialEpoch},
    directory::{CHECKPOINT, FINAL_CHECKPOINT, NETWORK, OutputDirectory},
    epochs::{self, Epoch},
    error::TrainError,
    inference::{NetworkComparison, compare},
    loss::Loss,
    model::{Layout, Model},
    optimizer::AdamW,
    options::{TrainOptions, TrainSettings},
    schedule::lerp,
    shuffle::Permutation,
    stream::TrainingData,
    trainer::Trainer,
};
use sleight::{
    nnue::{Architecture, BUCKETS, HIDDEN, INPUT_BUCKETS, Network},
    util::{fnv1a, fnv1a_continued},
};

/// The most validation positions on which the engine's inference is compared.
const MAX_COMPARED: usize = 200_000;
/// The most training that is lost with an interruption.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(600);
// Mixed into the seed, for independent random streams.
const WEIGHT_STREAM: u64 = 0x77ee_0001;
const ORDER_STREAM: u64 = 0x77ee_0002;

/// A training in progress.
pub(super) struct Training<'a, const H: usize> {
    settings: &'a TrainSettings,
    data: &'a TrainingData,
    directory: OutputDirectory,
    trainer: Trainer<H>,
    /// The weights of the epoch with the lowest validation loss.
    best: Vec<f32>,
    epochs: Vec<Epoch>,
    partial: PartialEpoch,
    checkpoint_interval: Duration,
    identity: u64,
}

impl<'a, const H: usize> Training<'a, H> {
    /// A new training from a model, or one resumed from its checkpoint.
    pub(super) fn new(
        options: &'a TrainOptions,
        (model, earlier): InitialModel<H>,
        data: &'a TrainingData,
        directory: OutputDirectory,
    ) -> Result<Self, TrainError> {
        let settings = &options.settings;
        let mut optimizer = AdamW::new(model.weights().len(), settings.weight_decay as f32);
        if settings.initial.is_some() {
            optimizer = optimizer.with_decay_targets(model.weights());
        }
        if let Some(earlier) = &earlier {
            optimizer.restore(earlier);
        }
        let initial_hash = hash_of(&[model.weights(), &optimizer.first_moments, &optimizer.second_moments]);
        let mut training = Self {
            settings,
            data,
            directory,
            best: model.weights().to_vec(),
            trainer: Trainer::new(model, optimizer, settings.threads),
            epochs: Vec::new(),
            partial: PartialEpoch::default(),
            checkpoint_interval: CHECKPOINT_INTERVAL,
            identity: identity(settings, data, initial_hash),
        };
        if options.resume {
            training.restore(training.checkpoint()?);
        }
        Ok(training)
    }

    /// Trains for another epoch, or the rest of one, and writes the checkpoint; none if the training is finished.
    pub(super) fn next_epoch(&mut self) -> Result<Option<Epoch>, TrainError> {
        if self.settings.is_finished(&self.epochs) {
            return Ok(None);
        }
        let mut epoch = self.train_epoch(self.epochs.len() as u64)?;
        epoch.validation_loss = self.validation_loss();
        if self.epochs.iter().all(|earlier| epoch.validation_loss < earlier.validation_loss) {
            self.best.copy_from_slice(self.trainer.model.weights());
        }
        self.epochs.push(epoch);
        self.partial = PartialEpoch::default();
        self.write_checkpoint()?;
        self.write_losses()?;
        Ok(Some(epoch))
    }

    /// The epoch with the lowest validation loss so far; 0 before the first.
    pub(super) fn best_epoch(&self) -> u64 {
        best_epoch(&self.epochs)
    }

    /// Writes the network of the best epoch, renames the checkpoint, and compares the engine's inference with the
    /// model.
    pub(super) fn finish(&self) -> Result<NetworkComparison, TrainError> {
        let model = Model::<H>::from_weights(self.settings.input_buckets, &self.best);
        // The network evaluates in the internal units of the games, to which the margins of the search are tuned.
        let network: Arc<Network<H, BUCKETS>> = model.network(self.data.set.scale.round() as u32).into();
        let bytes = network.to_bytes();
        Network::<H, BUCKETS>::from_bytes(&bytes).map_err(TrainError::Diverged)?;
        // Again, in case that the training was interrupted behind the last checkpoint.
        self.write_losses()?;
        self.directory.write(NETWORK, &bytes)?;
        self.directory.rename(CHECKPOINT, FINAL_CHECKPOINT)?;
        let records = &self.data.set.validation[..self.data.set.validation.len().min(MAX_COMPARED)];
        Ok(compare(&model, network, records, self.final_loss()))
    }

    fn train_epoch(&mut self, done: u64) -> Result<Epoch, TrainError> {
        let (settings, data) = (self.settings, self.data);
        let positions = data.len();
        let bar = progress_bar(positions, done + 1);
        let seconds_before = self.partial.seconds;
        let started = Instant::now();
        let mut saved = started;
        let mut epoch = Epoch { number: done + 1, ..Epoch::default() };
        let seed = (settings.seed ^ ORDER_STREAM).wrapping_add(done);
        let mut to_skip = std::mem::take(&mut self.partial.trained);
        for part in data.parts(seed) {
            let part = part?;
            let order = Permutation::new(part.len(), seed);
            // Data smaller than a batch are one.
            let batch_size = settings.batch.clamp(1, positions);
            for batch in (0..part.len() / batch_size).map(|i| i * batch_size..(i + 1) * batch_size) {
                let progress = (done as f64 + self.partial.trained as f64 / positions as f64) / settings.epochs as f64;
                epoch.learning_rate = settings.lr * settings.lr_schedule.factor(progress, settings.lr_final_factor);
                epoch.wdl_share = lerp(settings.wdl, settings.final_wdl(), progress);
                self.partial.trained += batch_size as u64;
                bar.inc(batch_size as u64);
                if to_skip > 0 {
                    to_skip = to_skip.saturating_sub(batch_size as u64);
                    continue;
                }
                let loss = Loss { wdl_share: epoch.wdl_share as f32 };
                let fetch = |position| part[order.at(position)];
                self.partial.loss += self.trainer.train_batch(batch, fetch, loss, epoch.learning_rate as f32);
                self.partial.seconds = seconds_before + started.elapsed().as_secs_f64();
                bar.set_message(format!("{:.6}", self.partial.loss / self.partial.trained as f64));
                if saved.elapsed() >= self.checkpoint_interval {
                    self.write_checkpoint()?;
                    saved = Instant::now();
                }
            }
        }
        bar.finish_and_clear();
        let PartialEpoch { trained, loss, seconds } = self.partial;
        epoch.training_loss = loss / trained as f64;
        epoch.positions_per_second = trained as f64 / seconds;
        Ok(epoch)
    }

    /// The mean loss over the validation set, always with the final WDL share, so that epochs can be compared.
    fn validation_loss(&mut self) -> f64 {
        let positions = &self.data.set.validation;
        let sum = self.trainer.evaluate(0..positions.len(), |i| positions[i], self.final_loss());
        sum / positions.len() as f64
    }

    fn final_loss(&self) -> Loss {
        Loss { wdl_share: self.settings.final_wdl() as f32 }
    }

    fn write_checkpoint(&self) -> Result<(), TrainError> {
        let checkpoint = Checkpoint {
            identity: self.identity,
            steps: self.trainer.optimizer.steps,
            weights: self.trainer.model.weights().to_vec(),
            first_moments: self.trainer.optimizer.first_moments.to_vec(),
            second_moments: self.trainer.optimizer.second_moments.to_vec(),
            best: self.best.clone(),
            partial: self.partial,
            epochs: self.epochs.clone(),
        };
        self.directory.write(CHECKPOINT, &checkpoint.to_bytes())
    }

    /// Writes the table and the plot.
    fn write_losses(&self) -> Result<(), TrainError> {
        self.directory.write("loss.csv", epochs::to_csv(&self.epochs).as_bytes())?;
        let title = format!(
            "{}, {} positions",
            Architecture { input_buckets: self.settings.input_buckets, hidden: H, buckets: BUCKETS },
            self.data.len()
        );
        let plot = epochs::plot(&self.epochs, &title).map_err(TrainError::Plot)?;
        self.directory.write("loss.svg", plot.as_bytes())
    }

    fn checkpoint(&self) -> Result<Checkpoint, CheckpointError> {
        Checkpoint::read(&self.directory.path(CHECKPOINT), self.identity, self.best.len())
    }

    fn restore(&mut self, checkpoint: Checkpoint) {
        self.trainer.model = Model::from_weights(self.settings.input_buckets, &checkpoint.weights);
        self.trainer.optimizer.restore(&checkpoint);
        self.best = checkpoint.best;
        self.partial = checkpoint.partial;
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

/// The model before the first epoch, and the checkpoint that it is from.
type InitialModel<const H: usize> = (Model<H>, Option<Checkpoint>);

/// The model that the settings begin with.
pub(super) fn initial_model<const H: usize>(settings: &TrainSettings) -> Result<InitialModel<H>, TrainError> {
    let (seed, input_buckets) = (settings.seed ^ WEIGHT_STREAM, settings.input_buckets);
    let Some(path) = &settings.initial else { return Ok((Model::new(input_buckets, seed), None)) };
    if let Some(mut checkpoint) = Checkpoint::read_any(path)? {
        let one_bucket = Layout::<H>::new(1);
        if checkpoint.best.len() == one_bucket.len() {
            let features = one_bucket.features() * H;
            for list in [&mut checkpoint.best, &mut checkpoint.first_moments, &mut checkpoint.second_moments] {
                let copies = list[..features].repeat(input_buckets - 1);
                list.splice(..0, copies);
            }
        }
        if checkpoint.best.len() != Layout::<H>::new(input_buckets).len() {
            return Err(TrainError::CheckpointShape(Architecture { input_buckets, hidden: H, buckets: BUCKETS }));
        }
        return Ok((Model::from_weights(input_buckets, &checkpoint.best), Some(checkpoint)));
    }
    let network = <Network>::from_file(path)?;
    if H < HIDDEN || input_buckets != INPUT_BUCKETS {
        return Err(TrainError::Shape(<Network>::ARCHITECTURE));
    }
    Ok((Model::from_network(&network, seed), None))
}

/// A hash of everything that determines the trained network: the settings, the hash of the initial weights and moments
/// wherever their file lies, and the data.
fn identity(settings: &TrainSettings, data: &TrainingData, initial: u64) -> u64 {
    let settings = TrainSettings { initial: None, ..settings.clone() };
    let data = (data.len(), data.set.validation.len(), data.hash());
    fnv1a(format!("{settings:?} {initial} {data:?}").as_bytes())
}

fn hash_of(lists: &[&[f32]]) -> u64 {
    let values = lists.iter().flat_map(|list| *list);
    values.fold(fnv1a(&[]), |hash, value| fnv1a_continued(hash, &value.to_le_bytes()))
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

#[cfg(test)]
mod tests {
    use std::{
        fs,
        path::{Path, PathBuf},
    };

    use super::{
        super::{
            load::LoadError,
            tests::{five_files, game, settings},
        },
        *,
    };

    /// The settings of a training from the network in a file.
    fn settings_with_initial(path: PathBuf) -> TrainSettings {
        TrainSettings { hidden: HIDDEN, input_buckets: INPUT_BUCKETS, initial: Some(path), batch: 64, ..settings() }
    }

    fn write_games(path: &Path, settings: &TrainSettings) -> TrainingData {
        let mut games = Vec::new();
        (0..20).for_each(|seed| game(seed).write_to(&mut games).unwrap());
        fs::write(path, games).unwrap();
        TrainingData::open(&[path.to_owned()], &TrainSettings { threads: 1, ..settings.clone() }).unwrap()
    }

    fn start<'a, const H: usize>(
        options: &'a TrainOptions,
        data: &'a TrainingData,
    ) -> Result<Training<'a, H>, TrainError> {
        Training::new(options, initial_model(&options.settings)?, data, OutputDirectory::open(options)?)
    }

    #[test]
    fn a_resumed_training_needs_the_same_initial_network() {
        let directory = tempfile::tempdir().unwrap();
        let [initial, copy, out] = ["a.nnue", "b.nnue", "out"].map(|name| directory.path().join(name));
        let write = |path, seed| fs::write(path, <Network>::random(seed).to_bytes()).unwrap();
        write(&initial, 1);
        let settings = settings_with_initial(initial.clone());
        let data = write_games(&directory.path().join("games.vf"), &settings);
        let mut options = TrainOptions { data: Vec::new(), out, resume: false, settings };
        start::<HIDDEN>(&options, &data).unwrap().next_epoch().unwrap();

        options.resume = true;
        assert_eq!(start::<HIDDEN>(&options, &data).unwrap().epochs.len(), 1);
        write(&initial, 2);
        let other = start::<HIDDEN>(&options, &data).err();
        assert!(matches!(other, Some(TrainError::Checkpoint(CheckpointError::Other))), "{other:?}");
        write(&copy, 1);
        options.settings.initial = Some(copy.clone());
        assert_eq!(start::<HIDDEN>(&options, &data).unwrap().epochs.len(), 1);

        fs::rename(copy, options.out.join(NETWORK)).unwrap();
        options.settings.initial = Some(options.out.join(".").join(NETWORK));
        let refused = start::<HIDDEN>(&options, &data).err();
        assert!(matches!(refused, Some(TrainError::Overwrites(_))), "{refused:?}");
    }

    #[test]
    fn a_training_goes_on_from_the_weights_and_moments_of_a_finished_one() {
        let directory = tempfile::tempdir().unwrap();
        let data = write_games(&directory.path().join("games.vf"), &settings());
        let settings = TrainSettings { epochs: 2, ..settings() };
        let mut options =
            TrainOptions { data: Vec::new(), out: directory.path().join("first"), resume: false, settings };
        let mut first = start::<128>(&options, &data).unwrap();
        while first.next_epoch().unwrap().is_some() {}
        first.finish().unwrap();
        drop(first);
        let checkpoint = options.out.join(FINAL_CHECKPOINT);
        options.settings.initial = Some(checkpoint.clone());
        assert!(matches!(start::<128>(&options, &data).err(), Some(TrainError::Overwrites(_))));

        options.out = directory.path().join("second");
        let mut second = start::<128>(&options, &data).unwrap();
        let saved = Checkpoint::read_any(&checkpoint).unwrap().unwrap();
        let optimizer = &second.trainer.optimizer;
        assert!(second.trainer.model.weights() == saved.best && optimizer.decay_targets[..] == saved.best);
        assert!(optimizer.first_moments[..] == saved.first_moments && saved.steps > 0);
        assert!(optimizer.second_moments[..] == saved.second_moments && optimizer.steps == saved.steps);
        second.next_epoch().unwrap();
        drop(second);
        options.resume = true;
        assert_eq!(start::<128>(&options, &data).unwrap().epochs.len(), 1);

        let mut bytes = fs::read(&checkpoint).unwrap();
        let refused = |options: &TrainOptions, data| start::<256>(options, data).err();
        (options.resume, options.out) = (false, directory.path().join("third"));
        assert!(matches!(refused(&options, &data), Some(TrainError::CheckpointShape(_))));
        bytes[100] ^= 1;
        fs::write(&checkpoint, bytes).unwrap();
        let damaged = refused(&options, &data);
        assert!(matches!(damaged, Some(TrainError::Checkpoint(CheckpointError::Damaged))), "{damaged:?}");
    }

    #[test]
    fn a_training_interrupted_behind_its_last_checkpoint_is_completed() {
        let directory = tempfile::tempdir().unwrap();
        let data = write_games(&directory.path().join("games.vf"), &settings());
        let settings = TrainSettings { epochs: 1, ..settings() };
        let mut options = TrainOptions { data: Vec::new(), out: directory.path().join("out"), resume: false, settings };
        start::<128>(&options, &data).unwrap().next_epoch().unwrap();
        fs::remove_file(options.out.join("loss.csv")).unwrap();
        options.resume = true;
        let mut training = start::<128>(&options, &data).unwrap();
        assert_eq!(training.next_epoch().unwrap(), None);
        training.finish().unwrap();
        assert_eq!(fs::read_to_string(options.out.join("loss.csv")).unwrap().lines().count(), 2);
        drop(training);
        assert!(options.out.join(NETWORK).exists() && !options.out.join(CHECKPOINT).exists());
        let finished = start::<128>(&options, &data).err();
        assert!(matches!(finished, Some(TrainError::Checkpoint(CheckpointError::Missing(_)))), "{finished:?}");
    }

    #[test]
    fn a_resumed_training_needs_the_same_data() {
        let directory = tempfile::tempdir().unwrap();
        let mut data = write_games(&directory.path().join("games.vf"), &settings());
        let mut options =
            TrainOptions { data: Vec::new(), out: directory.path().join("out"), resume: false, settings: settings() };
        start::<128>(&options, &data).unwrap().next_epoch().unwrap();
        options.resume = true;
        data.set.training.swap(1, 2);
        let other = start::<128>(&options, &data).err();
        assert!(matches!(other, Some(TrainError::Checkpoint(CheckpointError::Other))), "{other:?}");
    }

    /// Streamed in parts, a training that ends within an epoch goes on from its last batch.
    #[test]
    fn a_streamed_training_resumes_within_an_epoch() {
        let directory = tempfile::tempdir().unwrap();
        let paths = five_files(directory.path());
        let settings =
            TrainSettings { epochs: 2, batch: 64, scale: Some(200), resident: Some(1), wdl_final: None, ..settings() };
        let data = TrainingData::open(&paths, &settings).unwrap();
        let mut options =
            TrainOptions { data: Vec::new(), out: directory.path().join("whole"), resume: false, settings };
        let mut whole = start::<128>(&options, &data).unwrap();
        while whole.next_epoch().unwrap().is_some() {}
        let uninterrupted = (whole.trainer.model.weights().to_vec(), losses(&whole));

        options.out = directory.path().join("interrupted");
        let mut interrupted = start::<128>(&options, &data).unwrap();
        interrupted.checkpoint_interval = Duration::ZERO;
        interrupted.next_epoch().unwrap();
        // Some file of the second epoch, but not the first one of it.
        let seed = (options.settings.seed ^ ORDER_STREAM).wrapping_add(1);
        let first = data.parts(seed).next().unwrap().unwrap().into_owned();
        let damaged = paths.iter().find(|path| {
            let settings = TrainSettings { resident: None, ..options.settings.clone() };
            TrainingData::open(&[path.to_path_buf()], &settings).unwrap().set.training != first
        });
        let contents = fs::read(damaged.unwrap()).unwrap();
        fs::write(damaged.unwrap(), &contents[..contents.len() / 2]).unwrap();
        let error = interrupted.next_epoch().err();
        assert!(matches!(error, Some(TrainError::Load(LoadError::Changed(_)))), "{error:?}");
        drop(interrupted);
        fs::write(damaged.unwrap(), contents).unwrap();
        options.resume = true;
        let mut resumed = start::<128>(&options, &data).unwrap();
        assert!(resumed.epochs.len() == 1 && resumed.partial.trained > 0);
        while resumed.next_epoch().unwrap().is_some() {}
        assert!((resumed.trainer.model.weights().to_vec(), losses(&resumed)) == uninterrupted);
    }

    fn losses<const H: usize>(training: &Training<'_, H>) -> Vec<[f64; 2]> {
        training.epochs.iter().map(|epoch| [epoch.training_loss, epoch.validation_loss]).collect()
    }

    #[test]
    fn no_network_is_written_that_the_engine_refuses() {
        let directory = tempfile::tempdir().unwrap();
        let data = write_games(&directory.path().join("games.vf"), &settings());
        let out = directory.path().join("out");
        let options = TrainOptions { data: Vec::new(), out, resume: false, settings: settings() };
        for weight in [1001.0, f32::NAN] {
            let mut training = start::<128>(&options, &data).unwrap();
            *training.best.last_mut().unwrap() = weight;
            assert!(matches!(training.finish(), Err(TrainError::Diverged(_))), "{weight}");
            assert!(!options.out.join(NETWORK).exists());
        }
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_not_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let data = write_games(&directory.path().join("games.vf"), &settings());
        for (name, resume) in [("lock", false), (CHECKPOINT, true), (CHECKPOINT, false)] {
            let out = directory.path().join(format!("{name} {resume}"));
            fs::create_dir(&out).unwrap();
            assert!(std::process::Command::new("mkfifo").arg(out.join(name)).status().unwrap().success());
            let options = TrainOptions { data: Vec::new(), out, resume, settings: settings() };
            assert!(start::<128>(&options, &data).is_err(), "{name}");
        }
        for name in ["checkpoint.new", "loss.csv.new"] {
            let out = directory.path().join(name);
            fs::create_dir(&out).unwrap();
            assert!(std::process::Command::new("mkfifo").arg(out.join(name)).status().unwrap().success());
            let options = TrainOptions { data: Vec::new(), out, resume: false, settings: settings() };
            assert!(start::<128>(&options, &data).unwrap().next_epoch().is_err(), "{name}");
        }
    }
}
