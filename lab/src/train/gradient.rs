//! Forward and backward pass: the loss and its gradient over one thread's share of a batch.
//!
//! The share is processed in blocks. In the forward pass, each position's accumulators are sums of a few dozen weight
//! vectors. The backward pass of the feature transformer would add to as many rows of the gradient, with twice the
//! memory traffic; instead the block's active features are sorted, and each row of the gradient is visited once a block
//! and gathers in registers the contributions of all the block's positions. The first hidden layer is a product of
//! small matrices for each output bucket: the block's positions are sorted by bucket.

use std::ops::Range;

use super::{
    aligned::Aligned,
    loss::Loss,
    model::{BIAS, Layout, Model},
    record::{ActiveFeatures, Record},
};
use sleight::nnue::{ACTIVATION_SHIFT, L2, L3, Q_ACTIVATION, QA, QB, SKIP_FACTOR, output_bucket};

/// Positions in a block: many enough to share rows, few enough for their activations to stay in the L2 cache.
const BLOCK: usize = 128;
/// Values of a row that stay in registers while rows are added to them.
const TILE: usize = 64;
/// Lanes of a vector of floats.
const LANES: usize = 16;
/// Rows of a product of matrices that are computed together.
const ROWS: usize = 4;

/// The buffers of one thread.
pub(super) struct Worker<const H: usize> {
    /// The gradient of the summed loss, in the order of the model's weights.
    pub(super) gradient: Aligned<f32>,
    /// The loss summed over the positions.
    pub(super) loss: f64,
    /// The current block, sorted by output bucket.
    block: Vec<(Record, ActiveFeatures)>,
    /// Where each bucket's positions begin in the block; the last element is the end.
    bucket_starts: Vec<usize>,
    /// For each position, the activations of both accumulators: inputs of the first hidden layer.
    activations: Aligned<f32>,
    /// For each position, the derivative of the activations by the accumulators; then the gradient of the loss by them.
    accumulator_gradients: Aligned<f32>,
    /// For each position, the outputs of the first hidden layer; then the gradient of the loss by them.
    l1_outputs: Aligned<f32>,
    /// The first hidden layer's quantized weights.
    l1_weights: Aligned<f32>,
    feature_index: FeatureIndex,
}

/// The rows of `accumulator_gradients` in which each feature is active.
struct FeatureIndex {
    /// For each feature (and the bias), where its list begins; the last element is the end of all lists.
    starts: Vec<u32>,
    lists: Vec<u16>,
}

impl<const H: usize> Worker<H> {
    /// Inputs of the first hidden layer.
    const INPUTS: usize = 2 * H;

    pub(super) fn new(buckets: usize) -> Self {
        Self {
            gradient: Aligned::zeros(Layout::<H>::new(buckets).len()),
            loss: 0.0,
            block: Vec::with_capacity(BLOCK),
            bucket_starts: vec![0; buckets + 1],
            activations: Aligned::zeros(BLOCK * Self::INPUTS),
            accumulator_gradients: Aligned::zeros(BLOCK * Self::INPUTS),
            l1_outputs: Aligned::zeros(BLOCK * L2),
            l1_weights: Aligned::zeros(buckets * L2 * Self::INPUTS),
            feature_index: FeatureIndex { starts: vec![0; BIAS + 2], lists: vec![0; 2 * 33 * BLOCK] },
        }
    }

    /// Forward and backward pass: sets `gradient` and `loss` to those of the given positions.
    #[inline(always)]
    pub(super) fn backpropagate(&mut self, model: &Model<H>, loss: Loss, mut records: impl Iterator<Item = Record>) {
        self.gradient.fill(0.0);
        self.loss = 0.0;
        self.load_l1(model);
        while self.fetch_block(model, &mut records) {
            self.forward_block(model);
            for i in 0..self.block.len() {
                self.backward_hidden_layers(model, loss, i);
            }
            self.backward_l1(model);
            self.feature_index.sort(&self.block);
            self.backward_feature_transformer();
        }
    }

    /// Forward pass only: sets `loss` to that of the given positions.
    #[inline(always)]
    pub(super) fn forward(&mut self, model: &Model<H>, loss: Loss, mut records: impl Iterator<Item = Record>) {
        self.loss = 0.0;
        self.load_l1(model);
        while self.fetch_block(model, &mut records) {
            self.forward_block(model);
            for i in 0..self.block.len() {
                self.loss += loss.of(self.hidden_layers(model, i).output, &self.block[i].0);
            }
        }
    }

