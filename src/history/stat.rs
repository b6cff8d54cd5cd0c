//! A bounded history value with gravity updates, and tables of it.

use bytemuck::Zeroable;

use crate::types::{Piece, Square};

/// A history value in `-MAX..=MAX`. An update moves it by `bonus - value * |bonus| / MAX` (gravity): the closer it is
/// to a limit, the less a bonus towards that limit changes it, so old updates fade out.
// CITE: Joona Kiiski (Stockfish), by way of Reckless and akimbo - history gravity.
#[derive(Clone, Copy, Default, Debug, Zeroable)]
#[repr(transparent)]
pub(crate) struct Stat<const MAX: i32>(i16);

impl<const MAX: i32> Stat<MAX> {
    /// The value of what was never updated.
    pub(crate) const ZERO: Self = Self(0);

    /// The current value.
    #[inline(always)]
    pub(crate) fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Multiplies the value by `factor / 1024`, at most 1.
    #[inline]
    pub(super) fn scale(&mut self, factor: i32) {
        debug_assert!((0..=1024).contains(&factor));
        self.0 = (self.get() * factor / 1024) as i16;
    }

    /// Adds a bonus, clamped to `-MAX..=MAX`, with gravity.
    #[inline(always)]
    pub(crate) fn update(&mut self, bonus: i32) {
        const { assert!(MAX > 0 && MAX <= i16::MAX as i32) };
        let bonus = bonus.clamp(-MAX, MAX);
        let value = self.get();
        self.0 = (value + bonus - value * bonus.abs() / MAX) as i16;
    }
}

/// The limit of every move history.
const MAX_MOVE: i32 = 16_384;

/// The history of one kind of move, `-16384..=16384`.
pub(crate) type MoveStat = Stat<MAX_MOVE>;

/// `[piece][target square]`
pub(crate) type PieceTo<T> = [[T; Square::COUNT]; Piece::COUNT];

#[cfg(test)]
mod tests {
    use super::Stat;

    #[test]
    fn never_leaves_its_range() {
        for start in -512..=512 {
            for bonus in [-9999, -512, -511, -100, -1, 0, 1, 77, 511, 512, 9999] {
                let mut stat = Stat::<512>(start);
                stat.update(bonus);
                assert!((-512..=512).contains(&stat.get()));
            }
        }
    }

    #[test]
    fn updates_converge_and_fade() {
        let mut stat = Stat::<1000>::default();
        for _ in 0..100 {
            stat.update(400);
        }
        assert!((900..=1000).contains(&stat.get()));
        stat.update(-400);
        assert!(stat.get() < 300);
    }
}
