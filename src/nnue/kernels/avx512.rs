//! AVX-512 BW: thirty-two lanes of 16 bits.

use std::arch::x86_64::*;

use super::{
    super::{
        accumulator::Accumulator,
        architecture::{ACTIVATION_SHIFT, L2, L3, Q_ACTIVATION, QA, QB, SKIP_FACTOR},
        layer_stack::{Block, GROUP, LayerStack},
    },
    loops::kernels,
};

pub(super) const LANES: usize = 32;
pub(super) const FLOATS: usize = 16;
/// As many independent sums as hide the latency of `vpdpbusd`.
pub(super) const SUMS: usize = 8;

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
pub(super) fn products(first: [__m512i; 2], second: [__m512i; 2]) -> [u8; 2 * LANES] {
    let most = _mm512_set1_epi16(QA as i16);
    // The upper halves of products that are 16 bits minus the shift too large. A negative partner makes a negative
    // product, which the packing clips.
    // CITE: Stockfish (mulhi and packus).
    let product = |first, second| {
        let first = _mm512_min_epi16(_mm512_max_epi16(first, _mm512_setzero_si512()), most);
        _mm512_mulhi_epi16(_mm512_slli_epi16::<{ 16 - ACTIVATION_SHIFT }>(first), _mm512_min_epi16(second, most))
    };
    let packed = _mm512_packus_epi16(product(first[0], second[0]), product(first[1], second[1]));
    // Packing interleaves the 128-bit quarters.
    let activations = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed);
    // SAFETY: both are 64 bytes of plain integers.
    unsafe { std::mem::transmute::<__m512i, [u8; 2 * LANES]>(activations) }
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn no_sums() -> __m512i {
    _mm512_setzero_si512()
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn load_block(weights: &Block) -> __m512i {
    // SAFETY: the reference is to the 64 bytes that are read; they need no alignment.
    unsafe { _mm512_loadu_si512(weights.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn add_products(sums: __m512i, activations: [u8; GROUP], weights: &Block) -> __m512i {
    let activations = _mm512_set1_epi32(i32::from_ne_bytes(activations));
    // Two products, at most 127 * 128 each, fit in 16 bits.
    let pairs = _mm512_maddubs_epi16(activations, load_block(weights));
    _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn total(sums: [__m512i; SUMS]) -> [i32; L2] {
    let total = sums.into_iter().fold(no_sums(), |total, sums| _mm512_add_epi32(total, sums));
    // SAFETY: both are 64 bytes of plain integers.
    unsafe { std::mem::transmute::<__m512i, [i32; L2]>(total) }
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn load_floats(values: &[f32; FLOATS]) -> __m512 {
    // SAFETY: the reference is to the 64 bytes that are read; they need no alignment.
    unsafe { _mm512_loadu_ps(values.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn store_floats(values: __m512, to: &mut [f32; FLOATS]) {
    // SAFETY: the reference is to the 64 bytes that are written; they need no alignment.
    unsafe { _mm512_storeu_ps(to.as_mut_ptr(), values) }
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn splat(value: f32) -> __m512 {
    _mm512_set1_ps(value)
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn convert(values: &[i32; FLOATS]) -> __m512 {
    // SAFETY: the reference is to the 64 bytes that are read; they need no alignment.
    _mm512_cvtepi32_ps(unsafe { _mm512_loadu_si512(values.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn add_floats(a: __m512, b: __m512) -> __m512 {
    _mm512_add_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn mul_floats(a: __m512, b: __m512) -> __m512 {
    _mm512_mul_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn screlu_floats(values: __m512) -> __m512 {
    let clipped = _mm512_min_ps(_mm512_max_ps(values, _mm512_setzero_ps()), _mm512_set1_ps(1.0));
    _mm512_mul_ps(clipped, clipped)
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn sum_floats(values: __m512) -> f32 {
    let upper = _mm512_shuffle_f32x4::<0b01_00_11_10>(values, values);
    let half = _mm512_castps512_ps256(_mm512_add_ps(values, upper));
    let quarter = _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps::<1>(half));
    let eighth = _mm_add_ps(quarter, _mm_movehl_ps(quarter, quarter));
    _mm_cvtss_f32(_mm_add_ss(eighth, _mm_movehdup_ps(eighth)))
}

kernels!(#[target_feature(enable = "avx512bw")]);
