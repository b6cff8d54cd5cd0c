//! A seeded pseudo-random number generator for everything reproducible: Zobrist keys, magics, random play.

use std::hash::{BuildHasher, Hasher, RandomState};

/// SplitMix64 (Steele, Lea and Flood, 2014): every seed gives a full-period sequence of 64-bit numbers.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator whose sequence is determined by `seed` alone.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator whose sequence differs from process to process.
    pub(crate) fn seeded_by_chance() -> Self {
        // The standard library's only source of such numbers.
        Self(RandomState::new().build_hasher().finish())
    }

    /// The next 64 uniform bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A uniform number in `0..bound` (0 when `bound` is 0), by multiplication and shift.
    #[inline]
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// A random index of `odds`, each with a probability in proportion to its odds, which are finite and not negative;
    /// 0 if all are zero or there are none.
    pub fn weighted(&mut self, odds: &[f64]) -> usize {
        // A uniform number from 0 to below 1, of 53 random bits.
        let uniform = (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut ticket = uniform * odds.iter().sum::<f64>();
        let drawn = odds.iter().position(|odds| {
            ticket -= odds;
            ticket < 0.0
        });
        // Rounding may leave a rest.
        drawn.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    /// The first outputs for seed 1234567, as published with the reference implementation.
    #[test]
    fn matches_the_reference_sequence() {
        let mut rng = Rng::new(1_234_567);
        assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn odds_are_kept() {
        let mut rng = Rng::new(5);
        let mut drawn = [0_u32; 4];
        (0..10_000).for_each(|_| drawn[rng.weighted(&[1.0, 0.0, 3.0, 6.0])] += 1);
        assert_eq!(drawn[1], 0);
        let near = |i: usize, share: u32| drawn[i].abs_diff(share) < 250;
        assert!(near(0, 1000) && near(2, 3000) && near(3, 6000), "{drawn:?}");
        assert_eq!([rng.weighted(&[]), rng.weighted(&[0.0; 3])], [0, 0]);
    }

    #[test]
    fn below_stays_below_and_reaches_every_value() {
        let mut rng = Rng::new(7);
        let mut seen = [false; 10];
        for _ in 0..1000 {
            seen[rng.below(10)] = true;
        }
        assert_eq!(seen, [true; 10]);
        assert_eq!(rng.below(0), 0);
    }
}
