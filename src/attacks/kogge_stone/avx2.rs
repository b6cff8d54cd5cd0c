//! The fill in two AVX2 vectors of four directions each: those towards h8, as shifts to the left, and their opposites.

use std::arch::x86_64::*;

/// North, east, north-east and north-west, or their opposites: two orthogonal directions, then two diagonal ones.
const STEPS: [i64; 4] = [8, 1, 9, 7];
const DIAGONAL_LANES: i32 = 0b1111_0000;

const NOT_A: i64 = !0x0101_0101_0101_0101;
const NOT_H: i64 = NOT_A.rotate_right(1);
/// The squares on which a step to the left can end. On files a or h only steps that wrap around the board end.
const NO_WRAP_LEFT: [i64; 4] = [!0, NOT_A, NOT_A, NOT_H];
const NO_WRAP_RIGHT: [i64; 4] = [!0, NOT_H, NOT_H, NOT_A];

/// The union of the attack sets of all sliders.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn attacked(orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
    let (left, right) = rays(orthogonal, diagonal, occupied);
    let lanes = _mm256_or_si256(left, right);
    let lanes = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    (_mm_cvtsi128_si64(lanes) | _mm_extract_epi64::<1>(lanes)) as u64
}

/// The sum over the directions of the number of `targets` that are attacked.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn count(orthogonal: u64, diagonal: u64, occupied: u64, targets: u64) -> usize {
    let (left, right) = rays(orthogonal, diagonal, occupied);
    let targets = _mm256_set1_epi64x(targets as i64);
    let bytes = _mm256_add_epi8(
        byte_popcounts(_mm256_and_si256(left, targets)),
        byte_popcounts(_mm256_and_si256(right, targets)),
    );
    let lanes = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    let lanes = _mm_add_epi64(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    (_mm_cvtsi128_si64(lanes) + _mm_extract_epi64::<1>(lanes)) as usize
}

/// The population count of each byte, by a lookup of its two halves.
// CITE: Wojciech Mula, "SSSE3: fast popcount" (2008).
#[inline]
#[target_feature(enable = "avx2")]
fn byte_popcounts(bytes: __m256i) -> __m256i {
    let counts = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    );
    let low_half = _mm256_set1_epi8(15);
    let low = _mm256_and_si256(bytes, low_half);
    let high = _mm256_and_si256(_mm256_srli_epi64::<4>(bytes), low_half);
    _mm256_add_epi8(_mm256_shuffle_epi8(counts, low), _mm256_shuffle_epi8(counts, high))
}

/// The attacks by direction: to the left, to the right.
#[inline]
#[target_feature(enable = "avx2")]
fn rays(orthogonal: u64, diagonal: u64, occupied: u64) -> (__m256i, __m256i) {
    let (orthogonal, diagonal) = (_mm256_set1_epi64x(orthogonal as i64), _mm256_set1_epi64x(diagonal as i64));
    let sliders = _mm256_blend_epi32::<DIAGONAL_LANES>(orthogonal, diagonal);
    let occupied = _mm256_set1_epi64x(occupied as i64);
    (
        half_rays::<true>(sliders, occupied, vector(NO_WRAP_LEFT, 1)),
        half_rays::<false>(sliders, occupied, vector(NO_WRAP_RIGHT, 1)),
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn half_rays<const LEFT: bool>(sliders: __m256i, occupied: __m256i, no_wrap: __m256i) -> __m256i {
    let propagator_1 = _mm256_andnot_si256(occupied, no_wrap);
    let propagator_2 = _mm256_and_si256(propagator_1, shift::<LEFT>(propagator_1, 1));
    let propagator_4 = _mm256_and_si256(propagator_2, shift::<LEFT>(propagator_2, 2));
    let generator = flood::<LEFT>(sliders, propagator_1, 1);
    let generator = flood::<LEFT>(generator, propagator_2, 2);
    let generator = flood::<LEFT>(generator, propagator_4, 4);
    _mm256_and_si256(shift::<LEFT>(generator, 1), no_wrap)
}

/// The generator, and the squares of the propagator that `steps` from it reach.
#[inline]
#[target_feature(enable = "avx2")]
fn flood<const LEFT: bool>(generator: __m256i, propagator: __m256i, steps: i64) -> __m256i {
    _mm256_or_si256(generator, _mm256_and_si256(propagator, shift::<LEFT>(generator, steps)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn shift<const LEFT: bool>(squares: __m256i, steps: i64) -> __m256i {
    let by = vector(STEPS, steps);
    if LEFT { _mm256_sllv_epi64(squares, by) } else { _mm256_srlv_epi64(squares, by) }
}

/// The lanes, each `times` itself.
#[inline]
#[target_feature(enable = "avx2")]
fn vector([a, b, c, d]: [i64; 4], times: i64) -> __m256i {
    _mm256_setr_epi64x(a * times, b * times, c * times, d * times)
}
