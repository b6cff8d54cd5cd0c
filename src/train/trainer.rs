//! One batch after another, on several threads.

use std::{ops::Range, thread};

use super::{
    gradient::Worker,
    model::Model,
    objective::Objective,
    optimizer::{CHUNK, Optimizer, Step},
    record::Record,
};
use crate::util::vectorized;

/// A model that learns.
pub(super) struct Trainer<const H: usize> {
    pub(super) model: Model<H>,
    pub(super) optimizer: Optimizer,
    workers: Vec<Worker<H>>,
}

impl<const H: usize> Trainer<H> {
    pub(super) fn new(model: Model<H>, threads: usize) -> Self {
        let buckets = model.buckets();
        Self {
            optimizer: Optimizer::new(Model::<H>::len(buckets)),
            workers: (0..threads.max(1)).map(|_| Worker::new(buckets)).collect(),
            model,
        }
    }

    /// Learns from the positions of `batch`, which `fetch` supplies by number. Returns the sum of their losses.
    ///
    /// The result depends on the number of threads, by the rounding of sums, but not on their timing.
    pub(super) fn learn(
        &mut self,
        batch: Range<usize>,
        fetch: impl Fn(usize) -> Record + Sync,
        objective: Objective,
        rate: f32,
    ) -> f64 {
        let positions = batch.len();
        let model = &self.model;
        let shares = shares(batch, self.workers.len());
        in_parallel(self.workers.iter_mut().zip(shares), |(worker, share)| {
            worker.learn(model, objective, share.map(&fetch));
        });
        self.optimizer.steps += 1;
        self.step(Step::new(self.optimizer.steps, rate, positions));
        self.workers.iter().map(|worker| worker.loss).sum()
    }

    /// Sums the losses of positions, without learning.
    pub(super) fn measure(
        &mut self,
        positions: Range<usize>,
        fetch: impl Fn(usize) -> Record + Sync,
        objective: Objective,
    ) -> f64 {
        let model = &self.model;
        let shares = shares(positions, self.workers.len());
        in_parallel(self.workers.iter_mut().zip(shares), |(worker, share)| {
            worker.measure(model, objective, share.map(&fetch));
        });
        self.workers.iter().map(|worker| worker.loss).sum()
    }

    /// Turns the workers' gradients into new weights.
    fn step(&mut self, step: Step) {
        let len = self.model.weights().len();
        let share = len.div_ceil(self.workers.len()).next_multiple_of(CHUNK);
        let gradients: Vec<&[f32]> = self.workers.iter().map(|worker| &*worker.gradient).collect();
        let parts = self.model.parts(CHUNK);
        let moments = self.optimizer.first.chunks_mut(CHUNK).zip(self.optimizer.second.chunks_mut(CHUNK));
        let mut jobs: Vec<_> = parts.zip(moments).enumerate().collect();
        let mut queues = Vec::new();
        while !jobs.is_empty() {
            let rest = jobs.split_off(jobs.len().min(share / CHUNK));
            queues.push(std::mem::replace(&mut jobs, rest));
        }
        in_parallel(queues.into_iter(), |jobs| {
            for (i, (part, moments)) in jobs {
                let same = i * CHUNK..(i * CHUNK + part.weights.len());
                step.apply(part, moments, gradients.iter().map(|gradient| &gradient[same.clone()]));
            }
        });
    }
}

/// Does each job in a thread of its own, compiled for the machine.
fn in_parallel<T: Send>(mut jobs: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
    let first = jobs.next();
    thread::scope(|scope| {
        for job in jobs {
            scope.spawn(|| vectorized(|| work(job)));
        }
        if let Some(job) = first {
            vectorized(|| work(job));
        }
    });
}

/// Splits a range into `count` parts that differ by at most one in length.
fn shares(range: Range<usize>, count: usize) -> impl Iterator<Item = Range<usize>> {
    let bound = move |i| range.start + range.len() * i / count;
    (0..count).map(move |i| bound(i)..bound(i + 1))
}
