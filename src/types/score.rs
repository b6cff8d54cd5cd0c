//! Scores, and the bounds that a search proves.

use std::{
    fmt,
    ops::{Add, Neg, Sub},
};

/// The maximum distance of a node from the root, in plies.
pub const MAX_PLY: usize = 246;

/// The value of a position for the side to move.
///
/// | range | meaning |
/// |---|---|
/// | `-INFINITE`, `INFINITE` | window ends, never a result |
/// | `MATE - n` | mate is given in `n` plies |
/// | `TB_WIN - n` | a tablebase win is reached in `n` plies |
/// | up to `MAX_EVAL` in size | an evaluation, in internal units: `eval` converts them to centipawns |
///
/// ```
/// # use sleight::types::Score;
/// assert!(Score::mate_in(3) > Score::TB_WIN && Score::TB_WIN > Score::MAX_EVAL);
/// assert_eq!(Score::mate_in(3).mate_moves(), Some(2));
/// assert_eq!((-Score::mate_in(4)).mate_moves(), Some(-2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

impl Score {
    /// A draw.
    pub const ZERO: Self = Self(0);
    /// Greater than every result: the initial window of the search.
    pub const INFINITE: Self = Self(32_001);
    /// Checkmate on the board, for the side that gave it.
    pub const MATE: Self = Self(32_000);
    /// The lowest score of a forced mate.
    pub const MIN_MATE: Self = Self(Self::MATE.0 - MAX_PLY as i32);
    /// A tablebase win at the root.
    pub const TB_WIN: Self = Self(Self::MIN_MATE.0 - 1);
    /// The lowest score of a tablebase win.
    pub const MIN_TB_WIN: Self = Self(Self::TB_WIN.0 - MAX_PLY as i32);
    /// The highest evaluation.
    pub const MAX_EVAL: Self = Self(Self::MIN_TB_WIN.0 - 1);

    /// Giving mate `ply` plies from the root.
    #[inline(always)]
    pub const fn mate_in(ply: usize) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// Being mated `ply` plies from the root.
    #[inline(always)]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - Self::MATE.0)
    }

    /// Returns true for a forced mate, by either side.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MIN_MATE.0
    }

    /// Returns true for a proven win or loss: a mate or a tablebase result rather than an evaluation.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Self::MIN_TB_WIN.0
    }

    /// Returns true for a proven win of the side to move.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::MIN_TB_WIN.0
    }

    /// Returns true for a proven loss of the side to move.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::MIN_TB_WIN.0
    }

    /// The score clamped to the range of evaluations, so that it is never taken for a mate or tablebase result.
    #[inline(always)]
    pub fn clamp_eval(self) -> Self {
        Self(self.0.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }

    /// The distance to mate in moves, as UCI counts: positive when the side to move mates, negative when it is mated.
    pub const fn mate_moves(self) -> Option<i32> {
        if !self.is_mate() {
            return None;
        }
        let plies = Self::MATE.0 - self.0.abs();
        Some(if self.0 > 0 { (plies + 1) / 2 } else { -(plies / 2) })
    }

    /// Linear interpolation from `self` to `other` by `weight / 1024`; both must be evaluations.
    #[inline(always)]
    pub const fn lerp(self, other: Self, weight: i32) -> Self {
        Self(self.0 + (other.0 - self.0) * weight / 1024)
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    #[inline(always)]
    fn add(self, points: i32) -> Self {
        Self(self.0 + points)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline(always)]
    fn sub(self, points: i32) -> Self {
        Self(self.0 - points)
    }
}

impl Sub for Score {
    type Output = i32;

    #[inline(always)]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "#{moves}"),
            None => write!(f, "{}", self.0),
        }
    }
}

/// The bound that a score is of the true minimax score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is an upper bound: the search failed low.
    Upper,
    /// The score is a lower bound: the search failed high.
    Lower,
    /// The score is exact: it lay inside the window.
    Exact,
}

impl Bound {
    /// Returns true if a score with this bound fails high or low against the null window that ends at `beta`, so that a
    /// node with that window needs no search.
    #[inline(always)]
    pub fn allows_cutoff(self, score: Score, beta: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score < beta,
        }
    }

    /// Returns true if a score with this bound is a better estimate than `eval`: exact, or a bound that rules `eval`
    /// out.
    #[inline(always)]
    pub fn refines(self, score: Score, eval: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score > eval,
            Self::Upper => score < eval,
        }
    }
}

const _: () =
    assert!(Score::INFINITE.0 + (MAX_PLY as i32) < i16::MAX as i32, "scores must fit the transposition table");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves_not_plies() {
        let counts: Vec<_> = (1..6).map(|ply| Score::mate_in(ply).mate_moves()).collect();
        assert_eq!(counts, [1, 1, 2, 2, 3].map(Some));
        assert_eq!(Score::mated_in(0).mate_moves(), Some(0));
        assert_eq!(Score::mated_in(2).mate_moves(), Some(-1));
        assert_eq!(Score::MAX_EVAL.mate_moves(), None);
    }
}
