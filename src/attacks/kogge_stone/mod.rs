//! Kogge-Stone fill: the attacks of many sliders at once, without a loop over them.
//!
//! A set of sliders (the generator) is flooded in one direction over the empty squares (the propagator), first by one
//! step, then by two, then by four: seven steps in three, as in the parallel-prefix adder of Peter M. Kogge and Harold
//! S. Stone (1973); the chess form is Steffan Westcott's. Each direction is a lane of a vector, so that one flood
//! serves all rooks, bishops and queens of a side: one vector with AVX-512, two with AVX2.
//!
//! ```text
//! sliders       by one step    by 2 more      by 4 more      shifted: attacked
//! . . . . .     . . . . .      . . . . .      . . . . .      . . o . .
//! . . o . .     . . o . .      . . o . .      . . o . .      . . X . .     o: a blocker, attacked as well
//! . . . . .     . . . . .      . . X . .      . . X . .      . . X . .
//! . . . . .     . . X . .      . . X . .      . . X . .      . . X . .
//! . . X . .     . . X . .      . . X . .      . . X . .      . . . . .
//! ```
// CITE: Peter M. Kogge and Harold S. Stone (1973); Steffan Westcott.
#![expect(unsafe_code, reason = "SIMD instructions are chosen at run time")]

mod avx2;
mod avx512;

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::Pext;
use crate::{types::Bitboard, util::environment};

/// A SIMD instruction set to fill with that this machine is known to have.
///
/// Values come from [`KoggeStone::available`], or from [`KoggeStone::chosen`], so holding one proves that the
/// instructions can be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KoggeStone(SimdLevel);

/// In ascending order of speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SimdLevel {
    Avx2 = 1,
    /// AVX-512 F with VPOPCNTDQ.
    Avx512,
}

/// The environment variable that selects a fill by [name](KoggeStone::name), the fastest by `on`, or switches it off.
const VARIABLE: &str = "SLEIGHT_FILL";

/// The level of the fill that [`KoggeStone::chosen`] gives; 0 for none.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

impl KoggeStone {
    /// The fill that every processor has that the build is for, beside PEXT.
    pub(super) const BUILT_IN: Option<Self> = if !Pext::IS_BUILT_IN {
        None
    } else if cfg!(all(target_feature = "avx512f", target_feature = "avx512vpopcntdq")) {
        Some(Self(SimdLevel::Avx512))
    } else if cfg!(target_feature = "avx2") {
        Some(Self(SimdLevel::Avx2))
    } else {
        None
    };

    /// The built-in fill; where there is none, the fastest that the processor has, or what the environment variable
    /// `SLEIGHT_FILL` says.
    pub(super) fn detect() -> Option<Self> {
        match environment(VARIABLE).as_deref() {
            _ if Self::BUILT_IN.is_some() => Self::BUILT_IN,
            Some("off") => None,
            Some("on") | None => Self::available().last(),
            Some(wanted) => Self::available().find(|fill| fill.name() == wanted).or_else(|| {
                let names: Vec<_> = Self::available().map(Self::name).collect();
                log::warn!(
                    "{VARIABLE}: this machine fills with {}, not with {wanted:?}; taking `off`",
                    names.join(", ")
                );
                None
            }),
        }
    }

    /// Sets what [`Self::chosen`] returns.
    pub(super) fn choose(fill: Option<Self>) {
        CHOSEN.store(fill.map_or(0, |fill| fill.0 as u8), Relaxed);
    }

    /// The fill to use, if there is one: known at compile time where the build is for processors that have it.
    #[inline(always)]
    pub(super) fn chosen() -> Option<Self> {
        const AVX2: u8 = SimdLevel::Avx2 as u8;
        const AVX512: u8 = SimdLevel::Avx512 as u8;
        match Self::BUILT_IN {
            Some(fill) => Some(fill),
            None => match CHOSEN.load(Relaxed) {
                AVX2 => Some(Self(SimdLevel::Avx2)),
                AVX512 => Some(Self(SimdLevel::Avx512)),
                _ => None,
            },
        }
    }

