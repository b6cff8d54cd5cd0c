//! The weights of the network.

use std::fmt;

use bytemuck::{Zeroable, allocation::zeroed_box};

use super::{
    accumulator::Accumulator,
    arch::{Architecture, BUCKETS, FEATURES, HIDDEN, QA, QB, SCALE, output_bucket},
    kernels::Kernel,
};
use crate::util::Rng;

/// A trained and quantized network with `H` hidden neurons a perspective and `B` output buckets.
#[derive(PartialEq, Eq, Zeroable)]
#[repr(C, align(64))]
pub struct Network<const H: usize = HIDDEN, const B: usize = BUCKETS> {
    feature_weights: [Accumulator<H>; FEATURES],
    feature_bias: Accumulator<H>,
    /// For each output bucket, the weights of the side to move's accumulator and of the opponent's.
    output_weights: [[Accumulator<H>; 2]; B],
    output_bias: [i16; B],
    /// Internal units for an output of 1.0.
    scale: u32,
}

impl<const H: usize, const B: usize> Network<H, B> {
    /// The architecture of this type of network.
    pub const ARCHITECTURE: Architecture = Architecture { hidden: H, buckets: B };

    /// A network with uniform random weights drawn from `seed`: for tests, and for a first generation of games.
    pub fn random(seed: u64) -> Box<Self> {
        let mut rng = Rng::new(seed);
        // Small enough that every sum stays in the range of a trained network.
        Self::from_fn(|| rng.below(255) as i16 - 127)
    }

    /// The same network, with another scale: internal units for an output of 1.0.
    #[must_use]
    pub fn with_scale(mut self: Box<Self>, scale: u32) -> Box<Self> {
        self.scale = scale;
        self
    }

    /// A network of [`SCALE`] whose weights are the results of `next`, called once for each in file order.
    pub fn from_fn(mut next: impl FnMut() -> i16) -> Box<Self> {
        // A struct literal would be built on the stack first.
        let mut network: Box<Self> = zeroed_box();
        network.for_each_weight(|weight| *weight = next());
        network.with_scale(SCALE)
    }

    /// All weights in file order: feature weights, feature bias, output weights by bucket, output bias.
    pub(crate) fn weights(&self) -> impl Iterator<Item = i16> {
        let vectors = self.feature_weights.iter().chain([&self.feature_bias]).chain(self.output_weights.as_flattened());
        vectors.flat_map(|vector| vector.0).chain(self.output_bias)
    }

    fn for_each_weight(&mut self, mut visit: impl FnMut(&mut i16)) {
        let vectors = self
            .feature_weights
            .iter_mut()
            .chain([&mut self.feature_bias])
            .chain(self.output_weights.as_flattened_mut());
        vectors.flat_map(|vector| &mut vector.0).chain(&mut self.output_bias).for_each(&mut visit);
    }

    /// The scale: internal units for an output of 1.0.
    pub(crate) fn scale(&self) -> u32 {
        self.scale
    }

    /// The weights that an active feature adds to an accumulator.
    #[inline(always)]
    pub(super) fn feature_weights(&self, feature: usize) -> &Accumulator<H> {
        &self.feature_weights[feature]
    }

    /// The accumulator of an empty board.
    #[inline(always)]
    pub(super) fn feature_bias(&self) -> &Accumulator<H> {
        &self.feature_bias
    }

    /// The output layer: the score in internal units for the side to move, from the accumulators of the side to move
    /// and its opponent and the number of pieces on the board.
    #[inline(always)]
    pub(super) fn output(&self, kernel: Kernel, us: &Accumulator<H>, them: &Accumulator<H>, pieces: usize) -> i32 {
        let bucket = output_bucket(B, pieces);
        let sum = kernel.output(us, them, &self.output_weights[bucket]);
        let output = i64::from(sum / QA) + i64::from(self.output_bias[bucket]);
        (output * i64::from(self.scale) / i64::from(QA * QB)) as i32
    }
}

impl<const H: usize, const B: usize> fmt::Debug for Network<H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({})", Self::ARCHITECTURE)
    }
}
