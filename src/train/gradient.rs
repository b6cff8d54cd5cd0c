//! Forward and backward pass: the loss and its gradient over one thread's share of a batch.
//!
//! The share is processed in blocks. In the forward pass, each position's accumulators are sums of a few dozen weight
//! vectors. The backward pass of the feature transformer would add to as many rows of the gradient, with twice the
//! memory traffic; instead the block's active features are sorted, and each row of the gradient is visited once a block
//! and gathers in registers the contributions of all the block's positions.

use super::{
    aligned::Aligned,
    loss::{Loss, sigmoid},
    model::{BIAS, Model},
    record::{ActiveFeatures, Record},
};
use crate::nnue::{QA, QB, output_bucket};

/// Positions in a block: many enough to share rows, few enough for their gradients to stay in the L2 cache.
const BLOCK: usize = 256;
/// Values that stay in registers while rows are added to them.
const TILE: usize = 64;
/// Independent sums in a dot product, since the compiler may not reorder floating-point additions.
const LANES: usize = 16;

/// The buffers of one thread.
pub(super) struct Worker<const H: usize> {
    /// The gradient of the summed loss, in the order of the model's weights.
    pub(super) gradient: Aligned<f32>,
    /// The loss summed over the positions.
    pub(super) loss: f64,
    block: Vec<(Record, ActiveFeatures)>,
    /// The gradients of the loss by the accumulators of the block's positions: two rows a position.
    accumulator_gradients: Aligned<f32>,
    feature_index: FeatureIndex,
}

/// The rows of `accumulator_gradients` in which each feature is active.
struct FeatureIndex {
    /// For each feature (and the bias), where its list begins; the last element is the end of all lists.
    starts: Vec<u32>,
    lists: Vec<u16>,
}

/// A position's accumulators in units of `1 / QA`: side to move, opponent.
type AccumulatorPair<const H: usize> = [[i16; H]; 2];

impl<const H: usize> Worker<H> {
    pub(super) fn new(buckets: usize) -> Self {
        Self {
            gradient: Aligned::zeros(Model::<H>::len(buckets)),
            loss: 0.0,
            block: Vec::with_capacity(BLOCK),
            accumulator_gradients: Aligned::zeros(2 * BLOCK * H),
            feature_index: FeatureIndex { starts: vec![0; BIAS + 2], lists: vec![0; 2 * 33 * BLOCK] },
        }
    }

    /// Forward and backward pass: sets `gradient` and `loss` to those of the given positions.
    #[inline(always)]
    pub(super) fn backpropagate(&mut self, model: &Model<H>, loss: Loss, mut records: impl Iterator<Item = Record>) {
        self.gradient.fill(0.0);
        self.loss = 0.0;
        while self.fetch_block(&mut records) {
            for i in 0..self.block.len() {
                self.backward_output_layer(model, loss, i);
            }
            self.feature_index.sort(&self.block);
            self.backward_feature_transformer();
        }
    }

    /// Forward pass only: sets `loss` to that of the given positions.
    #[inline(always)]
    pub(super) fn forward(&mut self, model: &Model<H>, loss: Loss, mut records: impl Iterator<Item = Record>) {
        self.loss = 0.0;
        while self.fetch_block(&mut records) {
            for (record, features) in &self.block {
                let error = sigmoid(output(model, record, features)) - loss.target(record);
                self.loss += f64::from(error * error);
            }
        }
    }

    /// Gets the next block; returns false at the end.
    #[inline(always)]
    fn fetch_block(&mut self, records: &mut impl Iterator<Item = Record>) -> bool {
        self.block.clear();
        // The records are scattered in memory; fetching many at once overlaps the cache misses.
        self.block.extend(records.take(BLOCK).map(|record| (record, ActiveFeatures::default())));
        for (record, features) in &mut self.block {
            *features = record.active_features();
        }
        !self.block.is_empty()
    }

    /// Forward pass of one position and backward pass through its output layer: adds to the loss and to the gradient of
    /// the output weights, and stores the gradient by the position's accumulators.
    #[inline(always)]
    fn backward_output_layer(&mut self, model: &Model<H>, loss: Loss, index: usize) {
        let (record, features) = &self.block[index];
        let accumulators = feature_transformer(model, features);
        let bucket = output_bucket(model.buckets(), record.piece_count());
        let predicted = sigmoid(output_layer(model, &accumulators, bucket));
        let error = predicted - loss.target(record);
        self.loss += f64::from(error * error);
        let output_gradient = 2.0 * error * predicted * (1.0 - predicted);

        self.gradient[Model::<H>::output_bias_start(model.buckets()) + bucket] += output_gradient;
        let weight_gradients = &mut self.gradient[Model::<H>::output_start(bucket)..][..2 * H].as_chunks_mut::<H>().0;
        let accumulator_gradients = &mut self.accumulator_gradients[2 * index * H..][..2 * H].as_chunks_mut::<H>().0;
        for side in 0..2 {
            let (weights, accumulator) = (&model.output_weights(bucket)[side], &accumulators[side]);
            let (weight_gradient, gradient) = (&mut weight_gradients[side], &mut accumulator_gradients[side]);
            for i in 0..H {
                let clipped = clipped_relu(accumulator[i]);
                weight_gradient[i] += output_gradient * clipped * clipped;
                // The derivative of the square; zero where the activation is clipped.
                let slope = if i32::from(accumulator[i]) < QA { 2.0 * output_gradient * clipped } else { 0.0 };
                gradient[i] = slope * f32::from(weights[i]) * (1.0 / QB as f32);
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

/// The output for a position.
#[inline(always)]
pub(super) fn output<const H: usize>(model: &Model<H>, record: &Record, features: &ActiveFeatures) -> f32 {
    let bucket = output_bucket(model.buckets(), record.piece_count());
    output_layer(model, &feature_transformer(model, features), bucket)
}

#[inline(always)]
fn feature_transformer<const H: usize>(model: &Model<H>, features: &ActiveFeatures) -> AccumulatorPair<H> {
    [sum_of_rows(model.rows(), features.us()), sum_of_rows(model.rows(), features.them())]
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

/// The clipped ReLU of a value in units of `1 / QA`; its square is the SCReLU.
#[inline(always)]
fn clipped_relu(value: i16) -> f32 {
    f32::from(value.clamp(0, QA as i16)) * (1.0 / QA as f32)
}

#[inline(always)]
fn output_layer<const H: usize>(model: &Model<H>, accumulators: &AccumulatorPair<H>, bucket: usize) -> f32 {
    let weights = model.output_weights(bucket);
    let mut sums = [0.0; LANES];
    for (accumulator, weights) in accumulators.iter().zip(weights) {
        for (values, weights) in accumulator.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
            for i in 0..LANES {
                let clipped = clipped_relu(values[i]);
                sums[i] += clipped * clipped * f32::from(weights[i]);
            }
        }
    }
    sums.iter().sum::<f32>() / QB as f32 + model.output_bias(bucket)
}