    /// The output for a position. The first hidden layer must have been [loaded](Self::load_l1).
    pub(super) fn output(&mut self, model: &Model<H>, record: &Record) -> f32 {
        self.fetch_block(model, &mut std::iter::once(*record));
        self.forward_block(model);
        self.hidden_layers(model, 0).output
    }

    /// Converts the quantized weights of the first hidden layer to floats.
    #[inline(always)]
    pub(super) fn load_l1(&mut self, model: &Model<H>) {
        for (float, &weight) in self.l1_weights.iter_mut().zip(model.l1_weights()) {
            *float = f32::from(weight) * (1.0 / QB as f32);
        }
    }

    /// Gets the next block, sorted by output bucket; returns false at the end.
    #[inline(always)]
    fn fetch_block(&mut self, model: &Model<H>, records: &mut impl Iterator<Item = Record>) -> bool {
        self.block.clear();
        // The records are scattered in memory; fetching many at once overlaps the cache misses.
        self.block.extend(records.take(BLOCK).map(|record| (record, ActiveFeatures::default())));
        let bucket = |record: &Record| output_bucket(model.buckets(), record.piece_count());
        self.block.sort_by_key(|(record, _)| bucket(record));
        for (i, start) in self.bucket_starts.iter_mut().enumerate() {
            *start = self.block.partition_point(|(record, _)| bucket(record) < i);
        }
        for (record, features) in &mut self.block {
            *features = record.active_features();
        }
        !self.block.is_empty()
    }

    /// The block's positions of each output bucket.
    #[inline(always)]
    fn buckets(&self) -> impl Iterator<Item = (usize, Range<usize>)> + use<H> {
        let starts = self.bucket_starts.clone();
        (0..starts.len() - 1).map(move |bucket| (bucket, starts[bucket]..starts[bucket + 1]))
    }

    /// Forward pass of the block, to the outputs of the first hidden layer.
    #[inline(always)]
    fn forward_block(&mut self, model: &Model<H>) {
        for (i, (_, features)) in self.block.iter().enumerate() {
            let activations = &mut self.activations[i * Self::INPUTS..][..Self::INPUTS].as_chunks_mut::<H>().0;
            let slopes = &mut self.accumulator_gradients[i * Self::INPUTS..][..Self::INPUTS].as_chunks_mut::<H>().0;
            for (side, features) in [features.us(), features.them()].into_iter().enumerate() {
                activate(&sum_of_rows(model.rows(), features), &mut activations[side], &mut slopes[side]);
            }
        }
        let layout = model.layout();
        for (bucket, positions) in self.buckets() {
            let bias = &model.weights()[layout.l1_bias(bucket)..].as_chunks::<L2>().0[0];
            let weights = &self.l1_weights[bucket * L2 * Self::INPUTS..][..L2 * Self::INPUTS];
            for position in positions {
                let activations = &self.activations[position * Self::INPUTS..][..Self::INPUTS];
                let outputs = &mut self.l1_outputs[position * L2..][..L2];
                for ((output, weights), bias) in outputs.iter_mut().zip(weights.chunks_exact(Self::INPUTS)).zip(bias) {
                    *output = bias + dot(activations, weights);
                }
            }
        }
    }

    /// The layers behind the first hidden one, for a position of the block.
    #[inline(always)]
    fn hidden_layers(&self, model: &Model<H>, index: usize) -> HiddenLayers {
        let bucket = output_bucket(model.buckets(), self.block[index].0.piece_count());
        let (layout, weights) = (model.layout(), model.weights());
        let l1 = self.l1_outputs[index * L2..].as_chunks::<L2>().0[0];
        let mut l2 = weights[layout.l2_bias(bucket)..].as_chunks::<L3>().0[0];
        let l2_weights = &weights[layout.l2_weights(bucket)..].as_chunks::<L3>().0[..L2 - 1];
        for (value, weights) in l1.iter().zip(l2_weights) {
            add_product(std::array::from_mut(&mut l2), [screlu(*value)], weights);
        }
        let l3_weights = &weights[layout.l3_weights(bucket)..][..L3];
        let output: f32 = l2.iter().zip(l3_weights).map(|(&value, weight)| screlu(value) * weight).sum();
        HiddenLayers { bucket, l1, l2, output: output + SKIP_FACTOR * l1[L2 - 1] }
    }

