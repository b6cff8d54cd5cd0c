//! Checkpoints: the state of a training on disk, from which it can be resumed.

use std::{
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use super::epochs::Epoch;
use sleight::util::{fnv1a, open_regular};

/// All state of a training, apart from the data and the settings: resuming gives the same bits as an uninterrupted run.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Checkpoint {
    /// A hash of the settings, the architecture and the data.
    pub(super) identity: u64,
    /// Optimizer steps taken.
    pub(super) steps: u64,
    pub(super) weights: Vec<f32>,
    /// AdamW's first and second moments.
    pub(super) first_moments: Vec<f32>,
    pub(super) second_moments: Vec<f32>,
    /// The weights of the lowest validation loss so far.
    pub(super) best: Vec<f32>,
    /// The part of the unfinished epoch that is done.
    pub(super) partial: PartialEpoch,
    pub(super) epochs: Vec<Epoch>,
}

/// The part of an epoch that is done.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct PartialEpoch {
    /// Positions that the weights were trained on.
    pub(super) trained: u64,
    /// The sum of their losses.
    pub(super) loss: f64,
    /// The time that this took, in seconds.
    pub(super) seconds: f64,
}

/// Why a training cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckpointError {
    /// There is none.
    #[error("{}: no checkpoint is there; the training was not begun, or is finished", .0.display())]
    Missing(PathBuf),
    /// The file cannot be read.
    #[error("cannot read the checkpoint: {0}")]
    Read(#[from] io::Error),
    /// The file is not a whole checkpoint.
    #[error("the checkpoint is damaged")]
    Damaged,
    /// The file belongs to a training with other data or settings.
    #[error("the checkpoint belongs to a training with other data or settings")]
    Other,
}

const MAGIC: u64 = u64::from_le_bytes(*b"SLTRAIN2");

impl Checkpoint {
    /// Reads the checkpoint of the training with that identity and number of weights.
    ///
    /// # Errors
    /// See [`CheckpointError`].
    pub(super) fn read(path: &Path, identity: u64, weights: usize) -> Result<Self, CheckpointError> {
        let mut bytes = Vec::new();
        open_regular(path)?.read_to_end(&mut bytes)?;
        let checkpoint = Self::from_bytes(&bytes).ok_or(CheckpointError::Damaged)?;
        if checkpoint.identity != identity {
            return Err(CheckpointError::Other);
        }
        if checkpoint.weights.len() == weights { Ok(checkpoint) } else { Err(CheckpointError::Damaged) }
    }

    /// Reads the checkpoint of any training; `None` if no checkpoint begins there.
    ///
    /// # Errors
    /// If it is damaged.
    pub(super) fn read_any(path: &Path) -> Result<Option<Self>, CheckpointError> {
        let mut bytes = Vec::new();
        // A file that cannot be read may be meant as a network, whose reader says why.
        let is_read = open_regular(path).and_then(|mut file| file.read_to_end(&mut bytes)).is_ok();
        if !is_read || !bytes.starts_with(&MAGIC.to_le_bytes()) {
            return Ok(None);
        }
        Self::from_bytes(&bytes).map(Some).ok_or(CheckpointError::Damaged)
    }

    /// The contents of the file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            [MAGIC, self.identity, self.steps, self.weights.len() as u64].map(u64::to_le_bytes).concat();
        bytes.extend(self.partial.trained.to_le_bytes());
        bytes.extend([self.partial.loss, self.partial.seconds].map(f64::to_le_bytes).as_flattened());
        bytes.extend((self.epochs.len() as u64).to_le_bytes());
        for list in [&self.weights, &self.first_moments, &self.second_moments, &self.best] {
            bytes.extend(list.iter().flat_map(|value| value.to_le_bytes()));
        }
        for epoch in &self.epochs {
            bytes.extend(epoch.to_fields().iter().flat_map(|field| field.to_le_bytes()));
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (body, checksum) = bytes.split_last_chunk::<8>()?;
        let (header, body) = body.split_first_chunk::<64>()?;
        let word = |i: usize| u64::from_le_bytes(std::array::from_fn(|byte| header[8 * i + byte]));
        let is_whole = word(0) == MAGIC && fnv1a(&bytes[..bytes.len() - 8]) == u64::from_le_bytes(*checksum);
        let len = usize::try_from(word(3)).ok()?;
        if !is_whole {
            return None;
        }
        let (lists, epochs) = body.split_at_checked(len.checked_mul(4 * 4)?)?;
        let floats: Vec<f32> = lists.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        let list = |i: usize| floats[i * len..(i + 1) * len].to_vec();
        let (fields, cut_field) = epochs.as_chunks();
        let fields: Vec<f64> = fields.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
        let (epochs, cut_epoch) = fields.as_chunks();
        if epochs.len() as u64 != word(7) || !cut_field.is_empty() || !cut_epoch.is_empty() {
            return None;
        }
        let epochs = epochs.iter().map(Epoch::from_fields).collect();
        let partial =
            PartialEpoch { trained: word(4), loss: f64::from_bits(word(5)), seconds: f64::from_bits(word(6)) };
        Some(Self {
            identity: word(1),
            steps: word(2),
            weights: list(0),
            first_moments: list(1),
            second_moments: list(2),
            best: list(3),
            partial,
            epochs,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// With a checksum that is right.
    fn resealed(bytes: &[u8]) -> Vec<u8> {
        [bytes, &fnv1a(bytes).to_le_bytes()].concat()
    }

    #[test]
    fn checkpoints_round_trip_and_damage_is_found() {
        let list = |seed: f32| (0..100).map(|i| i as f32 * seed).collect::<Vec<_>>();
        let epoch = Epoch { number: 1, training_loss: 0.5, validation_loss: 0.25, ..Epoch::default() };
        let checkpoint = Checkpoint {
            identity: 7,
            steps: 3,
            weights: list(0.1),
            first_moments: list(0.2),
            second_moments: list(0.3),
            best: list(0.4),
            partial: PartialEpoch { trained: 5, loss: 0.5, seconds: 1.5 },
            epochs: vec![epoch; 3],
        };
        let path = std::env::temp_dir().join(format!("sleight-checkpoint-{}", std::process::id()));
        fs::write(&path, checkpoint.to_bytes()).unwrap();
        assert_eq!(Checkpoint::read(&path, 7, 100).unwrap(), checkpoint);
        assert!(matches!(Checkpoint::read(&path, 8, 100), Err(CheckpointError::Other)));
        assert!(matches!(Checkpoint::read(&path, 7, 99), Err(CheckpointError::Damaged)), "too many weights");
        fs::remove_file(&path).unwrap();
        assert!(matches!(Checkpoint::read(&path, 7, 100), Err(CheckpointError::Read(_))));

        let mut bytes = checkpoint.to_bytes();
        assert!(Checkpoint::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        bytes[50] ^= 1;
        assert!(Checkpoint::from_bytes(&bytes).is_none());
        bytes[50] ^= 1;
        bytes.truncate(bytes.len() - 8);
        assert!(Checkpoint::from_bytes(&resealed(&bytes)).is_some());
        for missing in [1, 8, 3 * 6 * 8] {
            let shorter = resealed(&bytes[..bytes.len() - missing]);
            assert!(Checkpoint::from_bytes(&shorter).is_none(), "{missing} bytes of the epochs are missing");
        }
        bytes[24..32].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(Checkpoint::from_bytes(&resealed(&bytes)).is_none(), "more weights than bytes");
    }
}
