//! The weights in training: floats, which the optimizer updates, and their quantized copy, which the forward pass
//! reads.
// CITE: quantization-aware training (Jacob et al., "Quantization and training of neural networks for efficient
// integer-arithmetic-only inference", 2018). The gradient by a quantized weight is applied to its float: the
// straight-through estimator (Bengio, Leonard and Courville, 2013).

use super::aligned::Aligned;
use sleight::{
    nnue::{FEATURES, L2, L3, Network, QA, QB, Weight, WeightSource},
    util::Rng,
};

/// Weights of the feature transformer are clipped to this magnitude, so that few sums leave the range of 16 bits.
// CITE: common practice of bullet's users (akimbo, Reckless, Hobbes).
const FEATURE_WEIGHT_CLIP: f32 = 1.98;
/// Weights of the first hidden layer are clipped to this magnitude, so that they are at most 127 when quantized.
const L1_WEIGHT_CLIP: f32 = 127.0 / QB as f32;

/// The row of the feature bias, which behaves like the weights of a feature that is always active.
pub(super) const BIAS: usize = FEATURES;

/// The weights of a network with `H` neurons of each perspective's accumulator.
pub(super) struct Model<const H: usize> {
    buckets: usize,
    /// In the order of the network file: see [`WeightSource`].
    weights: Aligned<f32>,
    /// The weights of the feature transformer and the first hidden layer as the network file has them, in the same
    /// order. Zeros follow.
    quantized: Aligned<i16>,
}

/// Where each part of the weights begins.
#[derive(Clone, Copy)]
pub(super) struct Layout<const H: usize> {
    buckets: usize,
}

impl<const H: usize> Layout<H> {
    pub(super) fn new(buckets: usize) -> Self {
        Self { buckets }
    }

    /// The first hidden layer's weights of a bucket: for each output, a row for the side to move and one for the
    /// opponent.
    #[inline(always)]
    pub(super) fn l1_weights(self, bucket: usize) -> usize {
        (FEATURES + 1) * H + bucket * L2 * 2 * H
    }

    #[inline(always)]
    pub(super) fn l1_bias(self, bucket: usize) -> usize {
        self.l1_weights(self.buckets) + bucket * L2
    }

    #[inline(always)]
    pub(super) fn l2_weights(self, bucket: usize) -> usize {
        self.l1_bias(self.buckets) + bucket * (L2 - 1) * L3
    }

    #[inline(always)]
    pub(super) fn l2_bias(self, bucket: usize) -> usize {
        self.l2_weights(self.buckets) + bucket * L3
    }

    #[inline(always)]
    pub(super) fn l3_weights(self, bucket: usize) -> usize {
        self.l2_bias(self.buckets) + bucket * L3
    }

    /// The number of weights.
    pub(super) fn len(self) -> usize {
        self.l3_weights(self.buckets)
    }
}

/// A chunk of the weights with its part of the quantized copy, for one thread to update.
pub(super) struct Chunk<'a> {
    pub(super) weights: &'a mut [f32],
    quantized: &'a mut [i16],
    /// The ends, in this chunk, of the feature transformer and of the first hidden layer's weights.
    layer_ends: [usize; 2],
}

