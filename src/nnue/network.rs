//! The weights, and the file that brings them.

use std::{
    fmt,
    io::{self, Read as _},
    ops::Range,
    path::{Path, PathBuf},
};

use bytemuck::{Zeroable, allocation::zeroed_box};

use super::{Architecture, BUCKETS, FEATURES, HIDDEN, QA, QB, SCALE, bucket_of, kernels::Kernel};
use crate::util::{Rng, fnv1a, fnv1a_continued, open_regular};

/// One number for each neuron of the hidden layer.
#[derive(Clone, Copy, PartialEq, Eq, Zeroable)]
#[repr(C, align(64))]
pub struct Row<const H: usize>(pub [i16; H]);

impl<const H: usize> Row<H> {
    /// All zero.
    pub const ZERO: Self = Self([0; H]);

    /// The numbers in vectors of `W`, which divides `H`.
    #[inline(always)]
    pub(super) fn vectors<const W: usize>(&self) -> &[[i16; W]] {
        const { assert!(H.is_multiple_of(W)) };
        self.0.as_chunks().0
    }

    /// As [`Self::vectors`], to be written.
    #[inline(always)]
    pub(super) fn vectors_mut<const W: usize>(&mut self) -> &mut [[i16; W]] {
        const { assert!(H.is_multiple_of(W)) };
        self.0.as_chunks_mut().0
    }
}

/// A trained network, quantised: `H` neurons a perspective, `B` outputs.
#[derive(PartialEq, Eq, Zeroable)]
#[repr(C, align(64))]
pub struct Network<const H: usize = HIDDEN, const B: usize = BUCKETS> {
    features: [Row<H>; FEATURES],
    bias: Row<H>,
    /// For each output, the weights of the side to move and of the other side.
    output: [[Row<H>; 2]; B],
    output_bias: [i16; B],
    /// Centipawns for an output of 1.0.
    scale: u32,
}

/// Why a network was refused.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file does not begin like a network.
    #[error("not a Sleight network")]
    Magic,
    /// The file was written by a program that is newer or older.
    #[error("the network's file format is version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// The network has another shape.
    #[error("the network is {found}, this program needs {needed}")]
    Architecture {
        /// What the file says of itself.
        found: String,
        /// What would have been accepted.
        needed: Architecture,
    },
    /// The file ends too early.
    #[error("the network is cut off: {found} bytes, {needed} are needed")]
    Truncated {
        /// The file's length, in bytes.
        found: usize,
        /// The length it ought to have.
        needed: usize,
    },
    /// The file goes on after the network's end.
    #[error("{0} bytes follow the network's end")]
    Trailing(usize),
    /// The weights are not those that were written.
    #[error("the network is damaged: its checksum is wrong")]
    Checksum,
    /// An output weight is too large for the arithmetic of the kernels.
    #[error("the network has an output weight of {0}; at most {MAX_OUTPUT_WEIGHT} either way is allowed")]
    Weight(i16),
}

const MAGIC: &[u8; 8] = b"SLEIGHT\n";
const VERSION: u32 = 1;
/// Magic; version; scale; the architecture's hash, and the architecture in words, for those who read it in a hex
/// dump; the checksum of everything else.
const HEADER: usize = 64;
const WORDS: Range<usize> = 24..CHECKSUM;
const CHECKSUM: usize = 56;

/// A neuron's value, at most [`QA`], times its weight must fit 16 bits.
const MAX_OUTPUT_WEIGHT: u16 = (i16::MAX as i32 / QA) as u16;

impl<const H: usize, const B: usize> Network<H, B> {
    /// The shape of this kind of network.
    pub const ARCHITECTURE: Architecture = Architecture { hidden: H, buckets: B };

    /// How many weights come before those of the outputs.
    const OUTPUT: usize = FEATURES * H + H;
    /// Bytes of the weights alone, without header and padding.
    const WEIGHTS: usize = 2 * (Self::OUTPUT + 2 * H * B + B);
    /// Bytes after the header: the weights, and zeros up to a multiple of 64.
    const BODY: usize = Self::WEIGHTS.next_multiple_of(64);

