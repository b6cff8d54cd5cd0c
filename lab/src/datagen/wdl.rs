//! The win/draw/loss model: win rates by score, fitted to games.
// CITE: the logistic model and its use for UCI_ShowWDL and the centipawn scale: Stockfish.

/// The width of a bin, in internal units.
const BIN: i32 = 10;
/// Scores above this, either way, are left out of the fit: they are won whatever the model says.
const LIMIT: i32 = 1500;
const BINS: usize = (2 * LIMIT / BIN + 1) as usize;

/// The win rate at a score: `1 / (1 + exp((half_won - score) / steepness))`, in internal units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WinModel {
    /// The score with a win rate of 50 %.
    pub(super) half_won: f64,
    /// The change of score that changes the odds by a factor of e.
    pub(super) steepness: f64,
}

/// Win counts by score.
#[derive(Clone, Debug)]
pub(super) struct WinCounts {
    /// For each score bin, the number of positions and of those that were won.
    bins: Vec<[u64; 2]>,
}

impl Default for WinCounts {
    fn default() -> Self {
        Self { bins: vec![[0; 2]; BINS] }
    }
}

impl WinCounts {
    /// Counts a position from the perspective of one side.
    pub(super) fn add(&mut self, score: i32, won: bool) {
        if score.abs() <= LIMIT {
            let [positions, wins] =
                &mut self.bins[((score + LIMIT + BIN / 2) / BIN).clamp(0, BINS as i32 - 1) as usize];
            *positions += 1;
            *wins += u64::from(won);
        }
    }

    /// The maximum-likelihood model, by Newton's method for logistic regression; none if wins do not depend on scores.
    pub(super) fn fit(&self) -> Option<WinModel> {
        // In hundreds of units, so that both parameters are of the same size: odds = exp(intercept + slope * score).
        let (mut intercept, mut slope) = (-1.0_f64, 1.0_f64);
        for _ in 0..50 {
            let (mut gradient, mut hessian) = ([0.0; 2], [0.0; 3]);
            for (bin, &[positions, wins]) in self.bins.iter().enumerate() {
                let score = f64::from(bin as i32 * BIN - LIMIT) / 100.0;
                let chance = 1.0 / (1.0 + libm::exp(-intercept - slope * score));
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
            // Limited steps: far from the solution, the quadratic approximation is too flat.
            (intercept, slope) = (intercept + step[0].clamp(-1.0, 1.0), slope + step[1].clamp(-1.0, 1.0));
        }
        let model = WinModel { half_won: -100.0 * intercept / slope, steepness: 100.0 / slope };
        (model.half_won.is_finite() && model.steepness.is_finite() && model.steepness > 0.0).then_some(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sleight::util::Rng;

    #[test]
    fn the_fit_recovers_the_model() {
        let (mut rng, mut wins) = (Rng::new(1), WinCounts::default());
        let truth = WinModel { half_won: 140.0, steepness: 80.0 };
        for _ in 0..200_000 {
            let score = rng.below(1_200) as i32 - 600;
            let chance = 1.0 / (1.0 + libm::exp((truth.half_won - f64::from(score)) / truth.steepness));
            wins.add(score, (rng.below(1 << 20) as f64) < chance * f64::from(1 << 20));
        }
        let found = wins.fit().unwrap();
        assert!((found.half_won - truth.half_won).abs() < 3.0, "{found:?}");
        assert!((found.steepness - truth.steepness).abs() < 3.0, "{found:?}");
    }

    #[test]
    fn too_few_games_give_no_model() {
        let mut wins = WinCounts::default();
        assert_eq!(wins.fit(), None);
        wins.add(50, true);
        wins.add(9_000, true);
        assert_eq!(wins.fit(), None);
    }
}
