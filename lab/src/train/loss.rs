//! The loss: squared error of the predicted against the target expected result.

use crate::record::Record;
use sleight::nnue::SCALE;

/// `(sigmoid(output) - target)^2`, where the target blends the game's result with the search's score.
// CITE: common practice in NNUE training (Stockfish's nnue-pytorch calls the blend lambda, bullet WDL).
#[derive(Clone, Copy, Debug)]
pub(super) struct Loss {
    /// The share of the game's result (win, draw, loss) in the target, 0 to 1; the rest is the score's.
    pub(super) wdl_share: f32,
}

impl Loss {
    /// The loss of an output, and its derivative by the output.
    #[inline(always)]
    pub(super) fn with_gradient(self, output: f32, record: &Record) -> (f64, f32) {
        let predicted = sigmoid(output);
        let error = predicted - self.target(record);
        (f64::from(error * error), 2.0 * error * predicted * (1.0 - predicted))
    }

    /// The loss of an output.
    #[inline(always)]
    pub(super) fn of(self, output: f32, record: &Record) -> f64 {
        self.with_gradient(output, record).0
    }

    /// The target for the side to move: expected points, 0 to 1.
    #[inline(always)]
    pub(super) fn target(self, record: &Record) -> f32 {
        let score = sigmoid(f32::from(record.score()) / SCALE as f32);
        score + self.wdl_share * (record.points() - score)
    }
}

/// Expected points, 0 to 1, for an output of the network or a score divided by the scale.
#[inline(always)]
pub(super) fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// The most positions that the scale is fitted to.
const SAMPLE: usize = 1_000_000;
/// The range in which the scale is sought, in internal units.
const MIN_SCALE: f64 = 30.0;
const MAX_SCALE: f64 = 2000.0;

/// The scale of a set of scores: the score, in its own internal units, at which 73 % of the points are expected (the
/// logistic function at 1), by least squares.
pub(super) fn fit_scale(records: &[Record]) -> f32 {
    let stride = records.len().div_ceil(SAMPLE).max(1);
    let error = |logarithm: f64| -> f64 {
        let scale = logarithm.exp() as f32;
        let miss = |record: &Record| f64::from(sigmoid(f32::from(record.score()) / scale) - record.points());
        records.iter().step_by(stride).map(|record| miss(record).powi(2)).sum()
    };
    // The error has a single minimum: golden-section search (Kiefer).
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (MIN_SCALE.ln(), MAX_SCALE.ln());
    while high - low > 1e-3 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if error(left) < error(right) { high = right } else { low = left }
    }
    f64::midpoint(low, high).exp() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use sleight::{position::Position, util::Rng};

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
            let found = fit_scale(&records);
            assert!((found - scale).abs() < scale / 20.0, "{found}, not {scale}");
        }
    }
}
