//! AVX2: sixteen lanes of 16 bits.

use std::arch::x86_64::*;

use super::{
    super::{accumulator::Accumulator, arch::QA},
    loops::kernels,
};

const LANES: usize = 16;

#[inline]
#[target_feature(enable = "avx2")]
fn load(values: &[i16; LANES]) -> __m256i {
    // SAFETY: the reference is to the 32 bytes that are read; they need no alignment.
    unsafe { _mm256_loadu_si256(values.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(values: __m256i, to: &mut [i16; LANES]) {
    // SAFETY: the reference is to the 32 bytes that are written; they need no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), values) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: __m256i, b: __m256i) -> __m256i {
    _mm256_add_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub(a: __m256i, b: __m256i) -> __m256i {
    _mm256_sub_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn clamped(values: __m256i) -> __m256i {
    _mm256_min_epi16(_mm256_max_epi16(values, _mm256_setzero_si256()), _mm256_set1_epi16(QA as i16))
}

#[inline]
#[target_feature(enable = "avx2")]
fn zero() -> __m256i {
    _mm256_setzero_si256()
}

#[inline]
#[target_feature(enable = "avx2")]
fn screlu_dot(sums: __m256i, values: __m256i, weights: __m256i) -> __m256i {
    _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_mullo_epi16(values, weights), values))
}

#[inline]
#[target_feature(enable = "avx2")]
fn reduce_add(sums: __m256i) -> i32 {
    let half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let quarter = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
    _mm_cvtsi128_si32(_mm_add_epi32(quarter, _mm_shuffle_epi32::<0b10_11_00_01>(quarter)))
}

kernels!(#[target_feature(enable = "avx2")]);
