//! The loss and its derivatives: what one thread does with its share of a batch.
//!
//! The share is worked on in blocks. Forward, each position's hidden layer is a sum of a few dozen rows. Backward, the
//! same sum would have to be undone by adding to as many rows of the gradient, twice the traffic; instead the block's
//! entries are sorted by input, and each row of the gradient is visited once a block and gathers in registers what
//! all the block's positions have for it.

use super::{
    aligned::Aligned,
    model::{BIAS, FIXED_ONE, Model},
    objective::{Objective, sigmoid},
    record::{Inputs, Record},
};
use crate::nnue::output_bucket;

/// Positions in a block: many enough to share rows, few enough for their derivatives to stay in the L2 cache.
const BLOCK: usize = 256;
/// Values that stay in registers while rows are added to them.
const TILE: usize = 64;
/// Independent sums in a dot product, which the compiler must not reorder into being.
const LANES: usize = 16;

/// A thread's memory.
pub(super) struct Worker<const H: usize> {
    /// The sum over the positions of the derivatives by all weights, in the order of the weights.
    pub(super) gradient: Aligned<f32>,
    /// The sum over the positions of the losses.
    pub(super) loss: f64,
    block: Vec<(Record, Inputs)>,
    /// The derivatives by the hidden layers of the block's positions: two rows each.
    deltas: Aligned<f32>,
    entries: Entries,
}

/// Which rows of `deltas` belong to each input.
struct Entries {
    /// For each input (and the bias), where its list begins; the last element is the end of all lists.
    starts: Vec<u32>,
    lists: Vec<u16>,
}

/// A position's hidden layer, in units of `1 / FIXED_ONE`, as the side to move and the other side see it.
type Hidden<const H: usize> = [[i16; H]; 2];

impl<const H: usize> Worker<H> {
    pub(super) fn new(buckets: usize) -> Self {
        Self {
            gradient: Aligned::zeros(Model::<H>::len(buckets)),
            loss: 0.0,
            block: Vec::with_capacity(BLOCK),
            deltas: Aligned::zeros(2 * BLOCK * H),
            entries: Entries { starts: vec![0; BIAS + 2], lists: vec![0; 2 * 33 * BLOCK] },
        }
    }

    /// Sets `gradient` and `loss` to those of some positions.
    #[inline(always)]
    pub(super) fn learn(&mut self, model: &Model<H>, objective: Objective, mut records: impl Iterator<Item = Record>) {
        self.gradient.fill(0.0);
        self.loss = 0.0;
        while self.fetch(&mut records) {
            for i in 0..self.block.len() {
                self.learn_one(model, objective, i);
            }
            self.entries.sort(&self.block);
            self.gather();
        }
    }

    /// Sets `loss` to that of some positions.
    #[inline(always)]
    pub(super) fn measure(
        &mut self,
        model: &Model<H>,
        objective: Objective,
        mut records: impl Iterator<Item = Record>,
    ) {
        self.loss = 0.0;
        while self.fetch(&mut records) {
            for (record, inputs) in &self.block {
                let hidden = hidden(model, inputs);
                let bucket = output_bucket(model.buckets(), record.men_count());
                let error = sigmoid(output(model, &hidden, bucket)) - objective.target(record);
                self.loss += f64::from(error * error);
            }
        }
    }

    /// Gets the next block; false at the end.
    #[inline(always)]
    fn fetch(&mut self, records: &mut impl Iterator<Item = Record>) -> bool {
        self.block.clear();
        // The records lie anywhere in memory; asking for many at once lets the processor wait for them together.
        self.block.extend(records.take(BLOCK).map(|record| (record, Inputs::default())));
        for (record, inputs) in &mut self.block {
            *inputs = record.inputs();
        }
        !self.block.is_empty()
    }

    /// Adds one position's loss and its derivatives by the output layer, and notes those by its hidden layer.
    #[inline(always)]
    fn learn_one(&mut self, model: &Model<H>, objective: Objective, index: usize) {
        let (record, inputs) = &self.block[index];
        let hidden = hidden(model, inputs);
        let bucket = output_bucket(model.buckets(), record.men_count());
        let expected = sigmoid(output(model, &hidden, bucket));
        let error = expected - objective.target(record);
        self.loss += f64::from(error * error);
        let slope = 2.0 * error * expected * (1.0 - expected);

        self.gradient[Model::<H>::output_bias_start(model.buckets()) + bucket] += slope;
        let gradients = &mut self.gradient[Model::<H>::output_start(bucket)..][..2 * H].as_chunks_mut::<H>().0;
        let deltas = &mut self.deltas[2 * index * H..][..2 * H].as_chunks_mut::<H>().0;
        for side in 0..2 {
            let (weights, hidden) = (&model.output(bucket)[side], &hidden[side]);
            let (gradient, delta) = (&mut gradients[side], &mut deltas[side]);
            for i in 0..H {
                let value = clipped(hidden[i]);
                gradient[i] += slope * value * value;
                // The square's derivative; nothing flows through a neuron that is at either end.
                let flow = if hidden[i] < FIXED_ONE { 2.0 * slope * value } else { 0.0 };
                delta[i] = flow * weights[i];
            }
        }
    }

