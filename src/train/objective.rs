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

/// From an output of the network, or a score in units of the scale, to expected points.
#[inline(always)]
pub(super) fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// Positions that the scale is fitted to.
const SAMPLE: usize = 1_000_000;
/// Between which centipawns the scale is sought.
const LEAST: f64 = 30.0;
const MOST: f64 = 2000.0;

/// The score, in centipawns, with which 73 % of the points are expected (the logistic function's at 1), by least
/// squares.
pub(super) fn fitted_scale(records: &[Record]) -> f32 {
    let stride = records.len().div_ceil(SAMPLE).max(1);
    let error = |logarithm: f64| -> f64 {
        let scale = logarithm.exp() as f32;
        let miss = |record: &Record| f64::from(sigmoid(f32::from(record.score()) / scale) - record.points());
        records.iter().step_by(stride).map(|record| miss(record).powi(2)).sum()
    };
    // The error falls and then rises again: narrow the range to where it is least (Kiefer's golden section).
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (LEAST.ln(), MOST.ln());
    while high - low > 1e-3 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if error(left) < error(right) { high = right } else { low = left }
    }
    f64::midpoint(low, high).exp() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{position::Position, util::Rng};

    #[test]
    fn the_scale_that_made_the_results_is_found() {
        let mut rng = Rng::new(1);
        let position = Position::startpos();
        for scale in [100.0, 250.0] {
            let mut record = |_| {
                let score = rng.below(1600) as i16 - 800;
                let wins = rng.below(1 << 20) as f32 / (1 << 20) as f32 <= sigmoid(f32::from(score) / scale);
                Record::new(&position, score, 2 * u8::from(wins)).unwrap()
            };
            let records: Vec<_> = (0..100_000).map(&mut record).collect();
            let found = fitted_scale(&records);
            assert!((found - scale).abs() < scale / 20.0, "{found}, not {scale}");
        }
    }
}
