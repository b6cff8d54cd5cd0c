//! Shuffling: a different order of the positions in every epoch, computed instead of stored.

use sleight::util::Rng;

/// A permutation of `0..len`, determined by a seed: a Feistel network over the next even power of two, walked until it
/// lands inside (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
#[derive(Clone, Debug)]
pub(super) struct Permutation {
    len: u64,
    half_bits: u32,
    keys: [u64; ROUNDS],
}

const ROUNDS: usize = 6;

impl Permutation {
    pub(super) fn new(len: usize, seed: u64) -> Self {
        let len = len as u64;
        let bits = u64::BITS - len.saturating_sub(1).leading_zeros();
        let mut rng = Rng::new(seed);
        Self { len, half_bits: bits.div_ceil(2).max(1), keys: std::array::from_fn(|_| rng.next_u64()) }
    }

    /// The image of `index`, which is below the length.
    #[inline(always)]
    pub(super) fn at(&self, index: usize) -> usize {
        let mut image = index as u64;
        loop {
            image = self.step(image);
            if image < self.len {
                return image as usize;
            }
        }
    }

    #[inline(always)]
    fn step(&self, index: u64) -> u64 {
        let mask = (1 << self.half_bits) - 1;
        let (mut left, mut right) = (index >> self.half_bits, index & mask);
        for key in self.keys {
            let mixed = (right ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            (left, right) = (right, (left ^ mixed) & mask);
        }
        left << self.half_bits | right
    }
}

#[cfg(test)]
mod tests {
    use super::Permutation;

    #[test]
    fn every_index_comes_once() {
        for len in [1, 2, 3, 16, 17, 1000, 4096] {
            let permutation = Permutation::new(len, 5);
            let mut images: Vec<_> = (0..len).map(|index| permutation.at(index)).collect();
            images.sort_unstable();
            assert!(images.into_iter().eq(0..len), "{len}");
        }
    }

    /// Neighbors, which come from one game, must not stay neighbors.
    #[test]
    fn neighbors_are_separated_and_seeds_differ() {
        let len = 100_000;
        let (first, second) = (Permutation::new(len, 1), Permutation::new(len, 2));
        let near = (1..len).filter(|&i| first.at(i).abs_diff(first.at(i - 1)) < 100).count();
        assert!((100..300).contains(&near), "{near} of some 200 expected by chance");
        assert!((0..len).filter(|&i| first.at(i) == second.at(i)).count() < 10);
        let mean = (0..len / 2).map(|i| first.at(i)).sum::<usize>() / (len / 2);
        assert!(mean.abs_diff(len / 2) < len / 50, "{mean}");
    }
}
