//! What changes in the course of a training.

use std::f64::consts::PI;

/// How the learning rate falls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Schedule {
    /// Along half a wave, slowly at both ends
    Cosine,
    /// In three steps of the same ratio
    Step,
}

impl Schedule {
    /// The part of the first rate that is left when `progress`, 0 to 1, is done; `last` at the end.
    pub(super) fn factor(self, progress: f64, last: f64) -> f64 {
        match self {
            Self::Cosine => last + (1.0 - last) * (1.0 + (PI * progress.clamp(0.0, 1.0)).cos()) / 2.0,
            Self::Step => last.powf((4.0 * progress).floor().clamp(0.0, 3.0) / 3.0),
        }
    }
}

/// From `first` to `last`, evenly.
pub(super) fn ramp(first: f64, last: f64, progress: f64) -> f64 {
    first + (last - first) * progress.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_begin_at_one_and_end_where_asked() {
        for schedule in [Schedule::Cosine, Schedule::Step] {
            assert!((schedule.factor(0.0, 0.03) - 1.0).abs() < 1e-12);
            assert!((schedule.factor(1.0, 0.03) - 0.03).abs() < 1e-12);
            let factors: Vec<_> = (0..=100).map(|i| schedule.factor(f64::from(i) / 100.0, 0.03)).collect();
            assert!(factors.is_sorted_by(|a, b| a >= b), "{schedule:?}");
        }
        assert!((ramp(0.2, 0.4, 0.5) - 0.3).abs() < 1e-12);
    }
}
