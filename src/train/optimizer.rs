//! From gradients to new weights.

use super::{aligned::Aligned, model::Part};

/// The state of AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).
pub(super) struct Optimizer {
    /// Running means of each weight's derivative,
    pub(super) first: Aligned<f32>,
    /// and of its square.
    pub(super) second: Aligned<f32>,
    /// Steps done.
    pub(super) steps: u64,
}

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const DECAY: f32 = 0.01;

/// One step, for a part of the weights: what does not depend on the weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// From a sum over the batch to a mean.
    scale: f32,
    /// The weight that remains after decay.
    keep: f32,
    rate: f32,
    /// What the means lack, because they began at zero: the first relative to the root of the second.
    correction: f32,
    second_correction: f32,
}

impl Step {
    /// Step number `number`, from 1, with gradients that are sums over `positions`.
    pub(super) fn new(number: u64, rate: f32, positions: usize) -> Self {
        let number = i32::try_from(number).unwrap_or(i32::MAX);
        Self {
            scale: 1.0 / positions as f32,
            keep: 1.0 - rate * DECAY,
            rate,
            correction: 1.0 / (1.0 - BETA_1.powi(number)),
            second_correction: 1.0 / (1.0 - BETA_2.powi(number)),
        }
    }

    /// Changes a part of the weights. `gradients` are the threads' sums for the same part.
    #[inline(always)]
    pub(super) fn apply<'a>(
        self,
        mut part: Part<'_>,
        (first, second): (&mut [f32], &mut [f32]),
        gradients: impl Iterator<Item = &'a [f32]>,
    ) {
        let mut sum = [0.0; CHUNK];
        let sum = &mut sum[..part.weights.len()];
        for gradient in gradients {
            sum.iter_mut().zip(gradient).for_each(|(sum, gradient)| *sum += gradient);
        }
        for (((weight, first), second), sum) in part.weights.iter_mut().zip(first).zip(second).zip(sum) {
            let gradient = *sum * self.scale;
            *first = BETA_1 * *first + (1.0 - BETA_1) * gradient;
            *second = BETA_2 * *second + (1.0 - BETA_2) * gradient * gradient;
            let spread = (*second * self.second_correction).sqrt() + EPSILON;
            *weight = *weight * self.keep - self.rate * (*first * self.correction) / spread;
        }
        part.round();
    }
}

/// The most weights that [`Step::apply`] takes at once: what fits the L1 cache with all that belongs to it.
pub(super) const CHUNK: usize = 1024;

impl Optimizer {
    pub(super) fn new(len: usize) -> Self {
        Self { first: Aligned::zeros(len), second: Aligned::zeros(len), steps: 0 }
    }
}
