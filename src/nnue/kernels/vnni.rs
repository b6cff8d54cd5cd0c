//! AVX-512 with VNNI, which multiplies bytes, adds the products in fours and accumulates in one instruction
//! (`vpdpbusd`).

use std::arch::x86_64::*;

use super::{
    super::{
        accumulator::Accumulator,
        architecture::{L2, L3, Q_ACTIVATION, QB, SKIP_FACTOR},
        layer_stack::{Block, GROUP, LayerStack},
    },
    avx512::{
        FLOATS, LANES, SUMS, add, add_floats, convert, load, load_block, load_floats, mul_floats, no_sums, products,
        screlu_floats, splat, store, store_floats, sub, sum_floats, total,
    },
    loops::kernels,
};

#[inline]
#[target_feature(enable = "avx512bw,avx512vnni")]
fn add_products(sums: __m512i, activations: [u8; GROUP], weights: &Block) -> __m512i {
    _mm512_dpbusd_epi32(sums, _mm512_set1_epi32(i32::from_ne_bytes(activations)), load_block(weights))
}

kernels!(#[target_feature(enable = "avx512bw,avx512vnni")]);
