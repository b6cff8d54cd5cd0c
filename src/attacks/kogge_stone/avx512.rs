//! The fill in one AVX-512 vector: all eight directions, as rotations to the left.

use std::arch::x86_64::*;

use crate::types::{File, Rank};

/// A number for each direction: four orthogonal, then four diagonal ones.
#[repr(align(64))]
struct Lanes([u64; 8]);

/// One step north, south, east, west, north-east, south-west, north-west, south-east, as rotations to the left.
static ROTATE_1: Lanes = rotations(1);
static ROTATE_2: Lanes = rotations(2);
static ROTATE_4: Lanes = rotations(4);
const DIAGONAL_LANES: u8 = 0b1111_0000;

/// The squares on which a step in the direction can end. On the opposite edge only steps that wrap around the board
/// end.
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

/// The union of the attack sets of all sliders.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn attacked(orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
    _mm512_reduce_or_epi64(rays(orthogonal, diagonal, occupied)) as u64
}

/// The sum over the directions of the number of `targets` that are attacked.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(super) fn count(orthogonal: u64, diagonal: u64, occupied: u64, targets: u64) -> usize {
    let hit = _mm512_and_si512(rays(orthogonal, diagonal, occupied), _mm512_set1_epi64(targets as i64));
    _mm512_reduce_add_epi64(_mm512_popcnt_epi64(hit)) as usize
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
