//! AVX2: sixteen lanes of 16 bits.

use std::arch::x86_64::*;

use super::{
    super::{
        accumulator::Accumulator,
        architecture::{ACTIVATION_SHIFT, L2, L3, Q_ACTIVATION, QA, QB, SKIP_FACTOR},
        layer_stack::{Block, GROUP, LayerStack},
    },
    loops::kernels,
};

const LANES: usize = 16;
const FLOATS: usize = 8;
const SUMS: usize = 4;

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
fn products(first: [__m256i; 2], second: [__m256i; 2]) -> [u8; 2 * LANES] {
    let most = _mm256_set1_epi16(QA as i16);
    // The upper halves of products that are 16 bits minus the shift too large. A negative partner makes a negative
    // product, which the packing clips.
    // CITE: Stockfish (mulhi and packus).
    let product = |first, second| {
        let first = _mm256_min_epi16(_mm256_max_epi16(first, _mm256_setzero_si256()), most);
        _mm256_mulhi_epi16(_mm256_slli_epi16::<{ 16 - ACTIVATION_SHIFT as i32 }>(first), _mm256_min_epi16(second, most))
    };
    let [low, high] = [product(first[0], second[0]), product(first[1], second[1])];
    // Packing interleaves the 128-bit halves.
    let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high));
    // SAFETY: both are 32 bytes of plain integers.
    unsafe { std::mem::transmute::<__m256i, [u8; 2 * LANES]>(packed) }
}

/// The sums of outputs 0 to 7 and 8 to 15, 32 bits each.
type Sums = [__m256i; 2];

#[inline]
#[target_feature(enable = "avx2")]
fn no_sums() -> Sums {
    [_mm256_setzero_si256(); 2]
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_products(sums: Sums, activations: [u8; GROUP], weights: &Block) -> Sums {
    let activations = _mm256_set1_epi32(i32::from_ne_bytes(activations));
    let [low, high] = weights.as_chunks::<32>().0 else { unreachable!() };
    let add = |sums, weights: &[i8; 32]| {
        // SAFETY: the reference is to the 32 bytes that are read; they need no alignment.
        let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) };
        // Two products, at most 127 * 128 each, fit in 16 bits.
        let pairs = _mm256_maddubs_epi16(activations, weights);
        _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
    };
    [add(sums[0], low), add(sums[1], high)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn total(sums: [Sums; SUMS]) -> [i32; L2] {
    let half = |i: usize| {
        let [a, b, c, d] = [sums[0][i], sums[1][i], sums[2][i], sums[3][i]];
        _mm256_add_epi32(_mm256_add_epi32(a, b), _mm256_add_epi32(c, d))
    };
    // SAFETY: both are 64 bytes of plain integers.
    unsafe { std::mem::transmute::<Sums, [i32; L2]>([half(0), half(1)]) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_floats(values: &[f32; FLOATS]) -> __m256 {
    // SAFETY: the reference is to the 32 bytes that are read; they need no alignment.
    unsafe { _mm256_loadu_ps(values.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_floats(values: __m256, to: &mut [f32; FLOATS]) {
    // SAFETY: the reference is to the 32 bytes that are written; they need no alignment.
    unsafe { _mm256_storeu_ps(to.as_mut_ptr(), values) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(value: f32) -> __m256 {
    _mm256_set1_ps(value)
}

#[inline]
#[target_feature(enable = "avx2")]
fn convert(values: &[i32; FLOATS]) -> __m256 {
    // SAFETY: the reference is to the 32 bytes that are read; they need no alignment.
    _mm256_cvtepi32_ps(unsafe { _mm256_loadu_si256(values.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_floats(a: __m256, b: __m256) -> __m256 {
    _mm256_add_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn mul_floats(a: __m256, b: __m256) -> __m256 {
    _mm256_mul_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn screlu_floats(values: __m256) -> __m256 {
    let clipped = _mm256_min_ps(_mm256_max_ps(values, _mm256_setzero_ps()), _mm256_set1_ps(1.0));
    _mm256_mul_ps(clipped, clipped)
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum_floats(values: __m256) -> f32 {
    let half = _mm_add_ps(_mm256_castps256_ps128(values), _mm256_extractf128_ps::<1>(values));
    let quarter = _mm_add_ps(half, _mm_movehl_ps(half, half));
    _mm_cvtss_f32(_mm_add_ss(quarter, _mm_movehdup_ps(quarter)))
}

kernels!(#[target_feature(enable = "avx2")]);
