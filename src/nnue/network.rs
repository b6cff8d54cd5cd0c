//! The weights of the network.

use std::fmt;

use bytemuck::{Zeroable, allocation::zeroed_box};

use super::{
    accumulator::Accumulator,
    architecture::{Architecture, BUCKETS, HIDDEN, INPUT_BUCKETS, INPUTS, L2, SCALE, output_bucket},
    kernels::Kernel,
    layer_stack::LayerStack,
};
use crate::util::Rng;

/// A trained and quantized network with `H` neurons of each perspective's accumulator and `B` output buckets.
#[derive(PartialEq, Zeroable)]
#[repr(C, align(64))]
pub struct Network<const H: usize = HIDDEN, const B: usize = BUCKETS> {
    feature_weights: [Accumulator<H>; INPUTS],
    feature_bias: Accumulator<H>,
    layer_stacks: [LayerStack<H>; B],
    /// Internal units for an output of 1.0.
    scale: u32,
}

/// The largest output, in internal units, of a network that may be nonsense: differences of outputs are not to
/// overflow.
const MAX_OUTPUT: f32 = 1e6;

/// A weight in the number format of its layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Weight {
    /// Of the feature transformer, in units of `1 / QA`.
    Feature(i16),
    /// Of the first hidden layer, in units of `1 / QB`.
    L1(i8),
    /// A bias of the first hidden layer, or any weight or bias of the layers behind it.
    Float(f32),
}

/// Where the weights of a network come from, in file order: the feature transformer's weights by feature and its bias;
/// then by output bucket the first hidden layer's weights, by output and for each by perspective; then its biases, the
/// second layer's weights by input, the second layer's biases, and the output weights, each for all buckets.
pub trait WeightSource {
    /// The next weight of the feature transformer.
    fn feature(&mut self) -> i16;
    /// The next weight of the first hidden layer.
    fn l1(&mut self) -> i8;
    /// The next bias of the first hidden layer, or weight or bias behind it.
    fn float(&mut self) -> f32;
}

/// Uniform random weights, small enough that every sum stays in the range of a trained network.
impl WeightSource for Rng {
    fn feature(&mut self) -> i16 {
        self.below(255) as i16 - 127
    }

    fn l1(&mut self) -> i8 {
        (self.below(127) as i16 - 63) as i8
    }

    fn float(&mut self) -> f32 {
        (self.below(255) as f32 - 127.0) / 127.0
    }
}

impl<const H: usize, const B: usize> Network<H, B> {
    /// The architecture of this type of network.
    pub const ARCHITECTURE: Architecture = Architecture { input_buckets: INPUT_BUCKETS, hidden: H, buckets: B };

    /// A network with uniform random weights drawn from `seed`: for tests, and for a first generation of games.
    pub fn random(seed: u64) -> Box<Self> {
        Self::from_source(&mut Rng::new(seed))
    }

    /// The same network, with another scale: internal units for an output of 1.0.
    #[must_use]
    pub fn with_scale(mut self: Box<Self>, scale: u32) -> Box<Self> {
        self.scale = scale;
        self
    }

    /// A network of [`SCALE`] with the weights of a source.
    pub fn from_source(source: &mut impl WeightSource) -> Box<Self> {
        // A struct literal would be built on the stack first.
        let mut network: Box<Self> = zeroed_box();
        for vector in network.feature_weights.iter_mut().chain([&mut network.feature_bias]) {
            vector.0.fill_with(|| source.feature());
        }
        for stack in &mut network.layer_stacks {
            for (output, perspective, activation) in l1_order::<H>() {
                stack.set_l1_weight(perspective, activation, output, source.l1());
            }
        }
        for part in 0..LayerStack::<H>::FLOAT_PARTS {
            for stack in &mut network.layer_stacks {
                stack.floats_mut(part).fill_with(|| source.float());
            }
        }
        network.with_scale(SCALE)
    }

    /// Visits all weights in the order of a [`WeightSource`].
    pub fn for_each_weight(&self, mut visit: impl FnMut(Weight)) {
        for vector in self.feature_weights.iter().chain([&self.feature_bias]) {
            vector.0.iter().for_each(|&weight| visit(Weight::Feature(weight)));
        }
        for stack in &self.layer_stacks {
            for (output, perspective, activation) in l1_order::<H>() {
                visit(Weight::L1(stack.l1_weight(perspective, activation, output)));
            }
        }
        for part in 0..LayerStack::<H>::FLOAT_PARTS {
            for stack in &self.layer_stacks {
                stack.floats(part).iter().for_each(|&weight| visit(Weight::Float(weight)));
            }
        }
    }

    /// The scale: internal units for an output of 1.0.
    pub fn scale(&self) -> u32 {
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

    /// The layer stack: the score in internal units for the side to move, from the accumulators of the side to move
    /// and its opponent and the number of pieces on the board.
    #[inline(always)]
    pub(super) fn output(&self, kernel: Kernel, us: &Accumulator<H>, them: &Accumulator<H>, pieces: usize) -> i32 {
        let output = kernel.output(us, them, &self.layer_stacks[output_bucket(B, pieces)]);
        (output * self.scale as f32).clamp(-MAX_OUTPUT, MAX_OUTPUT) as i32
    }
}

/// The first hidden layer's weights in file order: output, perspective, activation.
fn l1_order<const H: usize>() -> impl Iterator<Item = (usize, usize, usize)> {
    let activations = |output, perspective| (0..H / 2).map(move |activation| (output, perspective, activation));
    (0..L2).flat_map(move |output| (0..2).flat_map(move |perspective| activations(output, perspective)))
}

impl<const H: usize, const B: usize> fmt::Debug for Network<H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({})", Self::ARCHITECTURE)
    }
}
