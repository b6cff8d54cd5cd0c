//! The network file: a 128-byte header, then the weights.

use std::{
    fmt,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use super::{
    architecture::{Architecture, INPUT_BUCKETS, INPUTS, L2, L3},
    header::{
        ARCHITECTURE_AT, CHECKSUM_AT, HEADER, HIDDEN_AT, INPUT_BUCKETS_AT, MAGIC, NAME_AT, NAME_BYTES, SCALE_AT,
        VERSION, VERSION_AT,
    },
    network::{Network, Weight, WeightSource},
};
use crate::util::{fnv1a, fnv1a_continued, open_regular};

/// Why a network file was refused.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The contents are no network of this architecture.
    #[error("{}: {source}", path.display())]
    Invalid {
        /// The path of the file.
        path: PathBuf,
        /// The fault in them.
        source: InvalidNetwork,
    },
}

/// A fault in the bytes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidNetwork {
    /// The magic number is missing.
    #[error("not a Sleight network")]
    Magic,
    /// The format version is not the one that this program reads.
    #[error("the network's file format is version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// The network has another architecture.
    #[error(
        "the network is {found}{}, this program needs {needed}",
        if found.to_string() == needed.to_string() { " with other features or quantization" } else { "" }
    )]
    Architecture {
        /// The architecture in the header.
        found: ArchitectureName,
        /// The architecture of this program.
        needed: Architecture,
    },
    /// The file ends too early.
    #[error("the network is cut off: {found} bytes, {needed} are needed")]
    Truncated {
        /// The length of the file, in bytes.
        found: usize,
        /// The length of a whole file, in bytes.
        needed: usize,
    },
    /// There are bytes after the end of the network.
    #[error("at least {0} bytes follow the network's end")]
    Trailing(usize),
    /// The checksum does not match.
    #[error("the network is damaged: its checksum is wrong")]
    Checksum,
    /// The scale, internal units for an output of 1, is 0 or absurdly large.
    #[error("the network's scale is {0}, expected 1 to {MAX_SCALE}")]
    Scale(u32),
    /// A bias of the first hidden layer, or a weight or bias of the layers behind it, is too large, or not a number.
    #[error("the network has a weight beyond {MAX_WEIGHT}, or one that is not a number")]
    Weight,
}

/// The name of an architecture as a network file states it, padded with zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArchitectureName([u8; NAME_BYTES]);

impl fmt::Display for ArchitectureName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A name from outside: unprintable characters are escaped.
        write!(f, "{}", String::from_utf8_lossy(&self.0).trim_end_matches('\0').escape_debug())
    }
}

/// Bytes read of a file at most: many times a network of any architecture that the trainer knows.
const MAX_FILE: u64 = 64 << 20;

/// The largest scale, in internal units for an output of 1: a hundred times that of any network so far.
const MAX_SCALE: u32 = 20_000;

/// The largest magnitude of a weight behind the first hidden layer, and of that layer's biases.
const MAX_WEIGHT: f32 = 1000.0;

impl<const H: usize, const B: usize> Network<H, B> {
    /// Bytes of the weights before the floats: the feature transformer's, and the first hidden layer's.
    const FLOATS_AT: usize = 2 * (INPUTS + 1) * H + B * L2 * H;
    /// Bytes of the weights, without header and padding.
    const WEIGHTS: usize = Self::FLOATS_AT + 4 * B * (L2 + (L2 - 1) * L3 + L3 + L3);
    /// Bytes after the header: the weights, and zeros up to a multiple of 64.
    const BODY: usize = Self::WEIGHTS.next_multiple_of(64);

    /// Reads a network file.
    ///
    /// # Errors
    /// If the file is not a regular one, cannot be read, or is not accepted by [`Self::from_bytes`].
    pub fn from_file(path: &Path) -> Result<Box<Self>, NetworkError> {
        let failed = |source| NetworkError::Read { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        // Not only the bytes of this architecture: the checksum of another network tells it from a damaged file.
        open_regular(path).and_then(|file| file.take(MAX_FILE).read_to_end(&mut bytes)).map_err(failed)?;
        Self::from_bytes(&bytes).map_err(|source| NetworkError::Invalid { path: path.to_owned(), source })
    }

    /// Reads a network as [`Self::to_bytes`] writes it.
    ///
    /// # Errors
    /// If the bytes are anything else: another kind of file, another architecture, or a damaged network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Box<Self>, InvalidNetwork> {
        Self::validate(bytes, checksum(bytes))?;
        Ok(Self::from_valid_bytes(bytes))
    }

