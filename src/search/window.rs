//! The window of an alpha-beta search.

use std::ops::Neg;

use crate::types::{Bound, Score};

/// The scores that a search distinguishes, for the side to move: those above `alpha` and below `beta`.
///
/// A search that returns at most `alpha` fails low, and the score is an upper bound; one that returns at least `beta`
/// fails high, and the score is a lower bound. In between it is exact. The window of a child is that of its parent,
/// negated.
// CITE: tantabus, frozenight - a type for the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// The open window: from -INFINITE to INFINITE.
    pub(super) const FULL: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// The null window that asks whether the score is greater than `alpha`.
    #[inline(always)]
    pub(super) fn null_above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The null window that asks whether the score is at least `beta`.
    #[inline(always)]
    pub(super) fn null_below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// Returns true if no score lies inside, so that every score fails low or high.
    #[inline(always)]
    pub(super) fn is_null(self) -> bool {
        self.alpha + 1 == self.beta
    }

    /// Returns true if the bounds have met, so that the score is known: `alpha`.
    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Returns true if a score fails low.
    #[inline(always)]
    pub(super) fn fails_low(self, score: Score) -> bool {
        score <= self.alpha
    }

    /// Returns true if a score fails high.
    #[inline(always)]
    pub(super) fn fails_high(self, score: Score) -> bool {
        score >= self.beta
    }

    /// The bound that the score of a search with this window is.
    #[inline(always)]
    pub(super) fn bound(self, score: Score) -> Bound {
        if self.fails_high(score) {
            Bound::Lower
        } else if self.fails_low(score) {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// The window as the opponent sees it.
impl Neg for Window {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_outside_a_window_are_bounds() {
        let window = Window { alpha: Score(-10), beta: Score(20) };
        let bounds = [-30, -10, -9, 19, 20, 40].map(|score| window.bound(Score(score)));
        assert_eq!(bounds, [Bound::Upper, Bound::Upper, Bound::Exact, Bound::Exact, Bound::Lower, Bound::Lower]);
    }

    #[test]
    fn a_score_fails_low_for_one_side_and_high_for_the_other() {
        let window = Window { alpha: Score(-10), beta: Score(20) };
        for score in (-30..=30).map(Score) {
            assert_eq!(window.fails_low(score), (-window).fails_high(-score));
            assert_eq!(window.fails_high(score), (-window).fails_low(-score));
        }
    }

    #[test]
    fn null_windows_have_no_inside() {
        for window in [Window::null_above(Score(7)), Window::null_below(Score(8))] {
            assert_eq!(window, Window { alpha: Score(7), beta: Score(8) });
            assert!(window.is_null() && !window.is_empty());
            assert!((0..20).map(Score).all(|score| window.bound(score) != Bound::Exact));
        }
        assert!(!Window::FULL.is_null());
    }
}
