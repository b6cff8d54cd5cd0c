//! AVX-512 BW: thirty-two lanes of 16 bits.

use std::arch::x86_64::*;

use super::{
    super::{accumulator::Accumulator, arch::QA},
    loops::kernels,
};

pub(super) const LANES: usize = 32;

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn load(values: &[i16; LANES]) -> __m512i {
    // SAFETY: the reference is to the 64 bytes that are read; they need no alignment.
    unsafe { _mm512_loadu_si512(values.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn store(values: __m512i, to: &mut [i16; LANES]) {
    // SAFETY: the reference is to the 64 bytes that are written; they need no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), values) }
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn add(a: __m512i, b: __m512i) -> __m512i {
    _mm512_add_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn sub(a: __m512i, b: __m512i) -> __m512i {
    _mm512_sub_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn clamped(values: __m512i) -> __m512i {
    _mm512_min_epi16(_mm512_max_epi16(values, _mm512_setzero_si512()), _mm512_set1_epi16(QA as i16))
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn zero() -> __m512i {
    _mm512_setzero_si512()
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn screlu_dot(sums: __m512i, values: __m512i, weights: __m512i) -> __m512i {
    _mm512_add_epi32(sums, _mm512_madd_epi16(_mm512_mullo_epi16(values, weights), values))
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn reduce_add(sums: __m512i) -> i32 {
    _mm512_reduce_add_epi32(sums)
}

kernels!(#[target_feature(enable = "avx512bw")]);
