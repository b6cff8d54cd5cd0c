//! The weights in training: floats, which the optimizer updates, and their quantized copy, which the forward pass
//! reads.
// CITE: quantization-aware training (Jacob et al., "Quantization and training of neural networks for efficient
// integer-arithmetic-only inference", 2018). The gradient by a quantized weight is applied to its float: the
// straight-through estimator (Bengio, Leonard and Courville, 2013).

use super::aligned::Aligned;
use sleight::{
    nnue::{BUCKETS, FEATURES, INPUT_BUCKETS, L2, L3, Network, QA, QB, Weight, WeightSource},
    util::Rng,
};

/// Weights of the feature transformer are clipped to this magnitude, so that few sums leave the range of 16 bits.
// CITE: common practice of bullet's users (akimbo, Reckless, Hobbes).
const FEATURE_WEIGHT_CLIP: f32 = 1.98;
/// Weights of the first hidden layer are clipped to this magnitude, so that they are at most 127 when quantized.
const L1_WEIGHT_CLIP: f32 = 127.0 / QB as f32;

/// The weights of a network with `H` neurons of each perspective's accumulator.
pub(super) struct Model<const H: usize> {
    /// King buckets: those of the engine, or one for all of them.
    input_buckets: usize,
    /// In the order of the network file: see [`WeightSource`].
    weights: Aligned<f32>,
    /// The weights of the feature transformer and the first hidden layer as the network file has them, in the same
    /// order. Zeros follow.
    quantized: Aligned<i16>,
}

/// The index at which each part of the weights begins.
#[derive(Clone, Copy)]
pub(super) struct Layout<const H: usize> {
    input_buckets: usize,
}

impl<const H: usize> Layout<H> {
    pub(super) fn new(input_buckets: usize) -> Self {
        Self { input_buckets }
    }

    /// The number of features. The row behind theirs is the bias.
    #[inline(always)]
    pub(super) fn features(self) -> usize {
        FEATURES * self.input_buckets
    }

    /// The first hidden layer's weights of an output bucket: for each output, those of the activations of the side to
    /// move, then of the opponent.
    #[inline(always)]
    pub(super) fn l1_weights(self, bucket: usize) -> usize {
        (self.features() + 1) * H + bucket * L2 * H
    }

    #[inline(always)]
    pub(super) fn l1_bias(self, bucket: usize) -> usize {
        self.l1_weights(BUCKETS) + bucket * L2
    }

    #[inline(always)]
    pub(super) fn l2_weights(self, bucket: usize) -> usize {
        self.l1_bias(BUCKETS) + bucket * (L2 - 1) * L3
    }

    #[inline(always)]
    pub(super) fn l2_bias(self, bucket: usize) -> usize {
        self.l2_weights(BUCKETS) + bucket * L3
    }

    #[inline(always)]
    pub(super) fn l3_weights(self, bucket: usize) -> usize {
        self.l2_bias(BUCKETS) + bucket * L3
    }