    /// Backward pass of one position, to the outputs of the first hidden layer: adds to the loss and to the gradient of
    /// the weights behind that layer, and replaces its outputs by the gradient by them.
    #[inline(always)]
    fn backward_hidden_layers(&mut self, model: &Model<H>, loss: Loss, index: usize) {
        let HiddenLayers { bucket, l1, l2, output } = self.hidden_layers(model, index);
        let (loss, output_gradient) = loss.with_gradient(output, &self.block[index].0);
        self.loss += loss;

        let (layout, weights) = (model.layout(), model.weights());
        let l3_weights = &weights[layout.l3_weights(bucket)..][..L3];
        let mut l2_gradient = [0.0; L3];
        for i in 0..L3 {
            self.gradient[layout.l3_weights(bucket) + i] += output_gradient * screlu(l2[i]);
            l2_gradient[i] = output_gradient * l3_weights[i] * screlu_slope(l2[i]);
            self.gradient[layout.l2_bias(bucket) + i] += l2_gradient[i];
        }
        let l2_weights = &weights[layout.l2_weights(bucket)..].as_chunks::<L3>().0[..L2 - 1];
        let weight_gradients = &mut self.gradient[layout.l2_weights(bucket)..].as_chunks_mut::<L3>().0[..L2 - 1];
        let mut l1_gradient = [SKIP_FACTOR * output_gradient; L2];
        for ((i, weights), gradient) in l2_weights.iter().enumerate().zip(weight_gradients) {
            add_product(std::array::from_mut(gradient), [screlu(l1[i])], &l2_gradient);
            let mut products = [0.0; L3];
            for j in 0..L3 {
                products[j] = weights[j] * l2_gradient[j];
            }
            l1_gradient[i] = products.iter().sum::<f32>() * screlu_slope(l1[i]);
        }
        let bias_gradient = &mut self.gradient[layout.l1_bias(bucket)..][..L2];
        bias_gradient.iter_mut().zip(l1_gradient).for_each(|(sum, gradient)| *sum += gradient);
        self.l1_outputs[index * L2..][..L2].copy_from_slice(&l1_gradient);
    }

    /// Backward pass of the block through the first hidden layer: adds the gradient by its weights, and stores the
    /// gradient by the accumulators.
    #[inline(always)]
    fn backward_l1(&mut self, model: &Model<H>) {
        let layout = model.layout();
        for (bucket, positions) in self.buckets() {
            // The gradient by the weights: a row for each output, summed over the positions.
            let gradient = &mut self.gradient[layout.l1_weights(bucket)..][..L2 * Self::INPUTS];
            for (rows, first) in gradient.chunks_exact_mut(ROWS * Self::INPUTS).zip((0..L2).step_by(ROWS)) {
                for column in (0..Self::INPUTS).step_by(TILE) {
                    let at = |i: usize| i * Self::INPUTS + column;
                    let mut sums: [[f32; TILE]; ROWS] = std::array::from_fn(|i| rows[at(i)..].as_chunks::<TILE>().0[0]);
                    for position in positions.clone() {
                        let factors = self.l1_outputs[position * L2 + first..].as_chunks::<ROWS>().0[0];
                        add_product(&mut sums, factors, &self.activations[at(position)..].as_chunks::<TILE>().0[0]);
                    }
                    for (i, sums) in sums.iter().enumerate() {
                        rows[at(i)..][..TILE].copy_from_slice(sums);
                    }
                }
            }
            // The gradient by the inputs: a row for each position, summed over the outputs.
            let weights = &self.l1_weights[bucket * L2 * Self::INPUTS..][..L2 * Self::INPUTS];
            for first in positions.clone().step_by(ROWS) {
                let rows = ROWS.min(positions.end - first);
                for column in (0..Self::INPUTS).step_by(TILE) {
                    let at = |i: usize| i * Self::INPUTS + column;
                    let mut sums = [[0.0; TILE]; ROWS];
                    for output in 0..L2 {
                        let factors = std::array::from_fn(|i| self.l1_outputs[(first + i.min(rows - 1)) * L2 + output]);
                        add_product(&mut sums, factors, &weights[at(output)..].as_chunks::<TILE>().0[0]);
                    }
                    for (i, sums) in sums[..rows].iter().enumerate() {
                        let slopes = &mut self.accumulator_gradients[at(first + i)..][..TILE];
                        slopes.iter_mut().zip(sums).for_each(|(slope, sum)| *slope *= sum);
                    }
                }
            }
        }
    }

