//! The optimizer: AdamW.

use super::{aligned::Aligned, model::Chunk};

/// The state of AdamW.
///
/// CITE: Loshchilov and Hutter, "Decoupled weight decay regularization", 2019; bias-corrected moments after Kingma and
/// Ba's Adam. Reckless and Viridithas report +18 and +10 Elo over Adam; not measured here.
pub(super) struct AdamW {
    /// First moments: running means of each weight's gradient.
    pub(super) first_moments: Aligned<f32>,
    /// Second moments: running means of its square.
    pub(super) second_moments: Aligned<f32>,
    /// Optimizer steps taken.
    pub(super) steps: u64,
}

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.01;

/// The factors of one optimizer step, the same for all weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// From the sum over the batch to the mean: 1 / batch size.
    gradient_scale: f32,
    /// The part of a weight that remains after weight decay.
    decay_factor: f32,
    learning_rate: f32,
    /// Bias corrections of the moments, which start at zero.
    first_correction: f32,
    second_correction: f32,
}

impl Step {
    /// Step `number`, from 1, with gradients that are sums over `batch_size` positions.
    pub(super) fn new(number: u64, learning_rate: f32, batch_size: usize) -> Self {
        let number = i32::try_from(number).unwrap_or(i32::MAX);
        Self {
            gradient_scale: 1.0 / batch_size as f32,
            decay_factor: 1.0 - learning_rate * WEIGHT_DECAY,
            learning_rate,
            first_correction: 1.0 / (1.0 - BETA_1.powi(number)),
            second_correction: 1.0 / (1.0 - BETA_2.powi(number)),
        }
    }

    /// Updates a chunk of the weights and its moments. `gradients` are the threads' sums for the same chunk.
    #[inline(always)]
    pub(super) fn apply<'a>(
        self,
        mut chunk: Chunk<'_>,
        (first, second): (&mut [f32], &mut [f32]),
        gradients: impl Iterator<Item = &'a [f32]>,
    ) {
        let mut sum = [0.0; CHUNK_LEN];
        let sum = &mut sum[..chunk.weights.len()];
        for gradient in gradients {
            sum.iter_mut().zip(gradient).for_each(|(sum, gradient)| *sum += gradient);
        }
        for (((weight, first), second), sum) in chunk.weights.iter_mut().zip(first).zip(second).zip(sum) {
            let gradient = *sum * self.gradient_scale;
            *first = BETA_1 * *first + (1.0 - BETA_1) * gradient;
            *second = BETA_2 * *second + (1.0 - BETA_2) * gradient * gradient;
            let deviation = (*second * self.second_correction).sqrt() + EPSILON;
            *weight = *weight * self.decay_factor - self.learning_rate * (*first * self.first_correction) / deviation;
        }
        chunk.clip_and_quantize();
    }
}

/// The most weights that [`Step::apply`] takes at once: with moments and gradients they fit in the L1 cache.
pub(super) const CHUNK_LEN: usize = 1024;

impl AdamW {
    pub(super) fn new(len: usize) -> Self {
        Self { first_moments: Aligned::zeros(len), second_moments: Aligned::zeros(len), steps: 0 }
    }
}