impl<const H: usize> Model<H> {
    /// A randomly initialized model. Each layer's weights are uniform, with a spread that keeps the sums near 1.
    pub(super) fn new(buckets: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut fill = |weights: &mut [f32], middle: f32, spread: f32| {
            let uniform = || middle + ((rng.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0) * spread;
            weights.fill_with(uniform);
        };
        let layout = Layout::<H>::new(buckets);
        let mut weights = Aligned::zeros(layout.len());
        // Some 30 features are active at a time.
        fill(&mut weights[..FEATURES * H], 0.0, 0.1);
        for bucket in 0..buckets {
            fill(&mut weights[layout.l1_weights(bucket)..][..L2 * 2 * H], 0.0, 3.0 * (2.0 * H as f32).sqrt().recip());
            // The skip connection.
            fill(
                &mut weights[layout.l1_weights(bucket)..][(L2 - 1) * 2 * H..L2 * 2 * H],
                0.0,
                0.5 * (2.0 * H as f32).sqrt().recip(),
            );
            fill(&mut weights[layout.l1_bias(bucket)..][..L2 - 1], 0.3, 0.5);
            fill(&mut weights[layout.l2_weights(bucket)..][..(L2 - 1) * L3], 0.0, 1.7 * (L2 as f32).sqrt().recip());
            fill(&mut weights[layout.l2_bias(bucket)..][..L3], 0.2, 0.5);
            fill(&mut weights[layout.l3_weights(bucket)..][..L3], 0.0, (L3 as f32).sqrt().recip());
        }
        Self::from_weights(buckets, &weights)
    }

    /// A model that computes what `network` does. If it is wider, the further neurons are randomly initialized, with
    /// weights of zero in the first hidden layer.
    // CITE: Net2Net (Chen, Goodfellow and Shlens, "Accelerating learning via knowledge transfer", 2016).
    pub(super) fn from_network<const W: usize, const B: usize>(network: &Network<W, B>, seed: u64) -> Self {
        let mut narrow = Vec::new();
        network.for_each_weight(|weight| {
            narrow.push(match weight {
                Weight::Feature(weight) => f32::from(weight) / QA as f32,
                Weight::L1(weight) => f32::from(weight) / QB as f32,
                Weight::Float(weight) => weight,
            });
        });
        let layout = Layout::<H>::new(B);
        let mut weights = Self::new(B, seed).weights().to_vec();
        let (rows, floats) = weights.split_at_mut(layout.l1_bias(0));
        let (narrow_rows, narrow_floats) = narrow.split_at(Layout::<W>::new(B).l1_bias(0));
        floats.copy_from_slice(narrow_floats);
        rows[layout.l1_weights(0)..].fill(0.0);
        for (row, narrow) in rows.as_chunks_mut::<H>().0.iter_mut().zip(narrow_rows.as_chunks::<W>().0) {
            row.iter_mut().zip(narrow).for_each(|(weight, &given)| *weight = given);
        }
        Self::from_weights(B, &weights)
    }

    /// A model with the given weights.
    pub(super) fn from_weights(buckets: usize, weights: &[f32]) -> Self {
        let len = Layout::<H>::new(buckets).len();
        let mut model = Self { buckets, weights: Aligned::zeros(len), quantized: Aligned::zeros(len) };
        model.weights.copy_from_slice(weights);
        model.chunks(usize::MAX).for_each(|mut chunk| chunk.clip_and_quantize());
        model
    }

    pub(super) fn buckets(&self) -> usize {
        self.buckets
    }

    pub(super) fn layout(&self) -> Layout<H> {
        Layout::new(self.buckets)
    }

    pub(super) fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The network of these weights, with `scale` internal units for an output of 1.0; none if `B` is not the model's
    /// number of output buckets.
    pub(super) fn network<const B: usize>(&self, scale: u32) -> Option<Box<Network<H, B>>> {
        let mut source = Source { weights: self.weights.iter(), quantized: self.quantized.iter() };
        (self.buckets == B).then(|| Network::from_source(&mut source).with_scale(scale))
    }

    /// The rows of the features and the bias, in units of `1 / QA`.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[[i16; H]] {
        self.quantized.as_chunks().0
    }

    /// The first hidden layer's weights of all buckets, in units of `1 / QB`.
    #[inline(always)]
    pub(super) fn l1_weights(&self) -> &[i16] {
        let layout = self.layout();
        &self.quantized[layout.l1_weights(0)..layout.l1_weights(self.buckets)]
    }

    /// The weights in chunks of `size`.
    pub(super) fn chunks(&mut self, size: usize) -> impl Iterator<Item = Chunk<'_>> {
        let size = size.min(self.weights.len());
        let layout = self.layout();
        let layer_ends = [layout.l1_weights(0), layout.l1_weights(self.buckets)];
        let chunks = self.weights.chunks_mut(size).zip(self.quantized.chunks_mut(size));
        chunks.enumerate().map(move |(i, (weights, quantized))| {
            let within = |end: usize| end.saturating_sub(i * size).min(weights.len());
            Chunk { layer_ends: layer_ends.map(within), weights, quantized }
        })
    }
}

/// The weights of a model, as the network has them.
struct Source<'a> {
    weights: std::slice::Iter<'a, f32>,
    quantized: std::slice::Iter<'a, i16>,
}

impl Source<'_> {
    fn next(&mut self) -> Option<(f32, i16)> {
        self.weights.next().copied().zip(self.quantized.next().copied())
    }
}

impl WeightSource for Source<'_> {
    fn feature(&mut self) -> i16 {
        self.next().unwrap_or_default().1
    }

    fn l1(&mut self) -> i8 {
        self.next().unwrap_or_default().1 as i8
    }

    fn float(&mut self) -> f32 {
        self.next().unwrap_or_default().0
    }
}

impl Chunk<'_> {
    /// The weights that weight decay applies to: those of the feature transformer and the first hidden layer.
    #[inline(always)]
    pub(super) fn decaying_weights(&mut self) -> &mut [f32] {
        &mut self.weights[..self.layer_ends[1]]
    }

    /// Clips and quantizes the weights of the feature transformer and the first hidden layer.
    #[inline(always)]
    pub(super) fn clip_and_quantize(&mut self) {
        let [features, l1] = self.layer_ends;
        let layers = [(0..features, FEATURE_WEIGHT_CLIP, QA as f32), (features..l1, L1_WEIGHT_CLIP, QB as f32)];
        for (range, clip, one) in layers {
            for (quantized, weight) in self.quantized[range.clone()].iter_mut().zip(&mut self.weights[range]) {
                *weight = weight.clamp(-clip, clip);
                *quantized = (*weight * one).round_ties_even() as i32 as i16;
            }
        }
    }
}
