//! One accumulator: a value for each neuron of the feature transformer, as one perspective sees the board.

use std::fmt;

use bytemuck::Zeroable;

/// One 16-bit value for each of `H` hidden neurons: the accumulator of a perspective, or a vector of weights of the
/// same length, such as those that a feature adds to it. Aligned to a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Zeroable)]
#[repr(C, align(64))]
pub struct Accumulator<const H: usize>(pub [i16; H]);

impl<const H: usize> Accumulator<H> {
    /// All zero.
    pub const ZERO: Self = Self([0; H]);

    /// The values in vectors of `W` lanes; `W` divides `H`.
    #[inline(always)]
    pub(super) fn vectors<const W: usize>(&self) -> &[[i16; W]] {
        const { assert!(H.is_multiple_of(W)) };
        self.0.as_chunks().0
    }

    /// Mutable [`Self::vectors`].
    #[inline(always)]
    pub(super) fn vectors_mut<const W: usize>(&mut self) -> &mut [[i16; W]] {
        const { assert!(H.is_multiple_of(W)) };
        self.0.as_chunks_mut().0
    }
}

impl<const H: usize> fmt::Debug for Accumulator<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
