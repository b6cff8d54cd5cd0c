//! Training sets larger than memory: files that are read part by part, in another order in every epoch.

use std::{borrow::Cow, path::PathBuf, thread};

use super::{
    load::{Dataset, Filter, LoadError, Split},
    options::TrainSettings,
    parallel::in_parallel,
    shuffle::Permutation,
};
use crate::record::Record;
use sleight::util::{fnv1a, fnv1a_continued};

/// The positions that a network is trained on.
#[derive(Clone, Debug)]
pub(super) struct TrainingData {
    /// The data set, without its training positions if they are streamed.
    pub(super) set: Dataset,
    /// The files that the training positions are read from, if memory is not to hold all.
    stream: Option<Stream>,
}

impl From<Dataset> for TrainingData {
    fn from(set: Dataset) -> Self {
        Self { set, stream: None }
    }
}

impl TrainingData {
    /// The data that a training's settings describe.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub(super) fn open(paths: &[PathBuf], settings: &TrainSettings) -> Result<Self, LoadError> {
        let (filter, split, threads) = (settings.filter(), settings.split(), settings.threads);
        match (settings.resident, settings.scale) {
            (Some(resident), Some(scale)) => Stream::open(paths, filter, split, scale as f32, resident, threads),
            _ => Dataset::load(paths, filter, split, settings.scale, threads).map(Self::from),
        }
    }

    /// The number of training positions.
    pub(super) fn len(&self) -> usize {
        self.stream.as_ref().map_or(self.set.training.len(), Stream::len)
    }

    /// A hash of all positions.
    pub(super) fn hash(&self) -> u64 {
        let streamed = self.stream.as_ref().map_or(fnv1a(&[]), Stream::hash);
        let records = self.set.training.iter().chain(&self.set.validation);
        records.fold(streamed, |hash, record| fnv1a_continued(hash, &record.to_bytes()))
    }

    /// The training positions of an epoch, all at once or in the parts of the stream, in an order of the seed's.
    pub(super) fn parts(&self, seed: u64) -> impl Iterator<Item = Result<Cow<'_, [Record]>, LoadError>> {
        let all = self.stream.is_none().then_some(Ok(Cow::Borrowed(&self.set.training[..])));
        let streamed = self.stream.iter().flat_map(move |stream| stream.parts(seed));
        all.into_iter().chain(streamed.map(|part| part.map(Cow::Owned)))
    }
}

/// The training positions in the files of a data set.
#[derive(Clone, Debug)]
struct Stream {
    files: Vec<StreamedFile>,
    filter: Filter,
    split: Split,
    scale: f32,
    /// Positions of a part. Two parts are in memory: that of the moment and the next one.
    part: usize,
}

#[derive(Clone, Debug)]
struct StreamedFile {
    path: PathBuf,
    /// Its training positions.
    positions: usize,
    /// A hash of them.
    hash: u64,
}

impl Stream {
    /// Reads all files once. From then on, at most `resident` of their training positions are in memory, but two
    /// files at least, since a file is read as a whole.
    ///
    /// # Errors
    /// See [`LoadError`].
    fn open(
        paths: &[PathBuf],
        filter: Filter,
        split: Split,
        scale: f32,
        resident: usize,
        threads: usize,
    ) -> Result<TrainingData, LoadError> {
        let mut parts: Vec<_> = paths.iter().map(|_| None).collect();
        in_parallel(threads.min(paths.len()), paths.iter().zip(&mut parts), |(path, part)| {
            *part = Some(Dataset::load_file(path, filter, split).map(|mut data| {
                let training = std::mem::take(&mut data.training);
                (StreamedFile { path: path.clone(), positions: training.len(), hash: hash(&training) }, data)
            }));
        });
        let (mut all, mut files) = (Dataset::default(), Vec::new());
        for part in parts.into_iter().flatten() {
            let (file, data) = part?;
            files.push(file);
            all = all.merged(data);
        }
        let stream = Self { files, filter, split, scale, part: resident / 2 };
        Ok(TrainingData { set: all.rescaled(scale), stream: Some(stream) })
    }

    /// The number of training positions.
    fn len(&self) -> usize {
        self.files.iter().map(|file| file.positions).sum()
    }

    /// A hash of the training positions.
    fn hash(&self) -> u64 {
        self.files.iter().fold(fnv1a(&[]), |hash, file| fnv1a_continued(hash, &file.hash.to_le_bytes()))
    }

    /// The parts of an epoch, in an order that the seed determines; the next one is read while one is in use.
    fn parts(&self, seed: u64) -> impl Iterator<Item = Result<Vec<Record>, LoadError>> {
        let order = Permutation::new(self.files.len(), seed);
        let mut groups: Vec<Vec<StreamedFile>> = Vec::new();
        let mut room = 0;
        for file in (0..self.files.len()).map(|i| &self.files[order.at(i)]) {
            match groups.last_mut().filter(|_| file.positions <= room) {
                Some(group) => group.push(file.clone()),
                None => {
                    groups.push(vec![file.clone()]);
                    room = self.part;
                }
            }
            room = room.saturating_sub(file.positions);
        }
        let (filter, split, scale) = (self.filter, self.split, self.scale);
        let mut rest = groups.into_iter();
        let mut read_next = move || rest.next().map(|group| thread::spawn(move || read(&group, filter, split, scale)));
        let mut reading = read_next();
        std::iter::from_fn(move || {
            let part = reading.take()?.join();
            reading = read_next();
            Some(part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }
}

/// The training positions of files, which must be as they were.
fn read(files: &[StreamedFile], filter: Filter, split: Split, scale: f32) -> Result<Vec<Record>, LoadError> {
    let mut part = Vec::new();
    for file in files {
        let data = Dataset::load_file(&file.path, filter, split)?;
        if hash(&data.training) != file.hash {
            return Err(LoadError::Changed(file.path.clone()));
        }
        part.extend(data.rescaled(scale).training);
    }
    Ok(part)
}

fn hash(records: &[Record]) -> u64 {
    records.iter().fold(fnv1a(&[]), |hash, record| fnv1a_continued(hash, &record.to_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{five_files, settings},
        *,
    };

    #[test]
    fn an_epoch_has_each_position_once_in_another_order() {
        let directory = tempfile::tempdir().unwrap();
        let paths = five_files(directory.path());
        let open =
            |resident| TrainingData::open(&paths, &TrainSettings { scale: Some(200), resident, ..settings() }).unwrap();
        let all = open(None);
        let parts = |data: &TrainingData, seed| -> Vec<Vec<Record>> {
            data.parts(seed).map(|part| part.unwrap().into_owned()).collect()
        };
        let sorted = |parts: &[Vec<Record>]| {
            let mut bytes: Vec<_> = parts.concat().iter().map(|record| record.to_bytes()).collect();
            bytes.sort_unstable();
            bytes
        };
        for (resident, count) in [(1, 5), (all.set.training.len(), 3), (10 * all.set.training.len(), 1)] {
            let data = open(Some(resident));
            assert!(data.set.training.is_empty() && data.len() == all.set.training.len());
            assert_eq!(data.set.validation, all.set.validation);
            let epoch = parts(&data, 5);
            assert!((1..=count).contains(&epoch.len()), "{} parts of {resident} positions", epoch.len());
            assert!(count == 1 || epoch.iter().all(|part| part.len() < all.set.training.len() / 2));
            assert_eq!(sorted(&epoch), sorted(std::slice::from_ref(&all.set.training)), "each position once");
            assert_ne!(epoch, parts(&data, 6));
        }
    }
}
