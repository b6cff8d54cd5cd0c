//! What a score is worth in wins.

/// Centipawns of a bin.
const BIN: i32 = 10;
/// Scores from here on, either way, are left out: they are won whatever the model says.
const LIMIT: i32 = 1500;
const BINS: usize = (2 * LIMIT / BIN + 1) as usize;

/// How often a score wins: `1 / (1 + exp((half_won - score) / steepness))`, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WinModel {
    /// The score that wins every other game.
    pub(super) half_won: f64,
    /// By how much the score must change for the odds to change by a factor of e.
    pub(super) steepness: f64,
}

/// Wins by score.
#[derive(Clone, Debug)]
pub(super) struct Wins {
    /// Positions, and how many of them were won, by score.
    bins: Vec<[u64; 2]>,
}

impl Default for Wins {
    fn default() -> Self {
        Self { bins: vec![[0; 2]; BINS] }
    }
}

impl Wins {
    /// Counts a position, as one side sees it.
    pub(super) fn add(&mut self, score: i32, won: bool) {
        if score.abs() <= LIMIT {
            let [positions, wins] =
                &mut self.bins[((score + LIMIT + BIN / 2) / BIN).clamp(0, BINS as i32 - 1) as usize];
            *positions += 1;
            *wins += u64::from(won);
        }
    }

    /// The likeliest model, by Newton's method on the logistic regression; none where wins do not depend on scores.
    pub(super) fn fit(&self) -> Option<WinModel> {
        // In pawns, so that both unknowns are of the same size: odds = exp(start + slope * score).
        let (mut start, mut slope) = (-1.0_f64, 1.0_f64);
        for _ in 0..50 {
            let (mut gradient, mut hessian) = ([0.0; 2], [0.0; 3]);
            for (bin, &[positions, wins]) in self.bins.iter().enumerate() {
                let score = f64::from(bin as i32 * BIN - LIMIT) / 100.0;
                let chance = 1.0 / (1.0 + (-start - slope * score).exp());
                let (error, weight) =
                    (wins as f64 - positions as f64 * chance, positions as f64 * chance * (1.0 - chance));
                gradient = [gradient[0] + error, gradient[1] + error * score];
                hessian = [hessian[0] + weight, hessian[1] + weight * score, hessian[2] + weight * score * score];
            }
            let determinant = hessian[0] * hessian[2] - hessian[1] * hessian[1];
            let step = [
                (hessian[2] * gradient[0] - hessian[1] * gradient[1]) / determinant,
                (hessian[0] * gradient[1] - hessian[1] * gradient[0]) / determinant,
            ];
            // Short steps: far from the solution, the parabola that Newton's method goes by is too flat.
            (start, slope) = (start + step[0].clamp(-1.0, 1.0), slope + step[1].clamp(-1.0, 1.0));
        }
        let model = WinModel { half_won: -100.0 * start / slope, steepness: 100.0 / slope };
        (model.half_won.is_finite() && model.steepness.is_finite() && model.steepness > 0.0).then_some(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::Rng;

    #[test]
    fn the_model_behind_the_games_is_found() {
        let (mut rng, mut wins) = (Rng::new(1), Wins::default());
        let truth = WinModel { half_won: 140.0, steepness: 80.0 };
        for _ in 0..200_000 {
            let score = rng.below(1_200) as i32 - 600;
            let chance = 1.0 / (1.0 + ((truth.half_won - f64::from(score)) / truth.steepness).exp());
            wins.add(score, (rng.below(1 << 20) as f64) < chance * f64::from(1 << 20));
        }
        let found = wins.fit().unwrap();
        assert!((found.half_won - truth.half_won).abs() < 3.0, "{found:?}");
        assert!((found.steepness - truth.steepness).abs() < 3.0, "{found:?}");
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        let mut wins = Wins::default();
        assert_eq!(wins.fit(), None);
        wins.add(50, true);
        wins.add(9_000, true);
        assert_eq!(wins.fit(), None);
    }
}
