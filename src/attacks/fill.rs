//! Kogge-Stone fill: what many sliders attack together, without looking at any one of them.
//!
//! A set of squares is pushed in one direction over empty squares, first by one step, then by two, then by four: seven
//! steps in three, as carries travel in the adder of Peter M. Kogge and Harold S. Stone (1973), whose chess form is
//! Steffan Westcott's. The eight directions are the eight lanes of an AVX-512 vector, so that one walk does it for all
//! rooks, bishops and queens of a side:
//!
//! ```text
//! sliders       pushed by 1    by 2 more      by 4 more      and one on: attacked
//! . . . . .     . . . . .      . . . . .      . . . . .      . . o . .
//! . . o . .     . . o . .      . . o . .      . . o . .      . . X . .     o: a man in the way,
//! . . . . .     . . . . .      . . X . .      . . X . .      . . X . .        attacked as well
//! . . . . .     . . X . .      . . X . .      . . X . .      . . X . .
//! . . X . .     . . X . .      . . X . .      . . X . .      . . . . .
//! ```
#![expect(unsafe_code, reason = "processor intrinsics")]

use std::arch::x86_64::*;

use once_cell::sync::Lazy;

use crate::{
    types::{Bitboard, File, Rank},
    util::environment,
};

/// Permission to fill: only [`Fill::detect`] gives it, where the processor has what it takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill(());

/// The environment variable that forbids to fill, for comparisons.
const VARIABLE: &str = "SLEIGHT_FILL";

static IS_WANTED: Lazy<bool> = Lazy::new(|| match environment(VARIABLE).as_deref() {
    Some("off") => false,
    Some("on") | None => true,
    Some(other) => {
        log::warn!("{VARIABLE} is `on` or `off`, not {other:?}; taking `off`");
        false
    }
});

/// One number for each direction: four orthogonal ones, then four diagonal ones.
#[repr(align(64))]
struct Lanes([u64; 8]);

/// North, south, east, west, north-east, south-west, north-west, south-east, as rotations to the left.
static ONE: Lanes = rotations(1);
static TWO: Lanes = rotations(2);
static FOUR: Lanes = rotations(4);
const DIAGONAL_LANES: u8 = 0b1111_0000;

/// The squares on which a step in the direction can end: not those of the edge that it leads away from, where only steps
/// around the board end.
static ENTERED: Lanes = {
    const SOUTH: u64 = Rank::One.bitboard().0;
    const NORTH: u64 = Rank::Eight.bitboard().0;
    const WEST: u64 = File::A.bitboard().0;
    const EAST: u64 = File::H.bitboard().0;
    let (north, south, east, west) = (!SOUTH, !NORTH, !WEST, !EAST);
    Lanes([north, south, east, west, north & east, south & west, north & west, south & east])
};

const fn rotations(steps: i32) -> Lanes {
    let mut lanes = [8, -8, 1, -1, 9, -9, 7, -7];
    let mut rotations = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        lanes[lane] *= steps;
        rotations[lane] = lanes[lane].rem_euclid(64) as u64;
        lane += 1;
    }
    Lanes(rotations)
}

impl Fill {
    /// Whether every processor that the build is for can do it.
    pub(super) const IS_CERTAIN: bool = cfg!(all(target_feature = "avx512f", target_feature = "avx512vpopcntdq"));

    /// The permission, on a processor with AVX-512 and its population count unless the environment variable
    /// `SLEIGHT_FILL` is `off`. Decided at compile time where the build already demands them.
    #[inline(always)]
    pub(super) fn detect() -> Option<Self> {
        let has = Self::IS_CERTAIN
            || is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") && *IS_WANTED;
        has.then_some(Self(()))
    }

    /// The squares that at least one of the sliders attacks.
    #[inline(always)]
    pub(super) fn attacked(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
        // SAFETY: `self` proves that the processor has the instructions.
        Bitboard(unsafe { attacked(orthogonal.0, diagonal.0, occupied.0) })
    }

    /// How often `targets` are attacked. No square is attacked twice from one direction, as the sliders are among the
    /// occupied squares and stand in each other's way; so the population of each lane counts.
    #[inline(always)]
    pub(super) fn count(
        self,
        orthogonal: Bitboard,
        diagonal: Bitboard,
        occupied: Bitboard,
        targets: Bitboard,
    ) -> usize {
        // SAFETY: as above.
        unsafe { count(orthogonal.0, diagonal.0, occupied.0, targets.0) as usize }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn attacked(orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
    _mm512_reduce_or_epi64(rays(orthogonal, diagonal, occupied)) as u64
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn count(orthogonal: u64, diagonal: u64, occupied: u64, targets: u64) -> u64 {
    let hit = _mm512_and_si512(rays(orthogonal, diagonal, occupied), _mm512_set1_epi64(targets as i64));
    _mm512_reduce_add_epi64(_mm512_popcnt_epi64(hit)) as u64
}

/// What the sliders attack, by direction.
#[inline]
#[target_feature(enable = "avx512f")]
fn rays(orthogonal: u64, diagonal: u64, occupied: u64) -> __m512i {
    let orthogonal = _mm512_set1_epi64(orthogonal as i64);
    let sliders = _mm512_mask_set1_epi64(orthogonal, DIAGONAL_LANES, diagonal as i64);
    let entered = load(&ENTERED);
    let empty = _mm512_andnot_si512(_mm512_set1_epi64(occupied as i64), entered);
    let empty_by_two = _mm512_and_si512(empty, rotate(empty, &ONE));
    let empty_by_four = _mm512_and_si512(empty_by_two, rotate(empty_by_two, &TWO));
    let reached = push(sliders, empty, &ONE);
    let reached = push(reached, empty_by_two, &TWO);
    let reached = push(reached, empty_by_four, &FOUR);
    _mm512_and_si512(rotate(reached, &ONE), entered)
}

/// `reached`, and where a step from it ends on `open` squares.
#[inline]
#[target_feature(enable = "avx512f")]
fn push(reached: __m512i, open: __m512i, step: &Lanes) -> __m512i {
    const OR_AND: i32 = 0b1111_1000;
    _mm512_ternarylogic_epi64::<OR_AND>(reached, open, rotate(reached, step))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn rotate(squares: __m512i, by: &Lanes) -> __m512i {
    _mm512_rolv_epi64(squares, load(by))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(lanes: &Lanes) -> __m512i {
    // SAFETY: the 64 bytes are there, and aligned.
    unsafe { _mm512_load_si512((&raw const lanes.0).cast()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        attacks::{Rays, Sliders},
        util::Rng,
    };

    #[test]
    fn a_fill_is_what_each_slider_attacks() {
        let Some(fill) = Fill::detect() else {
            println!("skipped: this processor has no AVX-512 population count");
            return;
        };
        let mut rng = Rng::new(7);
        for round in 0..100_000 {
            let mut sparse = || Bitboard(rng.next_u64() & rng.next_u64() & rng.next_u64());
            let (orthogonal, diagonal, others, targets) = (sparse(), sparse(), sparse(), !sparse());
            let occupied = orthogonal | diagonal | if round % 3 == 0 { Bitboard::EMPTY } else { others };
            assert_eq!(fill.attacked(orthogonal, diagonal, occupied), Rays.attacked(orthogonal, diagonal, occupied));
            let expected = Rays.count(orthogonal, diagonal, occupied, targets);
            assert_eq!(fill.count(orthogonal, diagonal, occupied, targets), expected);
        }
    }
}
