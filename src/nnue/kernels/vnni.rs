//! AVX-512 with VNNI, which multiplies, adds neighbours and accumulates in one instruction.

use std::arch::x86_64::*;

use super::{
    Row,
    avx512::{LANES, activated, load, minus, nothing, plus, store, total},
    body::kernels,
};

#[inline]
#[target_feature(enable = "avx512bw,avx512vnni")]
fn dot(sums: __m512i, values: __m512i, weights: __m512i) -> __m512i {
    _mm512_dpwssd_epi32(sums, _mm512_mullo_epi16(values, weights), values)
}

kernels!(#[target_feature(enable = "avx512bw,avx512vnni")]);