    /// Backward pass through the feature transformer: adds the block's gradient by the feature weights and the bias.
    #[inline(always)]
    fn backward_feature_transformer(&mut self) {
        let gradients = self.accumulator_gradients.as_chunks::<H>().0;
        for (feature, row) in self.gradient.as_chunks_mut::<H>().0.iter_mut().take(BIAS + 1).enumerate() {
            let list = self.feature_index.of(feature);
            if list.is_empty() {
                continue;
            }
            for (tile, part) in row.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
                let mut sums = *part;
                for &entry in list {
                    let gradient = &gradients[usize::from(entry)].as_chunks::<TILE>().0[tile];
                    for i in 0..TILE {
                        sums[i] += gradient[i];
                    }
                }
                *part = sums;
            }
        }
    }
}

/// The forward pass behind the first hidden layer: before the activations, and the output.
struct HiddenLayers {
    bucket: usize,
    l1: [f32; L2],
    l2: [f32; L3],
    output: f32,
}

impl FeatureIndex {
    /// Counting sort of the block's active features.
    #[inline(always)]
    fn sort(&mut self, block: &[(Record, ActiveFeatures)]) {
        self.starts.fill(0);
        let Some((_, counts)) = self.starts.split_first_mut() else { return };
        for (_, features) in block {
            for &feature in features.us().iter().chain(features.them()) {
                counts[usize::from(feature)] += 1;
            }
        }
        counts[BIAS] = 2 * block.len() as u32;
        // Counts become the starts of the lists; placing the entries moves each to the start of the next list.
        let mut start = 0;
        for count in counts {
            start += std::mem::replace(count, start);
        }
        let (starts, lists) = (&mut self.starts[1..], &mut self.lists);
        let mut place = |feature: usize, entry: usize| {
            lists[starts[feature] as usize] = entry as u16;
            starts[feature] += 1;
        };
        for (i, (_, features)) in block.iter().enumerate() {
            features.us().iter().for_each(|&feature| place(usize::from(feature), 2 * i));
            features.them().iter().for_each(|&feature| place(usize::from(feature), 2 * i + 1));
            place(BIAS, 2 * i);
            place(BIAS, 2 * i + 1);
        }
    }

    /// The rows in which a feature is active.
    #[inline(always)]
    fn of(&self, feature: usize) -> &[u16] {
        &self.lists[self.starts[feature] as usize..self.starts[feature + 1] as usize]
    }
}

#[inline(always)]
fn sum_of_rows<const H: usize>(rows: &[[i16; H]], features: &[u16]) -> [i16; H] {
    let mut accumulator = rows[BIAS];
    for (tile, part) in accumulator.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
        let mut sums = *part;
        for &feature in features {
            let row = &rows[usize::from(feature)].as_chunks::<TILE>().0[tile];
            for i in 0..TILE {
                // Sums beyond 128.0, which saturate, are far outside 0 to 1, to which they are clipped.
                sums[i] = sums[i].saturating_add(row[i]);
            }
        }
        *part = sums;
    }
    accumulator
}

/// The activations (SCReLU) of an accumulator in units of `1 / QA`, as the engine rounds them, and their derivatives by
/// the accumulator, as if they were not rounded.
#[inline(always)]
fn activate<const H: usize>(accumulator: &[i16; H], activations: &mut [f32; H], slopes: &mut [f32; H]) {
    for i in 0..H {
        let clipped = accumulator[i].clamp(0, QA as i16) as u16;
        activations[i] = f32::from(clipped.wrapping_mul(clipped) >> ACTIVATION_SHIFT) * (1.0 / Q_ACTIVATION as f32);
        let slope = f32::from(clipped) * (2.0 / QA as f32);
        slopes[i] = if i32::from(accumulator[i]) < QA { slope } else { 0.0 };
    }
}

#[inline(always)]
fn screlu(value: f32) -> f32 {
    let clipped = value.clamp(0.0, 1.0);
    clipped * clipped
}

/// The derivative of the SCReLU; zero where it is clipped.
#[inline(always)]
fn screlu_slope(value: f32) -> f32 {
    if value < 1.0 { 2.0 * value.max(0.0) } else { 0.0 }
}

/// The scalar product of two vectors whose length is a multiple of [`LANES`].
#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    // Independent sums, since the compiler may not reorder floating-point additions.
    let mut sums = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for i in 0..LANES {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum()
}

/// `sums[i] += factors[i] * row`.
#[inline(always)]
fn add_product<const R: usize, const C: usize>(sums: &mut [[f32; C]; R], factors: [f32; R], row: &[f32; C]) {
    for i in 0..R {
        for j in 0..C {
            sums[i][j] += factors[i] * row[j];
        }
    }
}