    /// The number of weights.
    pub(super) fn len(self) -> usize {
        self.l3_weights(BUCKETS)
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
    pub(super) fn new(input_buckets: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut fill = |weights: &mut [f32], middle: f32, spread: f32| {
            let uniform = || middle + ((rng.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0) * spread;
            weights.fill_with(uniform);
        };
        let layout = Layout::<H>::new(input_buckets);
        let mut weights = Aligned::zeros(layout.len());
        // Some 30 features are active at a time. The same weights in all king buckets.
        fill(&mut weights[..FEATURES * H], 0.0, 0.1);
        for bucket in 1..input_buckets {
            weights.copy_within(..FEATURES * H, bucket * FEATURES * H);
        }
        // Both factors of a product are to be above zero in most positions.
        fill(&mut weights[layout.features() * H..][..H], 0.4, 0.2);
        for bucket in 0..BUCKETS {
            let l1_weights = &mut weights[layout.l1_weights(bucket)..][..L2 * H];
            fill(l1_weights, 0.0, 3.0 * (H as f32).sqrt().recip());
            // The skip connection.
            fill(&mut l1_weights[(L2 - 1) * H..], 0.0, 0.5 * (H as f32).sqrt().recip());
            fill(&mut weights[layout.l1_bias(bucket)..][..L2 - 1], 0.3, 0.5);
            fill(&mut weights[layout.l2_weights(bucket)..][..(L2 - 1) * L3], 0.0, 1.7 * (L2 as f32).sqrt().recip());
            fill(&mut weights[layout.l2_bias(bucket)..][..L3], 0.2, 0.5);
            fill(&mut weights[layout.l3_weights(bucket)..][..L3], 0.0, (L3 as f32).sqrt().recip());
        }
        Self::from_weights(input_buckets, &weights)
    }

    /// A model that computes what `network` does. If it is wider, the further neurons are randomly initialized, with
    /// weights of zero in the first hidden layer.
    // CITE: Net2Net (Chen, Goodfellow and Shlens, "Accelerating learning via knowledge transfer", 2016).
    pub(super) fn from_network<const W: usize>(network: &Network<W, BUCKETS>, seed: u64) -> Self {
        let mut narrow = Vec::new();
        network.for_each_weight(|weight| {
            narrow.push(match weight {
                Weight::Feature(weight) => f32::from(weight) / QA as f32,
                Weight::L1(weight) => f32::from(weight) / QB as f32,
                Weight::Float(weight) => weight,
            });
        });
        let layout = Layout::<H>::new(INPUT_BUCKETS);
        let mut weights = Self::new(INPUT_BUCKETS, seed).weights().to_vec();
        let (rows, floats) = weights.split_at_mut(layout.l1_bias(0));
        let (narrow_rows, narrow_floats) = narrow.split_at(Layout::<W>::new(INPUT_BUCKETS).l1_bias(0));
        floats.copy_from_slice(narrow_floats);
        rows[layout.l1_weights(0)..].fill(0.0);
        // Halves of rows: of the two factors, or of the two perspectives.
        for (half, narrow) in rows.chunks_exact_mut(H / 2).zip(narrow_rows.chunks_exact(W / 2)) {
            half[..W / 2].copy_from_slice(narrow);
        }
        Self::from_weights(INPUT_BUCKETS, &weights)
    }

    /// A model with the given weights.
    pub(super) fn from_weights(input_buckets: usize, weights: &[f32]) -> Self {
        let len = Layout::<H>::new(input_buckets).len();
        let mut model = Self { input_buckets, weights: Aligned::zeros(len), quantized: Aligned::zeros(len) };
        model.weights.copy_from_slice(weights);
        model.chunks(usize::MAX).for_each(|mut chunk| chunk.clip_and_quantize());
        model
    }

    #[inline(always)]
    pub(super) fn input_buckets(&self) -> usize {
        self.input_buckets
    }

    pub(super) fn layout(&self) -> Layout<H> {
        Layout::new(self.input_buckets)
    }

    pub(super) fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The network of these weights, with `scale` internal units for an output of 1.0. If the model has one king
    /// bucket, all of the network's are equal.
    pub(super) fn network(&self, scale: u32) -> Box<Network<H, BUCKETS>> {
        let weights = self.weights.iter().copied().zip(self.quantized.iter().copied());
        let features = weights.clone().take(self.layout().features() * H);
        let copies = std::iter::repeat_n(features, INPUT_BUCKETS / self.input_buckets).flatten();
        let mut source = Source(copies.chain(weights.skip(self.layout().features() * H)));
        Network::from_source(&mut source).with_scale(scale)
    }

    /// The rows of the features, in units of `1 / QA`.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[[i16; H]] {
        self.quantized.as_chunks().0
    }

    /// The bias of the feature transformer, in units of `1 / QA`.
    #[inline(always)]
    pub(super) fn bias(&self) -> &[i16; H] {
        &self.rows()[self.layout().features()]
    }

    /// The first hidden layer's weights of all buckets, in units of `1 / QB`.
    #[inline(always)]
    pub(super) fn l1_weights(&self) -> &[i16] {
        let layout = self.layout();
        &self.quantized[layout.l1_weights(0)..layout.l1_weights(BUCKETS)]
    }

    /// The weights in chunks of `size`.
    pub(super) fn chunks(&mut self, size: usize) -> impl Iterator<Item = Chunk<'_>> {
        let size = size.min(self.weights.len());
        let layout = self.layout();
        let layer_ends = [layout.l1_weights(0), layout.l1_weights(BUCKETS)];
        let chunks = self.weights.chunks_mut(size).zip(self.quantized.chunks_mut(size));
        chunks.enumerate().map(move |(i, (weights, quantized))| {
            let within = |end: usize| end.saturating_sub(i * size).min(weights.len());
            Chunk { layer_ends: layer_ends.map(within), weights, quantized }
        })
    }
}

/// The weights of a model, each with its quantized copy, in the order of the network.
struct Source<I>(I);

impl<I: Iterator<Item = (f32, i16)>> WeightSource for Source<I> {
    fn feature(&mut self) -> i16 {
        self.0.next().unwrap_or_default().1
    }

    fn l1(&mut self) -> i8 {
        self.0.next().unwrap_or_default().1 as i8
    }

    fn float(&mut self) -> f32 {
        self.0.next().unwrap_or_default().0
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
