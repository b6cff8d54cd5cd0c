//! The learning-rate schedule and other values that change in the course of a training.

use std::f64::consts::PI;

/// The shape of the learning-rate schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum LearningRateSchedule {
    /// Cosine decay
    Cosine,
    /// Step decay: three drops by the same factor
    Step,
}

impl LearningRateSchedule {
    /// The learning rate relative to the initial one, when `progress` (0 to 1) of the training is done; `last` at the
    /// end.
    // CITE: cosine decay, Loshchilov and Hutter ("SGDR", 2017), without restarts.
    pub(super) fn factor(self, progress: f64, last: f64) -> f64 {
        match self {
            Self::Cosine => last + (1.0 - last) * (1.0 + (PI * progress.clamp(0.0, 1.0)).cos()) / 2.0,
            Self::Step => last.powf((4.0 * progress).floor().clamp(0.0, 3.0) / 3.0),
        }
    }
}

/// Linear interpolation from `first` to `last`.
pub(super) fn lerp(first: f64, last: f64, progress: f64) -> f64 {
    first + (last - first) * progress.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_begin_at_one_and_end_where_asked() {
        for schedule in [LearningRateSchedule::Cosine, LearningRateSchedule::Step] {
            assert!((schedule.factor(0.0, 0.03) - 1.0).abs() < 1e-12);
            assert!((schedule.factor(1.0, 0.03) - 0.03).abs() < 1e-12);
            let factors: Vec<_> = (0..=100).map(|i| schedule.factor(f64::from(i) / 100.0, 0.03)).collect();
            assert!(factors.is_sorted_by(|a, b| a >= b), "{schedule:?}");
        }
        assert!((lerp(0.2, 0.4, 0.5) - 0.3).abs() < 1e-12);
    }
}
