//! The network file: a 64-byte header, then the weights.

use std::{
    fmt,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use super::{
    arch::{Architecture, FEATURES, QA},
    network::Network,
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
        /// What is wrong with them.
        source: InvalidNetwork,
    },
}

/// What is wrong with the bytes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidNetwork {
    /// The magic number is missing.
    #[error("not a Sleight network")]
    Magic,
    /// The format version is not the one that this program reads.
    #[error("the network's file format is version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// The network has another architecture.
    #[error("the network is {found}, this program needs {needed}")]
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
    #[error("{0} bytes follow the network's end")]
    Trailing(usize),
    /// The checksum does not match.
    #[error("the network is damaged: its checksum is wrong")]
    Checksum,
    /// An output weight is too large for the 16-bit arithmetic of the kernels.
    #[error("the network has an output weight of {0}; the range is -{MAX_OUTPUT_WEIGHT} to {MAX_OUTPUT_WEIGHT}")]
    Weight(i16),
}

/// The name of an architecture as a network file states it, padded with zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArchitectureName([u8; NAME_BYTES]);

impl fmt::Display for ArchitectureName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(String::from_utf8_lossy(&self.0).trim_end_matches('\0'))
    }
}

const MAGIC: &[u8; 8] = b"SLEIGHT\n";
const VERSION: u32 = 1;
/// Bytes of the header: the magic number, then the fields at the offsets below, little-endian.
const HEADER: usize = 64;
const VERSION_AT: usize = 8;
const SCALE_AT: usize = 12;
const ARCHITECTURE_AT: usize = 16;
/// The name of the architecture, for a reader of a hex dump.
const NAME_AT: usize = 24;
const NAME_BYTES: usize = CHECKSUM_AT - NAME_AT;
/// The checksum of all other bytes of the file.
const CHECKSUM_AT: usize = 56;

/// The largest output weight: an activation, at most [`QA`], times its weight must fit in 16 bits.
const MAX_OUTPUT_WEIGHT: u16 = (i16::MAX as i32 / QA) as u16;

impl<const H: usize, const B: usize> Network<H, B> {
    /// The index of the first output weight in file order.
    const OUTPUT_START: usize = FEATURES * H + H;
    /// Bytes of the weights, without header and padding.
    const WEIGHTS: usize = 2 * (Self::OUTPUT_START + 2 * H * B + B);
    /// Bytes after the header: the weights, and zeros up to a multiple of 64.
    const BODY: usize = Self::WEIGHTS.next_multiple_of(64);

    /// Reads a network file.
    ///
    /// # Errors
    /// If the file is not a regular one, cannot be read, or is not accepted by [`Self::from_bytes`].
    pub fn from_file(path: &Path) -> Result<Box<Self>, NetworkError> {
        let failed = |source| NetworkError::Read { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        let enough = (HEADER + Self::BODY + 1) as u64;
        open_regular(path).and_then(|file| file.take(enough).read_to_end(&mut bytes)).map_err(failed)?;
        Self::from_bytes(&bytes).map_err(|source| NetworkError::Invalid { path: path.to_owned(), source })
    }

    /// Reads a network as [`Self::to_bytes`] writes it.
    ///
    /// # Errors
    /// If the bytes are anything else: another kind of file, another architecture, or a damaged network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Box<Self>, InvalidNetwork> {
        Self::validate(bytes)?;
        let scale = u32::from_le_bytes(field(bytes, SCALE_AT));
        Ok(Self::from_valid_weights(&bytes[HEADER..]).with_scale(scale))
    }

    /// Checks everything that [`Self::from_bytes`] requires; const, so that the embedded network is checked by the
    /// compiler.
    ///
    /// # Errors
    /// The first fault found.
    pub(super) const fn validate(bytes: &[u8]) -> Result<(), InvalidNetwork> {
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
        let intact = u64::from_le_bytes(field(bytes, CHECKSUM_AT)) == checksum(bytes);
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
        Self::validate_weights(bytes.split_at(HEADER).1)
    }

    /// Checks that the kernels' arithmetic cannot overflow.
    const fn validate_weights(body: &[u8]) -> Result<(), InvalidNetwork> {
        let mut i = Self::OUTPUT_START;
        while i < Self::OUTPUT_START + 2 * H * B {
            let weight = i16::from_le_bytes([body[2 * i], body[2 * i + 1]]);
            if weight.unsigned_abs() > MAX_OUTPUT_WEIGHT {
                return Err(InvalidNetwork::Weight(weight));
            }
            i += 1;
        }
        Ok(())
    }

    /// Reads bare weights, as bullet writes them when it quantizes: feature weights, feature bias, output weights (by
    /// bucket), output bias, padded with anything to a multiple of 64 bytes.
    ///
    /// # Errors
    /// If the length is not that of this architecture's weights, padded or not, or a weight is out of range.
    pub fn from_bare_weights(bytes: &[u8]) -> Result<Box<Self>, InvalidNetwork> {
        match bytes.len() {
            found if found < Self::WEIGHTS => Err(InvalidNetwork::Truncated { found, needed: Self::WEIGHTS }),
            found if found > Self::BODY => Err(InvalidNetwork::Trailing(found - Self::BODY)),
            _ => Self::validate_weights(bytes).map(|()| Self::from_valid_weights(bytes)),
        }
    }

    fn from_valid_weights(bytes: &[u8]) -> Box<Self> {
        let mut words = bytes.as_chunks().0.iter().map(|&word| i16::from_le_bytes(word));
        Self::from_fn(|| words.next().unwrap_or_default())
    }

    /// The network as the contents of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; HEADER + Self::BODY];
        let weights = self.weights().flat_map(i16::to_le_bytes);
        bytes[HEADER..].iter_mut().zip(weights).for_each(|(byte, weight)| *byte = weight);
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(0, MAGIC);
        put(VERSION_AT, &VERSION.to_le_bytes());
        put(SCALE_AT, &self.scale().to_le_bytes());
        put(ARCHITECTURE_AT, &Self::ARCHITECTURE.hash().to_le_bytes());
        let name = Self::ARCHITECTURE.to_string();
        put(NAME_AT, &name.as_bytes()[..name.len().min(NAME_BYTES)]);
        let checksum = checksum(&bytes);
        bytes[CHECKSUM_AT..HEADER].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

/// The checksum of a file of at least a header, except for the checksum itself.
const fn checksum(bytes: &[u8]) -> u64 {
    let (header, body) = bytes.split_at(HEADER);
    fnv1a_continued(fnv1a(header.split_at(CHECKSUM_AT).0), body)
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
