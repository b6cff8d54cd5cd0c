//! The optimizer: AdamW.

use super::{aligned::Aligned, checkpoint::Checkpoint, model::Chunk};

/// The state of AdamW.
// CITE: Loshchilov and Hutter, "Decoupled weight decay regularization", 2019; bias-corrected moments after Kingma and
// Ba's Adam. Reckless and Viridithas report +18 and +10 Elo over Adam; not measured here. Weight decay toward
// the initial weights in place of zero: L2-SP (Li, Grandvalet and Davoine, "Explicit inductive bias for transfer
// learning with convolutional networks", 2018). docs/notes/training.md has measurements of both.
pub(super) struct AdamW {
    /// First moments: running means of each weight's gradient.
    pub(super) first_moments: Aligned<f32>,
    /// Second moments: running means of its square.
    pub(super) second_moments: Aligned<f32>,
    /// Optimizer steps taken.
    pub(super) steps: u64,
    weight_decay: f32,
    /// The values toward which the weights decay.
    pub(super) decay_targets: Aligned<f32>,
}

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The factors of one optimizer step, the same for all weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// From the sum over the batch to the mean: 1 / batch size.
    gradient_scale: f32,
    /// The part that remains of the distance between a weight and its decay target.
    decay_factor: f32,
    learning_rate: f32,
    /// Bias corrections of the moments, which start at zero.
    first_correction: f32,
    second_correction: f32,
}

impl Step {
    /// Step `number`, from 1, with gradients that are sums over `batch_size` positions.
    fn new(number: u64, learning_rate: f32, weight_decay: f32, batch_size: usize) -> Self {
        let number = i32::try_from(number).unwrap_or(i32::MAX);
        Self {
            gradient_scale: 1.0 / batch_size as f32,
            decay_factor: (1.0 - learning_rate * weight_decay).max(0.0),
            learning_rate,
            first_correction: 1.0 / (1.0 - BETA_1.powi(number)),
            second_correction: 1.0 / (1.0 - BETA_2.powi(number)),
        }
    }

    /// Updates a chunk of the weights and its moments. `decay_targets` and `gradients`, the threads' sums, are those of
    /// the same chunk.
    #[inline(always)]
    pub(super) fn apply<'a>(
        self,
        mut chunk: Chunk<'_>,
        (first, second): (&mut [f32], &mut [f32]),
        decay_targets: &[f32],
        gradients: impl Iterator<Item = &'a [f32]>,
    ) {
        let mut sum = [0.0; CHUNK_LEN];
        let sum = &mut sum[..chunk.weights.len()];
        for gradient in gradients {
            sum.iter_mut().zip(gradient).for_each(|(sum, gradient)| *sum += gradient);
        }
        for (weight, target) in chunk.decaying_weights().iter_mut().zip(decay_targets) {
            *weight = target + (*weight - target) * self.decay_factor;
        }
        for (((weight, first), second), sum) in chunk.weights.iter_mut().zip(first).zip(second).zip(sum) {
            let gradient = *sum * self.gradient_scale;
            *first = BETA_1 * *first + (1.0 - BETA_1) * gradient;
            *second = BETA_2 * *second + (1.0 - BETA_2) * gradient * gradient;
            let deviation = (*second * self.second_correction).sqrt() + EPSILON;
            *weight -= self.learning_rate * (*first * self.first_correction) / deviation;
        }
        chunk.clip_and_quantize();
    }
}

/// The most weights that [`Step::apply`] takes at once: with moments and gradients they fit in the L1 cache.
pub(super) const CHUNK_LEN: usize = 1024;

impl AdamW {
    /// The state before the first step, for `len` weights that decay toward zero.
    pub(super) fn new(len: usize, weight_decay: f32) -> Self {
        Self {
            first_moments: Aligned::zeros(len),
            second_moments: Aligned::zeros(len),
            steps: 0,
            weight_decay,
            decay_targets: Aligned::zeros(len),
        }
    }

    /// The same, but the weights decay toward `targets`.
    pub(super) fn with_decay_targets(mut self, targets: &[f32]) -> Self {
        self.decay_targets.copy_from_slice(targets);
        self
    }

    /// Goes on from the moments of a checkpoint.
    pub(super) fn restore(&mut self, checkpoint: &Checkpoint) {
        self.first_moments.copy_from_slice(&checkpoint.first_moments);
        self.second_moments.copy_from_slice(&checkpoint.second_moments);
        self.steps = checkpoint.steps;
    }

    /// The next step, with gradients that are sums over `batch_size` positions.
    pub(super) fn next_step(&mut self, learning_rate: f32, batch_size: usize) -> Step {
        self.steps += 1;
        Step::new(self.steps, learning_rate, self.weight_decay, batch_size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::model::Model;

    /// Without a gradient, weight decay is all that moves a weight: ten steps that leave 0.9 of the distance each.
    #[test]
    fn weights_of_the_first_two_layers_decay_toward_their_targets() {
        let start = Model::<128>::new(2, 1);
        let floats = start.layout().l1_bias(0);
        let other = Model::<128>::new(2, 2);
        for targets in [None, Some(other.weights())] {
            let mut model = Model::<128>::from_weights(2, start.weights());
            let mut optimizer = AdamW::new(model.weights().len(), 100.0);
            if let Some(targets) = targets {
                optimizer = optimizer.with_decay_targets(targets);
            }
            for _ in 0..10 {
                let step = optimizer.next_step(0.001, 1);
                let (first, second) = (&mut optimizer.first_moments, &mut optimizer.second_moments);
                let moments = first.chunks_mut(CHUNK_LEN).zip(second.chunks_mut(CHUNK_LEN));
                let chunks = model.chunks(CHUNK_LEN).zip(moments).zip(optimizer.decay_targets.chunks(CHUNK_LEN));
                for ((chunk, moments), targets) in chunks {
                    let gradient = [0.0; CHUNK_LEN];
                    step.apply(chunk, moments, targets, std::iter::once(&gradient[..targets.len()]));
                }
            }
            for (i, (&found, &start)) in model.weights().iter().zip(start.weights()).enumerate() {
                let target = targets.map_or(0.0, |targets| targets[i]);
                let expected = if i < floats { target + (start - target) * 0.9_f32.powi(10) } else { start };
                assert!((found - expected).abs() < 1e-5, "weight {i} from {start} to {found}, not {expected}");
            }
        }
    }
}
