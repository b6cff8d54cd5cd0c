//! Forward and backward pass: the loss and its gradient over one thread's share of a batch.
//!
//! The share is processed in blocks, and a block in tiles: some columns of the weights for all positions of the block,
//! so that the weights of the tile and their gradient stay in the cache. In the forward pass, each position's
//! accumulators are sums of a few dozen rows of weights. In the backward pass of the feature transformer the block's
//! active features are sorted, and each row of the gradient is visited once a block and gathers in registers the
//! contributions of all the block's positions. The first hidden layer is a product of small matrices for each output
//! bucket: the block's positions are sorted by bucket.
//!
//! Products are added by fused operations ([`f32::mul_add`]), which are the same on every machine.

use std::ops::Range;

use super::{
    aligned::Aligned,
    loss::Loss,
    model::{Layout, Model},
};
use crate::record::{ActiveFeatures, Record};
use sleight::nnue::{ACTIVATION_SHIFT, BUCKETS, L2, L3, Q_ACTIVATION, QA, QB, SKIP_FACTOR, output_bucket};

/// Positions in a block: many enough to share the rows of the gradient.
const BLOCK: usize = 1024;
/// Columns of the accumulators that are summed at a time.
const SUM_TILE: usize = 128;
/// Activations of a perspective that are processed at a time.
const TILE: usize = 64;
/// Positions whose products are computed together.
const ROWS: usize = 4;

/// The buffers of one thread.
pub(super) struct GradientWorker<const H: usize> {
    /// The gradient of the summed loss, in the order of the model's weights.
    pub(super) gradient: Aligned<f32>,
    /// The loss summed over the positions.
    pub(super) loss: f64,
    /// The current block, sorted by output bucket.
    block: Vec<(Record, ActiveFeatures)>,
    /// The index at which each bucket's positions begin in the block; the last element is the end.
    bucket_starts: [usize; BUCKETS + 1],
    /// For each perspective and position, the clipped accumulator in units of `1 / QA`.
    accumulators: [Aligned<i16>; 2],
    /// For each position, the activations of both perspectives: inputs of the first hidden layer.
    activations: Aligned<f32>,
    /// For each position, the outputs of the first hidden layer; then the gradient of the loss by them.
    l1_outputs: Aligned<f32>,
    /// The first hidden layer's quantized weights: for each bucket and output, a row of the inputs' weights.
    l1_weights: Aligned<f32>,
    /// The same for each bucket and input, a row of the outputs' weights.
    l1_columns: Aligned<f32>,
    /// The gradient by [`Self::l1_columns`].
    l1_gradient: Aligned<f32>,
    /// For each position, the gradient by a tile of both halves of an accumulator.
    tile_gradients: Vec<[[f32; TILE]; 2]>,
    feature_index: FeatureIndex,
}

/// The positions of a block in which each feature of a perspective is active.
struct FeatureIndex {
    /// For each feature, where its list begins; the last element is the end of all lists.
    starts: Vec<u32>,
    lists: Vec<u16>,
}

impl<const H: usize> GradientWorker<H> {
    /// Activations of a perspective.
    const HALF: usize = H / 2;

    pub(super) fn new(input_buckets: usize) -> Self {
        const { assert!(H.is_multiple_of(SUM_TILE)) };
        let layout = Layout::<H>::new(input_buckets);
        let l1 = || Aligned::zeros(BUCKETS * L2 * H);
        Self {
            gradient: Aligned::zeros(layout.len()),
            loss: 0.0,
            block: Vec::with_capacity(BLOCK),
            bucket_starts: [0; BUCKETS + 1],
            accumulators: [Aligned::zeros(BLOCK * H), Aligned::zeros(BLOCK * H)],
            activations: Aligned::zeros(BLOCK * H),
            l1_outputs: Aligned::zeros(BLOCK * L2),
            l1_weights: l1(),
            l1_columns: l1(),
            l1_gradient: l1(),
            tile_gradients: vec![[[0.0; TILE]; 2]; BLOCK],
            feature_index: FeatureIndex { starts: vec![0; layout.features() + 2], lists: vec![0; 32 * BLOCK] },
        }
    }

