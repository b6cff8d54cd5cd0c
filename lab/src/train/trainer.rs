//! Training steps on several threads.

use std::ops::Range;

use super::vectorized::vectorized;
use super::{
    gradient::GradientWorker,
    loss::Loss,
    model::Model,
    optimizer::{AdamW, CHUNK_LEN, Step},
    parallel::in_parallel,
};
use crate::record::Record;

/// A model and its optimizer.
pub(super) struct Trainer<const H: usize> {
    pub(super) model: Model<H>,
    pub(super) optimizer: AdamW,
    workers: Vec<GradientWorker<H>>,
}

impl<const H: usize> Trainer<H> {
    pub(super) fn new(model: Model<H>, optimizer: AdamW, threads: usize) -> Self {
        let buckets = model.input_buckets();
        Self { workers: (0..threads.max(1)).map(|_| GradientWorker::new(buckets)).collect(), model, optimizer }
    }

    /// Takes one optimizer step on the positions of `batch`, which `fetch` supplies by index. Returns the sum of their
    /// losses before the step.
    ///
    /// The result depends on the number of threads, through the rounding of sums, but not on their timing.
    pub(super) fn train_batch(
        &mut self,
        batch: Range<usize>,
        fetch: impl Fn(usize) -> Record + Sync,
        loss: Loss,
        learning_rate: f32,
    ) -> f64 {
        let batch_size = batch.len();
        let model = &self.model;
        let shares = shares(batch, self.workers.len());
        in_parallel(shares.len(), self.workers.iter_mut().zip(shares), |(worker, share)| {
            vectorized(|| worker.backpropagate(model, loss, share.map(&fetch)));
        });
        let step = self.optimizer.next_step(learning_rate, batch_size);
        self.step(step);
        self.workers.iter().map(|worker| worker.loss).sum()
    }

    /// The sum of the losses of positions, without training.
    pub(super) fn evaluate(
        &mut self,
        positions: Range<usize>,
        fetch: impl Fn(usize) -> Record + Sync,
        loss: Loss,
    ) -> f64 {
        let model = &self.model;
        let shares = shares(positions, self.workers.len());
        in_parallel(shares.len(), self.workers.iter_mut().zip(shares), |(worker, share)| {
            vectorized(|| worker.forward(model, loss, share.map(&fetch)));
        });
        self.workers.iter().map(|worker| worker.loss).sum()
    }

    /// Applies the workers' gradients to the weights.
    fn step(&mut self, step: Step) {
        let len = self.model.weights().len();
        let share = len.div_ceil(self.workers.len()).next_multiple_of(CHUNK_LEN);
        let gradients: Vec<&[f32]> = self.workers.iter().map(|worker| &*worker.gradient).collect();
        let chunks = self.model.chunks(CHUNK_LEN);
        let optimizer = &mut self.optimizer;
        let (first, second) = (&mut optimizer.first_moments, &mut optimizer.second_moments);
        let moments = first.chunks_mut(CHUNK_LEN).zip(second.chunks_mut(CHUNK_LEN));
        let mut jobs: Vec<_> = chunks.zip(moments).zip(optimizer.decay_targets.chunks(CHUNK_LEN)).enumerate().collect();
        let mut queues = Vec::new();
        while !jobs.is_empty() {
            let rest = jobs.split_off(jobs.len().min(share / CHUNK_LEN));
            queues.push(std::mem::replace(&mut jobs, rest));
        }
        in_parallel(queues.len(), queues.into_iter(), |jobs| {
            vectorized(|| {
                for (i, ((chunk, moments), targets)) in jobs {
                    let range = i * CHUNK_LEN..(i * CHUNK_LEN + chunk.weights.len());
                    step.apply(chunk, moments, targets, gradients.iter().map(|gradient| &gradient[range.clone()]));
                }
            });
        });
    }
}

/// Splits a range into `count` parts that differ by at most one in length.
fn shares(range: Range<usize>, count: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
    let bound = move |i| range.start + range.len() * i / count;
    (0..count).map(move |i| bound(i)..bound(i + 1))
}
