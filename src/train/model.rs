//! The weights in training: real numbers, and the copy that the forward pass reads.

use super::aligned::Aligned;
use crate::{
    nnue::{FEATURES, QA, QB},
    util::Rng,
};

/// What stands for 1.0 in the copy of the hidden layer's weights that the forward pass reads. A copy in 16 bits is
/// half as large, so that it stays in the cache, and adds up twice as fast; it is four times finer than what the
/// engine will use.
pub(super) const FIXED_ONE: i16 = 1024;

/// Weights stay within this, either way: what quantised still fits eight bits in the output layer.
const LIMIT: f32 = 1.98;

/// The row of the bias, which behaves like an input that is always on.
pub(super) const BIAS: usize = FEATURES;

/// All weights of a network with `H` hidden neurons a perspective.
pub(super) struct Model<const H: usize> {
    buckets: usize,
    /// In the order of the network file: a row for each input, the bias, a pair of rows for each output, its bias.
    weights: Aligned<f32>,
    /// The rows of the inputs and the bias once more, rounded to multiples of `1 / FIXED_ONE`.
    fixed: Aligned<i16>,
}

/// A part of all weights, with what belongs to it, for one thread to change.
pub(super) struct Part<'a> {
    pub(super) weights: &'a mut [f32],
    /// Shorter than `weights` where the output layer begins.
    fixed: &'a mut [i16],
}

impl<const H: usize> Model<H> {
    /// How many weights there are.
    pub(super) fn len(buckets: usize) -> usize {
        (FEATURES + 1) * H + buckets * (2 * H + 1)
    }

    /// A fresh model. Each layer's weights are uniform, with a spread that keeps the sums near 1.
    pub(super) fn new(buckets: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut uniform = |spread: f32| ((rng.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0) * spread;
        let mut weights = Aligned::zeros(Self::len(buckets));
        let (inputs, rest) = weights.split_at_mut(FEATURES * H);
        // Some 30 inputs are on at a time.
        inputs.fill_with(|| uniform(0.18));
        rest[H..][..2 * H * buckets].fill_with(|| uniform((2.0 * H as f32).sqrt().recip()));
        Self::from_weights(buckets, &weights)
    }

    /// A model of given weights.
    pub(super) fn from_weights(buckets: usize, weights: &[f32]) -> Self {
        let mut model =
            Self { buckets, weights: Aligned::zeros(Self::len(buckets)), fixed: Aligned::zeros((FEATURES + 1) * H) };
        model.weights.copy_from_slice(weights);
        model.parts(usize::MAX).for_each(|mut part| part.round());
        model
    }

    pub(super) fn buckets(&self) -> usize {
        self.buckets
    }

    pub(super) fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The rounded rows of the inputs and the bias.
    #[inline(always)]
    pub(super) fn fixed_rows(&self) -> &[[i16; H]] {
        self.fixed.as_chunks().0
    }

    /// For each output, the weights of the side to move and of the other side.
    #[inline(always)]
    pub(super) fn output(&self, bucket: usize) -> &[[f32; H]] {
        self.weights[Self::output_start(bucket)..][..2 * H].as_chunks().0
    }

    #[inline(always)]
    pub(super) fn output_bias(&self, bucket: usize) -> f32 {
        self.weights[Self::output_bias_start(self.buckets) + bucket]
    }

    /// Where an output's weights lie among all weights.
    #[inline(always)]
    pub(super) fn output_start(bucket: usize) -> usize {
        (FEATURES + 1 + 2 * bucket) * H
    }

    /// Where the biases of the outputs lie among all weights.
    #[inline(always)]
    pub(super) fn output_bias_start(buckets: usize) -> usize {
        Self::output_start(buckets)
    }

    /// The model in parts of `size` weights.
    pub(super) fn parts(&mut self, size: usize) -> impl Iterator<Item = Part<'_>> {
        let size = size.min(self.weights.len());
        let fixed = self.fixed.chunks_mut(size).map(Some).chain(std::iter::repeat_with(|| None));
        self.weights
            .chunks_mut(size)
            .zip(fixed)
            .map(|(weights, fixed)| Part { weights, fixed: fixed.unwrap_or_default() })
    }

    /// The weights as the network file has them, rounded.
    pub(super) fn quantized(&self) -> impl Iterator<Item = i16> {
        let output = Self::output_start(0)..Self::output_bias_start(self.buckets);
        self.weights.iter().enumerate().map(move |(i, weight)| {
            let one = if i < output.start {
                QA
            } else if i < output.end {
                QB
            } else {
                QA * QB
            };
            (weight * one as f32).round() as i16
        })
    }
}

impl Part<'_> {
    /// Brings the weights back into their limits and the rounded copy up to date.
    #[inline(always)]
    pub(super) fn round(&mut self) {
        for weight in &mut *self.weights {
            *weight = weight.clamp(-LIMIT, LIMIT);
        }
        for (fixed, weight) in self.fixed.iter_mut().zip(&*self.weights) {
            *fixed = (weight * f32::from(FIXED_ONE)).round_ties_even() as i32 as i16;
        }
    }
}
