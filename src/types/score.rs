use std::{
    fmt,
    ops::{Add, Neg, Sub},
};

use super::Depth;

/// The deepest ply that a search reaches, in half-moves from the root.
pub const MAX_PLY: usize = 246;

/// What a position is worth to the side to move.
///
/// | range | meaning |
/// |---|---|
/// | `-INFINITE`, `INFINITE` | window ends, never a result |
/// | `MATE - n` | mate is given in `n` plies |
/// | `TB_WIN - n` | a tablebase win is reached in `n` plies |
/// | up to `MAX_EVAL` in size | an estimate, in centipawns |
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
    /// The draw.
    pub const ZERO: Self = Self(0);
    /// Outside every result.
    pub const INFINITE: Self = Self(32_001);
    /// Mate on the board, for the side that gives it.
    pub const MATE: Self = Self(32_000);
    /// The least score that announces a mate.
    pub const MIN_MATE: Self = Self(Self::MATE.0 - MAX_PLY as i32);
    /// A tablebase win at the root.
    pub const TB_WIN: Self = Self(Self::MIN_MATE.0 - 1);
    /// The least score that announces a tablebase win.
    pub const MIN_TB_WIN: Self = Self(Self::TB_WIN.0 - MAX_PLY as i32);
    /// The largest estimate.
    pub const MAX_EVAL: Self = Self(Self::MIN_TB_WIN.0 - 1);

    /// Giving mate `ply` half-moves from the root.
    #[inline(always)]
    pub const fn mate_in(ply: usize) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// Being mated `ply` half-moves from the root.
    #[inline(always)]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - Self::MATE.0)
    }

    /// Whether the score announces a forced mate, for either side.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MIN_MATE.0
    }

    /// Whether the score is proven: a mate or a tablebase result rather than an estimate.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Self::MIN_TB_WIN.0
    }

    /// Whether the side to move has a proven win.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::MIN_TB_WIN.0
    }

    /// Whether the side to move has a proven loss.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::MIN_TB_WIN.0
    }

    /// The score held within the range of estimates, so that it can never be taken for a proof.
    #[inline(always)]
    pub fn clamp_eval(self) -> Self {
        Self(self.0.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }

    /// Moves to mate as UCI counts them: positive when the side to move mates, negative when it is mated.
    pub const fn mate_moves(self) -> Option<i32> {
        if !self.is_mate() {
            return None;
        }
        let plies = Self::MATE.0 - self.0.abs();
        Some(if self.0 > 0 { (plies + 1) / 2 } else { -(plies / 2) })
    }

    /// From "plies from the root" to "plies from this node", which is what the hash table may keep.
    #[inline(always)]
    pub const fn to_table(self, ply: usize) -> Self {
        if self.is_win() {
            Self(self.0 + ply as i32)
        } else if self.is_loss() {
            Self(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The inverse of [`Self::to_table`].
    #[inline(always)]
    pub const fn from_table(self, ply: usize) -> Self {
        if self.is_win() {
            Self(self.0 - ply as i32)
        } else if self.is_loss() {
            Self(self.0 + ply as i32)
        } else {
            self
        }
    }

    /// `self` moved `weight / 1024` of the way to `other`; both must be estimates.
    #[inline(always)]
    pub const fn lerp(self, other: Self, weight: Depth) -> Self {
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

const _: () = assert!(Score::INFINITE.0 + (MAX_PLY as i32) < i16::MAX as i32, "scores must fit the hash table");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_form_round_trips() {
        let scores =
            [Score::ZERO, Score(-73), Score::mate_in(9), Score::mated_in(12), Score::TB_WIN - 30, Score::MAX_EVAL];
        for score in scores {
            assert_eq!(score.to_table(7).from_table(7), score);
        }
        assert_eq!(Score::mate_in(9).to_table(4), Score::mate_in(5));
    }

    #[test]
    fn mates_count_moves_not_plies() {
        let counts: Vec<_> = (1..6).map(|ply| Score::mate_in(ply).mate_moves()).collect();
        assert_eq!(counts, [1, 1, 2, 2, 3].map(Some));
        assert_eq!(Score::mated_in(0).mate_moves(), Some(0));
        assert_eq!(Score::mated_in(2).mate_moves(), Some(-1));
        assert_eq!(Score::MAX_EVAL.mate_moves(), None);
    }
}
