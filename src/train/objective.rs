//! What the network is taught to say.

use super::record::Record;
use crate::nnue::SCALE;

/// A mix of the game's result and of what the search thought.
#[derive(Clone, Copy, Debug)]
pub(super) struct Objective {
    /// How much the result counts, 0 to 1; the rest is the score's.
    pub(super) result_weight: f32,
}

impl Objective {
    /// The points that the side to move is to expect, 0 to 1.
    #[inline(always)]
    pub(super) fn target(self, record: &Record) -> f32 {
        let score = sigmoid(f32::from(record.score()) / SCALE as f32);
        score + self.result_weight * (record.points() - score)
    }
}

/// From an output of the network, or a score in units of `SCALE` centipawns, to expected points.
#[inline(always)]
pub(super) fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}