    /// Forward and backward pass: sets `gradient` and `loss` to those of the given positions.
    #[inline(always)]
    pub(super) fn backpropagate(&mut self, model: &Model<H>, loss: Loss, mut records: impl Iterator<Item = Record>) {
        self.gradient.fill(0.0);
        self.l1_gradient.fill(0.0);
        self.loss = 0.0;
        self.load_l1(model);
        while self.fetch_block(model, &mut records) {
            self.forward_block(model);
            for i in 0..self.block.len() {
                self.backward_hidden_layers(model, loss, i);
            }
            self.backward_l1_weights();
            for side in 0..2 {
                self.feature_index.sort(self.block.iter().map(|(_, features)| features.of(side)));
                for tile in 0..Self::HALF / TILE {
                    self.backward_accumulators(side, tile);
                    self.backward_feature_transformer(tile);
                }
            }
        }
        let rows = &mut self.gradient[model.layout().l1_weights(0)..][..BUCKETS * L2 * H];
        let columns = self.l1_gradient.chunks_exact(L2 * H);
        for (rows, columns) in rows.chunks_exact_mut(L2 * H).zip(columns) {
            for (i, column) in columns.as_chunks::<L2>().0.iter().enumerate() {
                column.iter().enumerate().for_each(|(output, &gradient)| rows[output * H + i] = gradient);
            }
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
        for (rows, columns) in self.l1_weights.chunks_exact(L2 * H).zip(self.l1_columns.chunks_exact_mut(L2 * H)) {
            for (i, column) in columns.as_chunks_mut::<L2>().0.iter_mut().enumerate() {
                *column = std::array::from_fn(|output| rows[output * H + i]);
            }
        }
    }

    /// Gets the next block, sorted by output bucket; returns false at the end.
    #[inline(always)]
    fn fetch_block(&mut self, model: &Model<H>, records: &mut impl Iterator<Item = Record>) -> bool {
        self.block.clear();
        // The records are scattered in memory; fetching many at once overlaps the cache misses.
        self.block.extend(records.take(BLOCK).map(|record| (record, ActiveFeatures::default())));
        let bucket = |record: &Record| output_bucket(BUCKETS, record.piece_count());
        self.block.sort_by_cached_key(|(record, _)| bucket(record));
        for (i, start) in self.bucket_starts.iter_mut().enumerate() {
            *start = self.block.partition_point(|(record, _)| bucket(record) < i);
        }
        for (record, features) in &mut self.block {
            *features = record.active_features(model.input_buckets());
        }
        !self.block.is_empty()
    }

    /// The block's positions of each output bucket.
    #[inline(always)]
    fn buckets(&self) -> impl Iterator<Item = (usize, Range<usize>)> + use<H> {
        let starts = self.bucket_starts;
        (0..BUCKETS).map(move |bucket| (bucket, starts[bucket]..starts[bucket + 1]))
    }

    /// Forward pass of the block, to the outputs of the first hidden layer.
    #[inline(always)]
    fn forward_block(&mut self, model: &Model<H>) {
        for (side, accumulators) in self.accumulators.iter_mut().enumerate() {
            for tile in 0..H / SUM_TILE {
                let bias = &model.bias().as_chunks().0[tile];
                for (accumulator, (_, features)) in accumulators.chunks_exact_mut(H).zip(&self.block) {
                    accumulator.as_chunks_mut().0[tile] = sum_of_rows(model.rows(), bias, features.of(side), tile);
                }
            }
        }
        for (side, accumulators) in self.accumulators.iter().enumerate() {
            let rows = self.activations.chunks_exact_mut(H).zip(accumulators.chunks_exact(H));
            for (activations, accumulator) in rows.take(self.block.len()) {
                let (first, second) = accumulator.split_at(Self::HALF);
                let activations = &mut activations[side * Self::HALF..][..Self::HALF];
                for (activation, (&first, &second)) in activations.iter_mut().zip(first.iter().zip(second)) {
                    let product = (first as u16).wrapping_mul(second as u16) >> ACTIVATION_SHIFT;
                    *activation = f32::from(product) * (1.0 / Q_ACTIVATION as f32);
                }
            }
        }
        let layout = model.layout();
        for (bucket, positions) in self.buckets() {
            let bias = &model.weights()[layout.l1_bias(bucket)..].as_chunks::<L2>().0[0];
            let outputs = self.l1_outputs.as_chunks_mut::<L2>().0;
            outputs[positions.clone()].fill(*bias);
            let columns = &self.l1_columns[bucket * L2 * H..][..L2 * H].as_chunks::<L2>().0;
            for tile in 0..H / TILE {
                let columns = &columns[tile * TILE..].as_chunks::<TILE>().0[0];
                for first in positions.clone().step_by(8) {
                    let rows = 8.min(positions.end - first);
                    let mut inputs = [&[0.0; TILE]; 8];
                    let mut sums = [[0.0; L2]; 8];
                    for i in 0..rows {
                        inputs[i] = &self.activations[(first + i) * H..].as_chunks::<TILE>().0[tile];
                        sums[i] = outputs[first + i];
                    }
                    // By name, so that all sums stay in registers.
                    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = sums;
                    for (i, column) in columns.iter().enumerate() {
                        add_product(&mut a, inputs[0][i], column);
                        add_product(&mut b, inputs[1][i], column);
                        add_product(&mut c, inputs[2][i], column);
                        add_product(&mut d, inputs[3][i], column);
                        add_product(&mut e, inputs[4][i], column);
                        add_product(&mut f, inputs[5][i], column);
                        add_product(&mut g, inputs[6][i], column);
                        add_product(&mut h, inputs[7][i], column);
                    }
                    outputs[first..first + rows].copy_from_slice(&[a, b, c, d, e, f, g, h][..rows]);
                }
            }
        }
    }

    /// The layers behind the first hidden one, for a position of the block.
    #[inline(always)]
    fn hidden_layers(&self, model: &Model<H>, index: usize) -> HiddenLayers {
        let bucket = output_bucket(BUCKETS, self.block[index].0.piece_count());
        let (layout, weights) = (model.layout(), model.weights());
        let l1 = self.l1_outputs[index * L2..].as_chunks::<L2>().0[0];
        let mut l2 = weights[layout.l2_bias(bucket)..].as_chunks::<L3>().0[0];
        let l2_weights = &weights[layout.l2_weights(bucket)..].as_chunks::<L3>().0[..L2 - 1];
        for (value, weights) in l1.iter().zip(l2_weights) {
            add_product(&mut l2, screlu(*value), weights);
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
        let l3_weights = &weights[layout.l3_weights(bucket)..].as_chunks::<L3>().0[0];
        let mut l2_gradient = [0.0; L3];
        let l3_gradient = &mut self.gradient[layout.l3_weights(bucket)..].as_chunks_mut::<L3>().0[0];
        for i in 0..L3 {
            l3_gradient[i] += output_gradient * screlu(l2[i]);
            l2_gradient[i] = output_gradient * l3_weights[i] * screlu_slope(l2[i]);
        }
        let bias_gradient = &mut self.gradient[layout.l2_bias(bucket)..].as_chunks_mut::<L3>().0[0];
        bias_gradient.iter_mut().zip(l2_gradient).for_each(|(sum, gradient)| *sum += gradient);
        let l2_weights = &weights[layout.l2_weights(bucket)..].as_chunks::<L3>().0[..L2 - 1];
        let weight_gradients = &mut self.gradient[layout.l2_weights(bucket)..].as_chunks_mut::<L3>().0[..L2 - 1];
        let mut l1_gradient = [SKIP_FACTOR * output_gradient; L2];
        for ((i, weights), gradient) in l2_weights.iter().enumerate().zip(weight_gradients) {
            add_product(gradient, screlu(l1[i]), &l2_gradient);
            l1_gradient[i] = dot(weights, &l2_gradient) * screlu_slope(l1[i]);
        }
        let bias_gradient = &mut self.gradient[layout.l1_bias(bucket)..][..L2];
        bias_gradient.iter_mut().zip(l1_gradient).for_each(|(sum, gradient)| *sum += gradient);
        self.l1_outputs[index * L2..][..L2].copy_from_slice(&l1_gradient);
    }

    /// Adds the block's gradient by the weights of the first hidden layer: for each input, a row of the outputs, summed
    /// over the positions.
    #[inline(always)]
    fn backward_l1_weights(&mut self) {
        let outputs = self.l1_outputs.as_chunks::<L2>().0;
        for (bucket, positions) in self.buckets() {
            let gradient = &mut self.l1_gradient[bucket * L2 * H..][..L2 * H].as_chunks_mut::<L2>().0;
            for tile in 0..H / TILE {
                let gradient = &mut gradient[tile * TILE..].as_chunks_mut::<TILE>().0[0];
                for first in positions.clone().step_by(ROWS) {
                    let rows = ROWS.min(positions.end - first);
                    let mut inputs = [&[0.0; TILE]; ROWS];
                    let mut slopes = [[0.0; L2]; ROWS];
                    for i in 0..rows {
                        inputs[i] = &self.activations[(first + i) * H..].as_chunks::<TILE>().0[tile];
                        slopes[i] = outputs[first + i];
                    }
                    for (i, sums) in gradient.iter_mut().enumerate() {
                        let [a, b, c, d] = &slopes;
                        let mut sum = *sums;
                        add_product(&mut sum, inputs[0][i], a);
                        add_product(&mut sum, inputs[1][i], b);
                        add_product(&mut sum, inputs[2][i], c);
                        add_product(&mut sum, inputs[3][i], d);
                        *sums = sum;
                    }
                }
            }
        }
    }

    /// Backward pass of the block through a tile of the activations of one perspective: sets the gradients by both
    /// halves of the accumulators.
    #[inline(always)]
    fn backward_accumulators(&mut self, side: usize, tile: usize) {
        let outputs = self.l1_outputs.as_chunks::<L2>().0;
        let of_side = side * Self::HALF / TILE + tile;
        for (bucket, positions) in self.buckets() {
            let weights = self.l1_weights[bucket * L2 * H..][..L2 * H].as_chunks::<TILE>().0;
            for first in positions.clone().step_by(ROWS) {
                let rows = ROWS.min(positions.end - first);
                let mut slopes = [[0.0; L2]; ROWS];
                slopes[..rows].copy_from_slice(&outputs[first..first + rows]);
                let mut sums = [[0.0; TILE]; ROWS];
                for output in 0..L2 {
                    let weights = &weights[output * (H / TILE) + of_side];
                    for row in 0..ROWS {
                        add_product(&mut sums[row], slopes[row][output], weights);
                    }
                }
                for (i, sums) in sums[..rows].iter().enumerate() {
                    let accumulator = self.accumulators[side][(first + i) * H..][..H].as_chunks::<TILE>().0;
                    let (first_half, second_half) = (&accumulator[tile], &accumulator[Self::HALF / TILE + tile]);
                    let [first_gradient, second_gradient] = &mut self.tile_gradients[first + i];
                    for j in 0..TILE {
                        let product = sums[j] * (1.0 / QA as f32);
                        let [a, b] = [first_half[j], second_half[j]];
                        let is_open = |value: i16| f32::from(u8::from(value > 0 && i32::from(value) < QA));
                        first_gradient[j] = product * f32::from(b) * is_open(a);
                        second_gradient[j] = product * f32::from(a) * is_open(b);
                    }
                }
            }
        }
    }

    /// Backward pass through a tile of the feature transformer: adds the gradient by the feature weights and the bias.
    #[inline(always)]
    fn backward_feature_transformer(&mut self, tile: usize) {
        let gradients = &self.tile_gradients[..self.block.len()];
        let rows = self.gradient.chunks_exact_mut(H).take(self.feature_index.starts.len() - 1);
        for (feature, row) in rows.enumerate() {
            let list = self.feature_index.of(feature);
            if list.is_empty() {
                continue;
            }
            let (first, second) = row.split_at_mut(Self::HALF);
            for (half, row) in [first, second].into_iter().enumerate() {
                let part = &mut row.as_chunks_mut::<TILE>().0[tile];
                let mut sums = *part;
                for &position in list {
                    let gradient = &gradients[usize::from(position)][half];
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
    /// Counting sort of the active features of the block's positions. The last list, the bias's, has all positions.
    #[inline(always)]
    fn sort<'a>(&mut self, block: impl ExactSizeIterator<Item = &'a [u16]> + Clone) {
        self.starts.fill(0);
        let Some((_, counts)) = self.starts.split_first_mut() else { return };
        for feature in block.clone().flatten() {
            counts[usize::from(*feature)] += 1;
        }
        // Counts become the starts of the lists; placing the entries moves each to the start of the next list.
        let mut start = 0;
        for count in counts {
            start += std::mem::replace(count, start);
        }
        let (starts, lists) = (&mut self.starts[1..], &mut self.lists);
        for (i, features) in block.enumerate() {
            for &feature in features {
                lists[starts[usize::from(feature)] as usize] = i as u16;
                starts[usize::from(feature)] += 1;
            }
        }
    }

    /// The positions in which a feature is active.
    #[inline(always)]
    fn of(&self, feature: usize) -> &[u16] {
        &self.lists[self.starts[feature] as usize..self.starts[feature + 1] as usize]
    }
}

/// A tile of an accumulator, clipped to 0 to 1.
#[inline(always)]
fn sum_of_rows<const H: usize>(
    rows: &[[i16; H]],
    bias: &[i16; SUM_TILE],
    features: &[u16],
    tile: usize,
) -> [i16; SUM_TILE] {
    let mut sums = *bias;
    for &feature in features {
        let row = &rows[usize::from(feature)].as_chunks::<SUM_TILE>().0[tile];
        for i in 0..SUM_TILE {
            // Sums beyond 128.0, which saturate, are far outside 0 to 1, to which they are clipped.
            sums[i] = sums[i].saturating_add(row[i]);
        }
    }
    for sum in &mut sums {
        *sum = (*sum).clamp(0, QA as i16);
    }
    sums
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

/// The scalar product of two vectors.
#[inline(always)]
fn dot(a: &[f32; L3], b: &[f32; L3]) -> f32 {
    let mut products = *a;
    for i in 0..L3 {
        products[i] *= b[i];
    }
    let mut len = L3;
    while len > 1 {
        len /= 2;
        for i in 0..len {
            products[i] += products[i + len];
        }
    }
    products[0]
}

/// `sums += factor * row`.
#[inline(always)]
fn add_product<const C: usize>(sums: &mut [f32; C], factor: f32, row: &[f32; C]) {
    for i in 0..C {
        sums[i] = factor.mul_add(row[i], sums[i]);
    }
}
