//! A Stockfish network in memory.

use std::{io::Read as _, path::Path};

use super::{
    architecture::{Architecture, BUCKETS, KNOWN},
    features::{PIECE_FEATURES, THREAT_FEATURES, Threats},
    layers::LayerStack,
    network_file::{FileReader, NetworkError, VERSION},
};
use crate::train::Aligned;
use sleight::util::{fnv1a, open_regular};

/// The outputs that are sums over the features alone, for each bucket.
pub(super) type Psqt = [i32; BUCKETS];

/// The weights of one kind of features.
pub(super) struct FeatureWeights<W> {
    /// By feature, then by neuron.
    pub neurons: Aligned<W>,
    /// By feature.
    pub psqt: Vec<Psqt>,
}

impl<W: bytemuck::Pod> FeatureWeights<W> {
    fn zeros(features: usize, width: usize) -> Self {
        Self { neurons: Aligned::zeros(features * width), psqt: vec![[0; BUCKETS]; features] }
    }
}

/// A network, as its file holds it.
pub(crate) struct Network {
    pub(super) architecture: Architecture,
    /// Identifies the file.
    pub(super) checksum: u64,
    pub(super) biases: Aligned<i16>,
    pub(super) pieces: FeatureWeights<i16>,
    pub(super) threats: FeatureWeights<i8>,
    pub(super) threat_numbers: Threats,
    pub(super) stacks: Vec<LayerStack>,
}

impl Network {
    /// Reads the file of a network.
    ///
    /// # Errors
    /// See [`NetworkError`].
    pub(crate) fn open(path: &Path) -> Result<Self, NetworkError> {
        let mut bytes = Vec::new();
        open_regular(path)?.read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes, &KNOWN)
    }

    /// Reads a network of one of the architectures in `known`.
    pub(super) fn from_bytes(bytes: &[u8], known: &[Architecture]) -> Result<Self, NetworkError> {
        let mut file = FileReader::new(bytes);
        let architecture = read_header(&mut file, known)?;
        let (width, stack_hash) = (architecture.width, architecture.stack_hash());
        file.hash(architecture.transformer_hash(), "feature transformer")?;
        let mut biases = Aligned::zeros(width);
        file.integers(&mut [&mut biases], "biases")?;
        let mut pieces = FeatureWeights::zeros(PIECE_FEATURES, width);
        let mut threats = FeatureWeights::zeros(if architecture.threats { THREAT_FEATURES } else { 0 }, width);
        file.plain(&mut threats.neurons, "threat weights")?;
        file.integers(&mut [&mut pieces.neurons], "feature weights")?;
        let psqt = &mut [threats.psqt.as_flattened_mut(), pieces.psqt.as_flattened_mut()];
        file.integers(psqt, "piece-square weights")?;
        let mut stacks = Vec::new();
        for _ in 0..BUCKETS {
            file.hash(stack_hash, "layers")?;
            stacks.push(LayerStack::read(&mut file, width)?);
        }
        file.end()?;
        let (checksum, threat_numbers) = (fnv1a(bytes), Threats::new());
        Ok(Self { architecture, checksum, biases, pieces, threats, threat_numbers, stacks })
    }
}

fn read_header(file: &mut FileReader<'_>, known: &[Architecture]) -> Result<Architecture, NetworkError> {
    const PART: &str = "header";
    let version = file.u32(PART)?;
    if version != VERSION {
        return Err(NetworkError::Version(version));
    }
    let hash = file.u32(PART)?;
    let len = file.u32(PART)? as usize;
    let description = file.bytes(len, PART)?;
    known.iter().find(|architecture| architecture.hash() == hash).copied().ok_or_else(|| {
        let names: Vec<_> = known.iter().map(|architecture| architecture.name).collect();
        let description = String::from_utf8_lossy(&description[..len.min(80)]).escape_debug().to_string();
        NetworkError::Architecture { hash, description, known: names.join(", ") }
    })
}
