//! The architecture of the network: its dimensions, quantization and scale.

use std::fmt;

use crate::util::fnv1a;

/// A number that the build script read in the header of the network to embed.
const fn of_embedded_network(text: &str) -> usize {
    match usize::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => panic!("the build script's number is none"),
    }
}

/// L1: neurons of the feature transformer, for each perspective. A multiple of 128; as wide as the network to embed.
pub const HIDDEN: usize = of_embedded_network(env!("SLEIGHT_NETWORK_HIDDEN"));
/// King buckets: sets of feature weights, of which the square of a perspective's own king selects one. As many as the
/// network to embed has.
pub const INPUT_BUCKETS: usize = of_embedded_network(env!("SLEIGHT_NETWORK_INPUT_BUCKETS"));
/// L2: outputs of the first hidden layer. The last of them is the skip connection to the network's output; the others
/// go on to the next layer.
pub const L2: usize = 16;
/// L3: neurons of the second hidden layer.
pub const L3: usize = 32;
/// Output buckets, each with a layer stack of its own; the number of pieces on the board selects one. At most 32.
pub const BUCKETS: usize = 8;

/// Input features of a perspective and king bucket: own or opponent's piece, six piece types, 64 squares.
pub const FEATURES: usize = 768;
/// Input features of a perspective: those of all king buckets.
pub const INPUTS: usize = FEATURES * INPUT_BUCKETS;
/// Quantization of the feature transformer: the integer that stands for 1.0 in its weights and accumulators.
pub const QA: i32 = 255;
/// Quantization of the first hidden layer's inputs: the integer that stands for an activation of 1.0.
pub const Q_ACTIVATION: i32 = 127;
/// Quantization of the first hidden layer's weights: the integer that stands for 1.0.
pub const QB: i32 = 128;
/// The right shift from the product of two clipped accumulator values, at most `QA * QA`, to an activation.
pub const ACTIVATION_SHIFT: u32 = 9;
/// The factor of the skip connection: its weights are at most 0.99 like the others of its layer, and need the range.
pub const SKIP_FACTOR: f32 = 2.0;
/// Internal units of score for a network output of 1.0, which stands for an expected result of `1 / (1 + e^-1)`,
/// about 0.73, in a network whose file or trainer does not state another scale. One internal unit is near a centipawn,
/// but not equal: see `eval::to_centipawns`.
pub const SCALE: u32 = 220;

/// The dimensions of a network, as its file states them. The rest is the same for all: horizontally mirrored
/// features, two perspectives, pairwise products, the hidden layers and the quantization above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// King buckets.
    pub input_buckets: usize,
    /// Hidden neurons of each perspective.
    pub hidden: usize,
    /// Output buckets.
    pub buckets: usize,
}

// The hash holds it as an integer.
const _: () = assert!(SKIP_FACTOR == SKIP_FACTOR as usize as f32);

impl Architecture {
    /// A hash of the architecture, stored in network files. A change of the features or the activation has to be
    /// mixed into it.
    pub const fn hash(self) -> u64 {
        let numbers = [
            FEATURES,
            self.input_buckets,
            self.hidden,
            self.buckets,
            QA as usize,
            QB as usize,
            L2,
            L3,
            Q_ACTIVATION as usize,
            ACTIVATION_SHIFT as usize,
            SKIP_FACTOR as usize,
        ];
        let mut bytes = [0; 2 * 11];
        let mut i = 0;
        while i < numbers.len() {
            [bytes[2 * i], bytes[2 * i + 1]] = (numbers[i] as u16).to_le_bytes();
            i += 1;
        }
        fnv1a(&bytes)
    }
}

/// `(768x7hm->1024)x2->(16->32->1)x8`: seven king buckets of horizontally mirrored inputs, two perspectives, a layer
/// stack for each of eight output buckets.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({FEATURES}x{}hm->{})x2->({L2}->{L3}->1)x{}", self.input_buckets, self.hidden, self.buckets)
    }
}

/// The output bucket of a board with `pieces` pieces: equal steps from 2 to 32 pieces.
///
/// ```
/// # use sleight::nnue::output_bucket;
/// assert_eq!([2, 5, 6, 31, 32].map(|pieces| output_bucket(8, pieces)), [0, 0, 1, 7, 7]);
/// assert_eq!([2, 17, 32].map(|pieces| output_bucket(1, pieces)), [0, 0, 0]);
/// ```
// CITE: bullet (Jamie Whiting), `MaterialCount`. Eight buckets instead of one lowered the validation loss by 3 %;
// with a generation of new games, +101 ± 32 Elo at fixed nodes.
#[inline(always)]
pub const fn output_bucket(buckets: usize, pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / 32_usize.div_ceil(buckets);
    if bucket < buckets { bucket } else { buckets - 1 }
}

/// The king bucket of a perspective whose own king is on a square, seen from its own back rank and mirrored to files a
/// to d: `rank * 4 + file`. The squares near the own back rank, where kings mostly are, have buckets of their own.
// CITE: king buckets: Stockfish's HalfKA. Seven, four and one were measured: networks/README.md.
pub(super) const fn king_bucket(rank: usize, file: usize) -> usize {
    const SEVEN: [u8; 32] =
        [0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6];
    match INPUT_BUCKETS {
        1 => 0,
        7 => SEVEN[rank * 4 + file] as usize,
        _ => panic!("no layout of this number of king buckets"),
    }
}
