//! The weights in training: floats, and the fixed-point copy that the forward pass reads.

use super::aligned::Aligned;
use crate::{
    nnue::{FEATURES, Network, QA, QB},
    util::Rng,
};

/// The integer that stands for 1.0 in the fixed-point copy of the feature transformer. 16 bits halve the memory traffic
/// of the forward pass; the steps are four times finer than those of the quantized network.
pub(super) const FIXED_POINT_ONE: i16 = 1024;

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
    /// The feature weights and bias, rounded to multiples of `1 / FIXED_POINT_ONE`.
    fixed_point: Aligned<i16>,
}

/// A chunk of the weights with its part of the fixed-point copy, for one thread to update.
pub(super) struct Chunk<'a> {
    pub(super) weights: &'a mut [f32],
    /// Shorter than `weights` where the output layer begins.
    fixed_point: &'a mut [i16],
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
        let (weights_len, rows_len) = (Self::len(buckets), (FEATURES + 1) * H);
        let mut model = Self { buckets, weights: Aligned::zeros(weights_len), fixed_point: Aligned::zeros(rows_len) };
        model.weights.copy_from_slice(weights);
        model.chunks(usize::MAX).for_each(|mut chunk| chunk.clip_and_round());
        model
    }

    pub(super) fn buckets(&self) -> usize {
        self.buckets
    }

    pub(super) fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The fixed-point rows of the features and the bias.
    #[inline(always)]
    pub(super) fn fixed_point_rows(&self) -> &[[i16; H]] {
        self.fixed_point.as_chunks().0
    }

    /// The weights of an output bucket: for the side to move's accumulator, and for the opponent's.
    #[inline(always)]
    pub(super) fn output_weights(&self, bucket: usize) -> &[[f32; H]] {
        self.weights[Self::output_start(bucket)..][..2 * H].as_chunks().0
    }

    #[inline(always)]
    pub(super) fn output_bias(&self, bucket: usize) -> f32 {
        self.weights[Self::output_bias_start(self.buckets) + bucket]
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
        let fixed_point = self.fixed_point.chunks_mut(size).map(Some).chain(std::iter::repeat_with(|| None));
        self.weights
            .chunks_mut(size)
            .zip(fixed_point)
            .map(|(weights, fixed_point)| Chunk { weights, fixed_point: fixed_point.unwrap_or_default() })
    }

    /// The weights quantized with QA and QB, in the order of the network file.
    pub(super) fn quantized(&self) -> impl Iterator<Item = i16> {
        let one = Self::one(self.buckets);
        self.weights.iter().enumerate().map(move |(i, weight)| (weight * one(i)).round() as i16)
    }

    /// By the index of a weight in the network file, the integer that stands for 1.0 there.
    fn one(buckets: usize) -> impl Fn(usize) -> f32 {
        let output = Self::output_start(0)..Self::output_bias_start(buckets);
        move |i| {
            let one = if i < output.start {
                QA
            } else if i < output.end {
                QB
            } else {
                QA * QB
            };
            one as f32
        }
    }
}

/// The weights of a network as floats, in the order of its file.
fn dequantized<const W: usize, const B: usize>(network: &Network<W, B>) -> impl Iterator<Item = f32> {
    let one = Model::<W>::one(B);
    network.weights().enumerate().map(move |(i, weight)| f32::from(weight) / one(i))
}

impl Chunk<'_> {
    /// Clips the weights and updates the fixed-point copy.
    #[inline(always)]
    pub(super) fn clip_and_round(&mut self) {
        for weight in &mut *self.weights {
            *weight = weight.clamp(-WEIGHT_CLIP, WEIGHT_CLIP);
        }
        for (fixed, weight) in self.fixed_point.iter_mut().zip(&*self.weights) {
            *fixed = (weight * f32::from(FIXED_POINT_ONE)).round_ties_even() as i32 as i16;
        }
    }
}
