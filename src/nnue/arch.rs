//! The shape of the network, in one place.

use std::fmt;

use crate::util::fnv1a;

/// Neurons of the hidden layer, for each of the two perspectives. A multiple of 64.
pub const HIDDEN: usize = 128;
/// Output neurons, of which the number of men on the board chooses one. At most 32.
pub const BUCKETS: usize = 8;

/// Inputs of a perspective: own or other, six types, 64 squares.
pub const FEATURES: usize = 768;
/// What stands for 1.0 in the weights and values of the hidden layer.
pub const QA: i32 = 255;
/// What stands for 1.0 in the weights of the output layer.
pub const QB: i32 = 64;
/// Centipawns for an output of 1.0, which stands for an expected result of `1 / (1 + e^-1)`, about 0.73. All networks
/// that we train have this scale, since the search's margins hang on it; a file says its own.
pub const SCALE: u32 = 220;

/// A network's shape, as its file tells it. All else is the same for all shapes: horizontally mirrored features,
/// squared clipped activation, the quantisation above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// Neurons of the hidden layer, for each perspective.
    pub hidden: usize,
    /// Output neurons.
    pub buckets: usize,
}

impl Architecture {
    /// A number that two shapes have in common only when they are the same. Other kinds of features or of activation
    /// would have to bring another number into it.
    pub const fn hash(self) -> u64 {
        let numbers = [FEATURES, self.hidden, self.buckets, QA as usize, QB as usize];
        let mut bytes = [0; 2 * 5];
        let mut i = 0;
        while i < numbers.len() {
            [bytes[2 * i], bytes[2 * i + 1]] = (numbers[i] as u16).to_le_bytes();
            i += 1;
        }
        fnv1a(&bytes)
    }
}

/// `(768hm -> 128)x2 -> 1x8`: horizontally mirrored inputs, two perspectives, one of eight outputs.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({FEATURES}hm -> {})x2 -> 1x{}", self.hidden, self.buckets)
    }
}

/// Which of `buckets` output neurons speaks for a board with so many men: equal steps from two men to thirty-two, as
/// bullet's `MaterialCount` has them.
///
/// ```
/// # use sleight::nnue::bucket_of;
/// assert_eq!([2, 5, 6, 31, 32].map(|men| bucket_of(8, men)), [0, 0, 1, 7, 7]);
/// assert_eq!([2, 17, 32].map(|men| bucket_of(1, men)), [0, 0, 0]);
/// ```
#[inline(always)]
pub const fn bucket_of(buckets: usize, men: usize) -> usize {
    let bucket = men.saturating_sub(2) / 32_usize.div_ceil(buckets);
    if bucket < buckets { bucket } else { buckets - 1 }
}
