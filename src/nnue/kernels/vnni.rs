//! AVX-512 with VNNI, which multiplies, adds neighboring products and accumulates in one instruction (`vpdpwssd`).

use std::arch::x86_64::*;

use super::{
    super::accumulator::Accumulator,
    avx512::{LANES, add, clamped, load, reduce_add, store, sub, zero},
    loops::kernels,
};

#[inline]
#[target_feature(enable = "avx512bw,avx512vnni")]
fn screlu_dot(sums: __m512i, values: __m512i, weights: __m512i) -> __m512i {
    _mm512_dpwssd_epi32(sums, _mm512_mullo_epi16(values, weights), values)
}

kernels!(#[target_feature(enable = "avx512bw,avx512vnni")]);