    /// All fills that this machine can run, the fastest last.
    pub(super) fn available() -> impl Iterator<Item = Self> {
        let has_avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq");
        let levels =
            [is_x86_feature_detected!("avx2").then_some(SimdLevel::Avx2), has_avx512.then_some(SimdLevel::Avx512)];
        levels.into_iter().flatten().map(Self)
    }

    /// `avx2` or `avx512`.
    pub(super) fn name(self) -> &'static str {
        match self.0 {
            SimdLevel::Avx2 => "avx2",
            SimdLevel::Avx512 => "avx512",
        }
    }

    /// True if the fill is faster than a lookup of each of the sliders, as measured in perft.
    #[inline(always)]
    pub(super) fn is_faster_for(self, orthogonal: Bitboard, diagonal: Bitboard) -> bool {
        match self.0 {
            SimdLevel::Avx2 => orthogonal.len() + diagonal.len() >= 4,
            SimdLevel::Avx512 => (orthogonal | diagonal).more_than_one(),
        }
    }

    /// The union of the attack sets of all sliders.
    #[inline(always)]
    pub(super) fn attacked(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
        Bitboard(match self.0 {
            // SAFETY: `self` proves that the processor has the instructions.
            SimdLevel::Avx2 => unsafe { avx2::attacked(orthogonal.0, diagonal.0, occupied.0) },
            // SAFETY: as above.
            SimdLevel::Avx512 => unsafe { avx512::attacked(orthogonal.0, diagonal.0, occupied.0) },
        })
    }

    /// The number of pairs of a slider and a square of `targets` that it attacks. The sliders are in `occupied` and
    /// block each other, so that no square is attacked twice in one direction: the population counts of the lanes add
    /// up.
    #[inline(always)]
    pub(super) fn count(
        self,
        orthogonal: Bitboard,
        diagonal: Bitboard,
        occupied: Bitboard,
        targets: Bitboard,
    ) -> usize {
        match self.0 {
            // SAFETY: `self` proves that the processor has the instructions.
            SimdLevel::Avx2 => unsafe { avx2::count(orthogonal.0, diagonal.0, occupied.0, targets.0) },
            // SAFETY: as above.
            SimdLevel::Avx512 => unsafe { avx512::count(orthogonal.0, diagonal.0, occupied.0, targets.0) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KoggeStone;
    use crate::{attacks::Slider, types::Bitboard, util::Rng};

    /// The attack set of each slider.
    fn each(orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> impl Iterator<Item = Bitboard> {
        let rooks = orthogonal.map(move |square| Slider::Rook.attacks(square, occupied));
        rooks.chain(diagonal.map(move |square| Slider::Bishop.attacks(square, occupied)))
    }

    /// Random sets of sliders, from none to a crowd, on boards from empty to full.
    #[test]
    fn every_fill_agrees_with_the_scan() {
        let mut rng = Rng::new(11);
        let mut sparse = |ands: usize| Bitboard((0..=ands).fold(!0, |squares, _| squares & rng.next_u64()));
        for round in 0..40_000 {
            let (orthogonal, diagonal) = (sparse(round % 5), sparse(round / 5 % 5));
            let occupied = orthogonal | diagonal | sparse(round / 25 % 4);
            let targets = sparse(0);
            let attacked = each(orthogonal, diagonal, occupied).fold(Bitboard::EMPTY, |all, attacks| all | attacks);
            let count: usize = each(orthogonal, diagonal, occupied).map(|attacks| (attacks & targets).len()).sum();
            for fill in KoggeStone::available() {
                let name = fill.name();
                assert_eq!(fill.attacked(orthogonal, diagonal, occupied), attacked, "{name}, round {round}");
                assert_eq!(fill.count(orthogonal, diagonal, occupied, targets), count, "{name}, round {round}");
            }
        }
    }
}