    /// Adds the block's derivatives by the hidden layer's weights.
    #[inline(always)]
    fn gather(&mut self) {
        let deltas = self.deltas.as_chunks::<H>().0;
        for (input, row) in self.gradient.as_chunks_mut::<H>().0.iter_mut().take(BIAS + 1).enumerate() {
            let list = self.entries.of(input);
            if list.is_empty() {
                continue;
            }
            for (tile, part) in row.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
                let mut sums = *part;
                for &entry in list {
                    let delta = &deltas[usize::from(entry)].as_chunks::<TILE>().0[tile];
                    for i in 0..TILE {
                        sums[i] += delta[i];
                    }
                }
                *part = sums;
            }
        }
    }
}

impl Entries {
    /// Sorts the block's inputs, by counting.
    #[inline(always)]
    fn sort(&mut self, block: &[(Record, Inputs)]) {
        self.starts.fill(0);
        let Some((_, counts)) = self.starts.split_first_mut() else { return };
        for (_, inputs) in block {
            for &input in inputs.ours().iter().chain(inputs.theirs()) {
                counts[usize::from(input)] += 1;
            }
        }
        counts[BIAS] = 2 * block.len() as u32;
        // From how many there are to where the first one is; placing them moves that to where the next list begins.
        let mut start = 0;
        for count in counts {
            start += std::mem::replace(count, start);
        }
        let (starts, lists) = (&mut self.starts[1..], &mut self.lists);
        let mut place = |input: usize, entry: usize| {
            lists[starts[input] as usize] = entry as u16;
            starts[input] += 1;
        };
        for (i, (_, inputs)) in block.iter().enumerate() {
            inputs.ours().iter().for_each(|&input| place(usize::from(input), 2 * i));
            inputs.theirs().iter().for_each(|&input| place(usize::from(input), 2 * i + 1));
            place(BIAS, 2 * i);
            place(BIAS, 2 * i + 1);
        }
    }

    /// The rows that belong to an input.
    #[inline(always)]
    fn of(&self, input: usize) -> &[u16] {
        &self.lists[self.starts[input] as usize..self.starts[input + 1] as usize]
    }
}

#[inline(always)]
fn hidden<const H: usize>(model: &Model<H>, inputs: &Inputs) -> Hidden<H> {
    [sum_of_rows(model.fixed_rows(), inputs.ours()), sum_of_rows(model.fixed_rows(), inputs.theirs())]
}

#[inline(always)]
fn sum_of_rows<const H: usize>(rows: &[[i16; H]], inputs: &[u16]) -> [i16; H] {
    let mut hidden = rows[BIAS];
    for (tile, part) in hidden.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
        let mut sums = *part;
        for &input in inputs {
            let row = &rows[usize::from(input)].as_chunks::<TILE>().0[tile];
            for i in 0..TILE {
                // A sum beyond 32 is far beyond where the neuron is clipped: it need not be right, only not wrap.
                sums[i] = sums[i].saturating_add(row[i]);
            }
        }
        *part = sums;
    }
    hidden
}

/// A neuron's value before it is squared.
#[inline(always)]
fn clipped(hidden: i16) -> f32 {
    f32::from(hidden.clamp(0, FIXED_ONE)) * (1.0 / FIXED_ONE as f32)
}

#[inline(always)]
fn output<const H: usize>(model: &Model<H>, hidden: &Hidden<H>, bucket: usize) -> f32 {
    let weights = model.output(bucket);
    let mut sums = [0.0; LANES];
    for (hidden, weights) in hidden.iter().zip(weights) {
        for (hidden, weights) in hidden.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
            for i in 0..LANES {
                let value = clipped(hidden[i]);
                sums[i] += value * value * weights[i];
            }
        }
    }
    sums.iter().sum::<f32>() + model.output_bias(bucket)
}