    /// Reads a network file.
    ///
    /// # Errors
    /// When the file is none, such as a pipe, or cannot be read, or is not what [`Self::from_bytes`] accepts.
    pub fn from_file(path: &Path) -> Result<Box<Self>, NetworkError> {
        let failed = |source| NetworkError::Read { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        let enough = (HEADER + Self::BODY + 1) as u64;
        open_regular(path).and_then(|file| file.take(enough).read_to_end(&mut bytes)).map_err(failed)?;
        Self::from_bytes(&bytes)
    }

    /// Reads a network as [`Self::to_bytes`] writes it.
    ///
    /// # Errors
    /// When the bytes are anything else: another kind of file, another architecture, or a damaged network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Box<Self>, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetworkError::Magic);
        }
        let needed = HEADER + Self::BODY;
        let truncated = NetworkError::Truncated { found: bytes.len(), needed };
        let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else { return Err(truncated) };
        let version = u32::from_le_bytes(field(header, 8));
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        if u64::from_le_bytes(field(header, 16)) != Self::ARCHITECTURE.hash() {
            let found = String::from_utf8_lossy(&header[WORDS]).trim_end_matches('\0').to_owned();
            let needed = Self::ARCHITECTURE;
            let damaged = found == needed.to_string();
            return Err(if damaged { NetworkError::Checksum } else { NetworkError::Architecture { found, needed } });
        }
        if body.len() < Self::BODY {
            return Err(truncated);
        }
        if body.len() > Self::BODY {
            return Err(NetworkError::Trailing(body.len() - Self::BODY));
        }
        if u64::from_le_bytes(field(header, CHECKSUM)) != checksum(header, body) {
            return Err(NetworkError::Checksum);
        }
        Ok(Self::from_weights(body)?.with_scale(u32::from_le_bytes(field(header, 12))))
    }

    /// Whether [`Self::from_bytes`] accepts a file: for the compiler, which cannot run that one.
    pub(super) const fn is_acceptable(bytes: &[u8]) -> bool {
        if bytes.len() != HEADER + Self::BODY {
            return false;
        }
        let hash = Self::ARCHITECTURE.hash().to_le_bytes();
        let version = VERSION.to_le_bytes();
        let (header, body) = bytes.split_at(HEADER);
        let sum = checksum(header, body).to_le_bytes();
        let mut i = 0;
        while i < 8 {
            let fits = header[i] == MAGIC[i] && header[16 + i] == hash[i] && header[CHECKSUM + i] == sum[i];
            if !fits || i < version.len() && header[8 + i] != version[i] {
                return false;
            }
            i += 1;
        }
        let mut i = Self::OUTPUT;
        while i < Self::OUTPUT + 2 * H * B {
            if i16::from_le_bytes([body[2 * i], body[2 * i + 1]]).unsigned_abs() > MAX_OUTPUT_WEIGHT {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Reads bare weights, as bullet writes them when it quantises: feature weights, feature bias, output weights
    /// (by output), output bias, padded to a multiple of 64 with anything.
    ///
    /// # Errors
    /// When the length is not that of this architecture's weights, padded or not.
    pub fn from_bare_weights(bytes: &[u8]) -> Result<Box<Self>, NetworkError> {
        match bytes.len() {
            found if found < Self::WEIGHTS => Err(NetworkError::Truncated { found, needed: Self::WEIGHTS }),
            found if found > Self::BODY => Err(NetworkError::Trailing(found - Self::BODY)),
            _ => Self::from_weights(bytes),
        }
    }

    fn from_weights(bytes: &[u8]) -> Result<Box<Self>, NetworkError> {
        let mut words = bytes.as_chunks().0.iter().map(|&word| i16::from_le_bytes(word));
        let network = Self::from_fn(|| words.next().unwrap_or_default());
        let weights = network.output.as_flattened().iter().flat_map(|row| row.0);
        match weights.into_iter().find(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT) {
            Some(weight) => Err(NetworkError::Weight(weight)),
            None => Ok(network),
        }
    }

    /// The network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; HEADER + Self::BODY];
        let weights = self.weights().flat_map(i16::to_le_bytes);
        bytes[HEADER..].iter_mut().zip(weights).for_each(|(byte, weight)| *byte = weight);
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.scale.to_le_bytes());
        bytes[16..24].copy_from_slice(&Self::ARCHITECTURE.hash().to_le_bytes());
        let words = Self::ARCHITECTURE.to_string();
        bytes[WORDS].iter_mut().zip(words.bytes()).for_each(|(byte, letter)| *byte = letter);
        let (header, body) = bytes.split_at_mut(HEADER);
        let checksum = checksum(header, body);
        header[CHECKSUM..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// A network that knows nothing, decided by `seed` alone: for tests, and for a first generation of games.
    pub fn random(seed: u64) -> Box<Self> {
        let mut rng = Rng::new(seed);
        // Small enough that every sum stays in the range that a trained network keeps to.
        Self::from_fn(|| rng.below(255) as i16 - 127)
    }

    /// The same network, with so many centipawns for an output of 1.0.
    #[must_use]
    pub fn with_scale(mut self: Box<Self>, scale: u32) -> Box<Self> {
        self.scale = scale;
        self
    }

    /// A network of [`SCALE`] whose weights are the results of `next`, called once for each in the order of
    /// the file.
    pub fn from_fn(mut next: impl FnMut() -> i16) -> Box<Self> {
        // A literal would be built on the stack first.
        let mut network: Box<Self> = zeroed_box();
        network.for_each_weight(|weight| *weight = next());
        network.with_scale(SCALE)
    }

    /// All weights, in the order of the file.
    fn weights(&self) -> impl Iterator<Item = i16> {
        let rows = self.features.iter().chain([&self.bias]).chain(self.output.as_flattened());
        rows.flat_map(|row| row.0).chain(self.output_bias)
    }

    fn for_each_weight(&mut self, mut visit: impl FnMut(&mut i16)) {
        let rows = self.features.iter_mut().chain([&mut self.bias]).chain(self.output.as_flattened_mut());
        rows.flat_map(|row| &mut row.0).chain(&mut self.output_bias).for_each(&mut visit);
    }

    /// The weights from one input to the hidden layer.
    #[inline(always)]
    pub(super) fn feature(&self, index: usize) -> &Row<H> {
        &self.features[index]
    }

    /// What the hidden layer is when no input is on.
    #[inline(always)]
    pub(super) fn bias(&self) -> &Row<H> {
        &self.bias
    }

    /// The output for a board with so many men, in centipawns for the side to move, whose hidden layer is `ours`.
    #[inline(always)]
    pub(super) fn output(&self, kernel: Kernel, ours: &Row<H>, theirs: &Row<H>, men: usize) -> i32 {
        let bucket = bucket_of(B, men);
        let sum = kernel.output(ours, theirs, &self.output[bucket]);
        let output = i64::from(sum / QA) + i64::from(self.output_bias[bucket]);
        (output * i64::from(self.scale) / i64::from(QA * QB)) as i32
    }
}

impl<const H: usize, const B: usize> fmt::Debug for Network<H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({})", Self::ARCHITECTURE)
    }
}

impl<const H: usize> fmt::Debug for Row<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Of the whole file except the checksum, which is the header's end.
const fn checksum(header: &[u8], body: &[u8]) -> u64 {
    let (covered, _) = header.split_at(CHECKSUM);
    fnv1a_continued(fnv1a(covered), body)
}

fn field<const N: usize>(header: &[u8; HEADER], at: usize) -> [u8; N] {
    std::array::from_fn(|i| header[at + i])
}
