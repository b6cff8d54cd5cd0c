//! Kogge-Stone fill: the attacks of many sliders at once, without a loop over them.
//!
//! A set of sliders (the generator) is flooded in one direction over the empty squares (the propagator), first by one
//! step, then by two, then by four: seven steps in three, as in the parallel-prefix adder of Peter M. Kogge and Harold
//! S. Stone (1973); the chess form is Steffan Westcott's. The eight directions are the eight lanes of an AVX-512 vector,
//! so that one flood serves all rooks, bishops and queens of a side:
//!
//! ```text
//! sliders       by one step    by 2 more      by 4 more      shifted: attacked
//! . . . . .     . . . . .      . . . . .      . . . . .      . . o . .
//! . . o . .     . . o . .      . . o . .      . . o . .      . . X . .     o: a blocker, attacked as well
//! . . . . .     . . . . .      . . X . .      . . X . .      . . X . .
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

/// The proof that the processor has the instructions: only [`KoggeStone::detect`] makes one.
#[derive(Clone, Copy, Debug)]
pub(super) struct KoggeStone(());

/// The environment variable that switches the fill off, for comparisons.
const VARIABLE: &str = "SLEIGHT_FILL";

static IS_ENABLED: Lazy<bool> = Lazy::new(|| match environment(VARIABLE).as_deref() {
    Some("off") => false,
    Some("on") | None => true,
    Some(other) => {
        log::warn!("{VARIABLE} is `on` or `off`, not {other:?}; taking `off`");
        false
    }
});

/// A number for each direction: four orthogonal, then four diagonal ones.
#[repr(align(64))]
struct Lanes([u64; 8]);

/// One step north, south, east, west, north-east, south-west, north-west, south-east, as rotations to the left.
static ROTATE_1: Lanes = rotations(1);
static ROTATE_2: Lanes = rotations(2);
static ROTATE_4: Lanes = rotations(4);
const DIAGONAL_LANES: u8 = 0b1111_0000;

/// The squares on which a step in the direction can end. On the opposite edge only steps that wrap around the board end.
static NO_WRAP: Lanes = {
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

impl KoggeStone {
    /// True if every processor that the build is for has the instructions.
    pub(super) const AT_COMPILE_TIME: bool = cfg!(all(target_feature = "avx512f", target_feature = "avx512vpopcntdq"));

    /// The fill, if the processor has AVX-512 with VPOPCNTDQ and the environment variable `SLEIGHT_FILL` is not `off`.
    /// Decided at compile time if the build requires these instructions.
    #[inline(always)]
    pub(super) fn detect() -> Option<Self> {
        let has = Self::AT_COMPILE_TIME
            || is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") && *IS_ENABLED;
        has.then_some(Self(()))
    }

    /// The union of the attack sets of all sliders.
    #[inline(always)]
    pub(super) fn attacked(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
        // SAFETY: `self` proves that the processor has the instructions.
        Bitboard(unsafe { attacked(orthogonal.0, diagonal.0, occupied.0) })
    }

    /// The number of pairs of a slider and a square of `targets` that it attacks. The sliders are in `occupied` and block
    /// each other, so that no square is attacked twice in one direction: the population counts of the lanes add up.
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

/// The attacks by direction.
#[inline]
#[target_feature(enable = "avx512f")]
fn rays(orthogonal: u64, diagonal: u64, occupied: u64) -> __m512i {
    let orthogonal = _mm512_set1_epi64(orthogonal as i64);
    let sliders = _mm512_mask_set1_epi64(orthogonal, DIAGONAL_LANES, diagonal as i64);
    let no_wrap = load(&NO_WRAP);
    let propagator_1 = _mm512_andnot_si512(_mm512_set1_epi64(occupied as i64), no_wrap);
    let propagator_2 = _mm512_and_si512(propagator_1, rotate(propagator_1, &ROTATE_1));
    let propagator_4 = _mm512_and_si512(propagator_2, rotate(propagator_2, &ROTATE_2));
    let generator = flood(sliders, propagator_1, &ROTATE_1);
    let generator = flood(generator, propagator_2, &ROTATE_2);
    let generator = flood(generator, propagator_4, &ROTATE_4);
    _mm512_and_si512(rotate(generator, &ROTATE_1), no_wrap)
}

/// The generator, and the squares of the propagator that a step from it reaches.
#[inline]
#[target_feature(enable = "avx512f")]
fn flood(generator: __m512i, propagator: __m512i, step: &Lanes) -> __m512i {
    const OR_AND: i32 = 0b1111_1000;
    _mm512_ternarylogic_epi64::<OR_AND>(generator, propagator, rotate(generator, step))
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