    /// Reads a network that [`Self::validate`] has accepted.
    pub(super) fn from_valid_bytes(bytes: &[u8]) -> Box<Self> {
        let scale = u32::from_le_bytes(field(bytes, SCALE_AT));
        Self::from_source(&mut Bytes(&bytes[HEADER..])).with_scale(scale)
    }

    /// Checks everything that [`Self::from_bytes`] requires, given the [`checksum`]; const, so that the embedded
    /// network is checked by the compiler.
    ///
    /// # Errors
    /// The first fault found.
    pub(super) const fn validate(bytes: &[u8], checksum: u64) -> Result<(), InvalidNetwork> {
        let needed = HEADER + Self::BODY;
        let mut i = 0;
        while i < MAGIC.len() {
            if i >= bytes.len() || bytes[i] != MAGIC[i] {
                return Err(InvalidNetwork::Magic);
            }
            i += 1;
        }
        if bytes.len() < HEADER {
            return Err(InvalidNetwork::Truncated { found: bytes.len(), needed });
        }
        let version = u32::from_le_bytes(field(bytes, VERSION_AT));
        if version != VERSION {
            return Err(InvalidNetwork::Version(version));
        }
        let intact = u64::from_le_bytes(field(bytes, CHECKSUM_AT)) == checksum;
        if u64::from_le_bytes(field(bytes, ARCHITECTURE_AT)) != Self::ARCHITECTURE.hash() {
            let found = ArchitectureName(field(bytes, NAME_AT));
            let other = InvalidNetwork::Architecture { found, needed: Self::ARCHITECTURE };
            return Err(if intact { other } else { InvalidNetwork::Checksum });
        }
        if bytes.len() < needed {
            return Err(InvalidNetwork::Truncated { found: bytes.len(), needed });
        }
        if bytes.len() > needed {
            return Err(InvalidNetwork::Trailing(bytes.len() - needed));
        }
        if !intact {
            return Err(InvalidNetwork::Checksum);
        }
        let scale = u32::from_le_bytes(field(bytes, SCALE_AT));
        if scale == 0 || scale > MAX_SCALE {
            return Err(InvalidNetwork::Scale(scale));
        }
        Self::validate_weights(bytes.split_at(HEADER).1)
    }

    /// Checks that no sum of the floats is infinite. No integer weight makes the kernels' arithmetic overflow.
    const fn validate_weights(body: &[u8]) -> Result<(), InvalidNetwork> {
        let mut at = Self::FLOATS_AT;
        while at < Self::WEIGHTS {
            let weight = f32::from_le_bytes(field(body, at));
            if weight.is_nan() || weight.abs() > MAX_WEIGHT {
                return Err(InvalidNetwork::Weight);
            }
            at += 4;
        }
        Ok(())
    }

    /// The network as the contents of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        self.for_each_weight(|weight| match weight {
            Weight::Feature(weight) => bytes.extend(weight.to_le_bytes()),
            Weight::L1(weight) => bytes.extend(weight.to_le_bytes()),
            Weight::Float(weight) => bytes.extend(weight.to_le_bytes()),
        });
        bytes.resize(HEADER + Self::BODY, 0);
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(0, MAGIC);
        put(VERSION_AT, &VERSION.to_le_bytes());
        put(SCALE_AT, &self.scale().to_le_bytes());
        put(ARCHITECTURE_AT, &Self::ARCHITECTURE.hash().to_le_bytes());
        put(HIDDEN_AT, &(H as u32).to_le_bytes());
        put(INPUT_BUCKETS_AT, &(INPUT_BUCKETS as u32).to_le_bytes());
        let name = Self::ARCHITECTURE.to_string();
        put(NAME_AT, &name.as_bytes()[..name.len().min(NAME_BYTES)]);
        let checksum = checksum(&bytes);
        bytes[CHECKSUM_AT..HEADER].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

/// The weights in the body of a file, from its start on; zeros after its end.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next<const N: usize>(&mut self) -> [u8; N] {
        let Some((first, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *first
    }
}

impl WeightSource for Bytes<'_> {
    fn feature(&mut self) -> i16 {
        i16::from_le_bytes(self.next())
    }

    fn l1(&mut self) -> i8 {
        i8::from_le_bytes(self.next())
    }

    fn float(&mut self) -> f32 {
        f32::from_le_bytes(self.next())
    }
}

/// The checksum of a file, except for the checksum itself.
fn checksum(bytes: &[u8]) -> u64 {
    let (header, body) = bytes.split_at(bytes.len().min(HEADER));
    fnv1a_continued(fnv1a(&header[..header.len().min(CHECKSUM_AT)]), body)
}

/// `N` bytes of the header.
const fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut field = [0; N];
    let mut i = 0;
    while i < N {
        field[i] = bytes[at + i];
        i += 1;
    }
    field
}
