//! The weights in training: floats, which the optimizer updates, and their quantized copy, which the forward pass reads.
//!
//! CITE: quantization-aware training (Jacob et al., "Quantization and training of neural networks for efficient
//! integer-arithmetic-only inference", 2018). The gradient by a quantized weight is applied to its float: the
//! straight-through estimator (Bengio, Leonard and Courville, 2013).

use super::aligned::Aligned;
use crate::{
    nnue::{FEATURES, Network, QA, QB},
    util::Rng,
};

/// Weights are clipped to this magnitude, so that a quantized output weight is at most 127 and its product with an
/// activation fits in 16 bits.
///
/// CITE: common practice of bullet's users (akimbo, Reckless, Hobbes).
const WEIGHT_CLIP: f32 = 1.98;

/// The row of the feature bias, which behaves like the weights of a feature that is always active.
pub(super) const BIAS: usize = FEATURES;

/// The weights of a network with `H` hidden neurons a perspective.
pub(super) struct Model<const H: usize> {
    buckets: usize,
    /// In the order of the network file: a row for each feature, the feature bias, a pair of rows for each output
    /// bucket, the output biases.
    weights: Aligned<f32>,
    /// The weights as the network file has them, in the same order.
    quantized: Aligned<i16>,
}

/// A chunk of the weights with its part of the quantized copy, for one thread to update.
pub(super) struct Chunk<'a> {
    pub(super) weights: &'a mut [f32],
    quantized: &'a mut [i16],
    /// The ends, in this chunk, of the feature transformer and of the output weights; the output biases follow.
    layer_ends: [usize; 2],
}

impl<const H: usize> Model<H> {
    /// The number of weights.
    pub(super) fn len(buckets: usize) -> usize {
        (FEATURES + 1) * H + buckets * (2 * H + 1)
    }

    /// A randomly initialized model. Each layer's weights are uniform, with a spread that keeps the sums near 1.
    pub(super) fn new(buckets: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut uniform = |spread: f32| ((rng.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0) * spread;
        let mut weights = Aligned::zeros(Self::len(buckets));
        let (features, rest) = weights.split_at_mut(FEATURES * H);
        // Some 30 features are active at a time.
        features.fill_with(|| uniform(0.18));
        rest[H..][..2 * H * buckets].fill_with(|| uniform((2.0 * H as f32).sqrt().recip()));
        Self::from_weights(buckets, &weights)
    }

    /// A model that computes what `network` does. If it is wider, the further neurons are randomly initialized, with
    /// output weights of zero.
    ///
    /// CITE: Net2Net (Chen, Goodfellow and Shlens, "Accelerating learning via knowledge transfer", 2016).
    pub(super) fn from_network<const W: usize, const B: usize>(network: &Network<W, B>, seed: u64) -> Self {
        let narrow: Vec<f32> = dequantized(network).collect();
        let random = Self::new(B, seed);
        let mut weights = random.weights().to_vec();
        let (rows, biases) = weights.split_at_mut(Self::output_bias_start(B));
        let (narrow_rows, narrow_biases) = narrow.split_at(Model::<W>::output_bias_start(B));
        biases.copy_from_slice(narrow_biases);
        rows[Self::output_start(0)..].fill(0.0);
        for (row, narrow) in rows.as_chunks_mut::<H>().0.iter_mut().zip(narrow_rows.as_chunks::<W>().0) {
            row.iter_mut().zip(narrow).for_each(|(weight, &given)| *weight = given);
        }
        Self::from_weights(B, &weights)
    }

    /// A model with the given weights.
    pub(super) fn from_weights(buckets: usize, weights: &[f32]) -> Self {
        let len = Self::len(buckets);
        let mut model = Self { buckets, weights: Aligned::zeros(len), quantized: Aligned::zeros(len) };
        model.weights.copy_from_slice(weights);
        model.chunks(usize::MAX).for_each(|mut chunk| chunk.clip_and_quantize());
        model
    }

    pub(super) fn buckets(&self) -> usize {
        self.buckets
    }

    pub(super) fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The network of these weights, with `scale` internal units for an output of 1.0; none if `B` is not the model's
    /// number of output buckets.
    pub(super) fn network<const B: usize>(&self, scale: u32) -> Option<Box<Network<H, B>>> {
        let mut weights = self.quantized.iter().copied();
        (self.buckets == B).then(|| Network::from_fn(|| weights.next().unwrap_or_default()).with_scale(scale))
    }

    /// The rows of the features and the bias, in units of `1 / QA`.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[[i16; H]] {
        self.quantized.as_chunks().0
    }

    /// The weights of an output bucket in units of `1 / QB`: for the side to move's accumulator, and for the opponent's.
    #[inline(always)]
    pub(super) fn output_weights(&self, bucket: usize) -> &[[i16; H]] {
        self.quantized[Self::output_start(bucket)..][..2 * H].as_chunks().0
    }

    /// The output bias of a bucket.
    #[inline(always)]
    pub(super) fn output_bias(&self, bucket: usize) -> f32 {
        f32::from(self.quantized[Self::output_bias_start(self.buckets) + bucket]) / (QA * QB) as f32
    }

    /// The index of an output bucket's first weight.
    #[inline(always)]
    pub(super) fn output_start(bucket: usize) -> usize {
        (FEATURES + 1 + 2 * bucket) * H
    }

    /// The index of the first output bias.
    #[inline(always)]
    pub(super) fn output_bias_start(buckets: usize) -> usize {
        Self::output_start(buckets)
    }

    /// The weights in chunks of `size`.
    pub(super) fn chunks(&mut self, size: usize) -> impl Iterator<Item = Chunk<'_>> {
        let size = size.min(self.weights.len());
        let layer_ends = Self::layer_ends(self.buckets);
        let chunks = self.weights.chunks_mut(size).zip(self.quantized.chunks_mut(size));
        chunks.enumerate().map(move |(i, (weights, quantized))| {
            let within = |end: usize| end.saturating_sub(i * size).min(weights.len());
            Chunk { layer_ends: layer_ends.map(within), weights, quantized }
        })
    }

    /// The indices of the first output weight and the first output bias.
    fn layer_ends(buckets: usize) -> [usize; 2] {
        [Self::output_start(0), Self::output_bias_start(buckets)]
    }
}

/// The integers that stand for 1.0 in the feature transformer, the output weights and the output biases.
const ONE: [f32; 3] = [QA as f32, QB as f32, (QA * QB) as f32];

/// The weights of a network as floats, in the order of its file.
fn dequantized<const W: usize, const B: usize>(network: &Network<W, B>) -> impl Iterator<Item = f32> {
    let ends = Model::<W>::layer_ends(B);
    let layer = move |i| ends.iter().filter(|&&end| i >= end).count();
    network.weights().enumerate().map(move |(i, weight)| f32::from(weight) / ONE[layer(i)])
}

impl Chunk<'_> {
    /// Clips the weights and quantizes them.
    #[inline(always)]
    pub(super) fn clip_and_quantize(&mut self) {
        for weight in &mut *self.weights {
            *weight = weight.clamp(-WEIGHT_CLIP, WEIGHT_CLIP);
        }
        let [features, output] = self.layer_ends;
        for (range, one) in [0..features, features..output, output..self.weights.len()].into_iter().zip(ONE) {
            for (quantized, weight) in self.quantized[range.clone()].iter_mut().zip(&self.weights[range]) {
                *quantized = (weight * one).round_ties_even() as i32 as i16;
            }
        }
    }
}
