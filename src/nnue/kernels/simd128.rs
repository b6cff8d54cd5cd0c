//! WebAssembly's SIMD: eight lanes of 16 bits. A module either uses it or not, so it is no choice at run time.

use std::arch::wasm32::*;

use super::{
    super::{
        accumulator::Accumulator,
        architecture::{ACTIVATION_SHIFT, L2, L3, Q_ACTIVATION, QA, QB, SKIP_FACTOR},
        layer_stack::{Block, GROUP, LayerStack},
    },
    loops::kernels,
};

const LANES: usize = 8;
const FLOATS: usize = 4;
const SUMS: usize = 4;

#[inline(always)]
fn load(values: &[i16; LANES]) -> v128 {
    // SAFETY: the reference is to the 16 bytes that are read; they need no alignment.
    unsafe { v128_load(values.as_ptr().cast()) }
}

#[inline(always)]
fn store(values: v128, to: &mut [i16; LANES]) {
    // SAFETY: the reference is to the 16 bytes that are written; they need no alignment.
    unsafe { v128_store(to.as_mut_ptr().cast(), values) }
}

#[inline(always)]
fn add(a: v128, b: v128) -> v128 {
    i16x8_add(a, b)
}

#[inline(always)]
fn sub(a: v128, b: v128) -> v128 {
    i16x8_sub(a, b)
}

#[inline(always)]
fn products(first: [v128; 2], second: [v128; 2]) -> [u8; 2 * LANES] {
    let clip = |values| i16x8_min(i16x8_max(values, i16x8_splat(0)), i16x8_splat(QA as i16));
    let product = |first, second| u16x8_shr(i16x8_mul(clip(first), clip(second)), ACTIVATION_SHIFT);
    let activations = [product(first[0], second[0]), product(first[1], second[1])];
    // SAFETY: both are 16 bytes of plain integers.
    unsafe { std::mem::transmute::<v128, [u8; 2 * LANES]>(u8x16_narrow_i16x8(activations[0], activations[1])) }
}

/// The sums of four outputs each, 32 bits each.
type Sums = [v128; 4];

#[inline(always)]
fn no_sums() -> Sums {
    [i32x4_splat(0); 4]
}

#[inline(always)]
fn add_products(mut sums: Sums, activations: [u8; GROUP], weights: &Block) -> Sums {
    let activations = u16x8_extend_low_u8x16(i32x4_splat(i32::from_ne_bytes(activations)));
    for (sums, weights) in sums.iter_mut().zip(weights.as_chunks::<16>().0) {
        // SAFETY: the reference is to the 16 bytes that are read; they need no alignment.
        let weights = unsafe { v128_load(weights.as_ptr().cast()) };
        let low = i32x4_dot_i16x8(activations, i16x8_extend_low_i8x16(weights));
        let high = i32x4_dot_i16x8(activations, i16x8_extend_high_i8x16(weights));
        // Each output's four products are in two neighboring lanes.
        let even = i32x4_shuffle::<0, 2, 4, 6>(low, high);
        *sums = i32x4_add(*sums, i32x4_add(even, i32x4_shuffle::<1, 3, 5, 7>(low, high)));
    }
    sums
}

#[inline(always)]
fn total(sums: [Sums; SUMS]) -> [i32; L2] {
    let part = |i: usize| sums.iter().fold(i32x4_splat(0), |total, sums| i32x4_add(total, sums[i]));
    // SAFETY: both are 64 bytes of plain integers.
    unsafe { std::mem::transmute::<Sums, [i32; L2]>([part(0), part(1), part(2), part(3)]) }
}

#[inline(always)]
fn load_floats(values: &[f32; FLOATS]) -> v128 {
    // SAFETY: the reference is to the 16 bytes that are read; they need no alignment.
    unsafe { v128_load(values.as_ptr().cast()) }
}

#[inline(always)]
fn store_floats(values: v128, to: &mut [f32; FLOATS]) {
    // SAFETY: the reference is to the 16 bytes that are written; they need no alignment.
    unsafe { v128_store(to.as_mut_ptr().cast(), values) }
}

#[inline(always)]
fn splat(value: f32) -> v128 {
    f32x4_splat(value)
}

#[inline(always)]
fn convert(values: &[i32; FLOATS]) -> v128 {
    // SAFETY: the reference is to the 16 bytes that are read; they need no alignment.
    f32x4_convert_i32x4(unsafe { v128_load(values.as_ptr().cast()) })
}

#[inline(always)]
fn add_floats(a: v128, b: v128) -> v128 {
    f32x4_add(a, b)
}

#[inline(always)]
fn mul_floats(a: v128, b: v128) -> v128 {
    f32x4_mul(a, b)
}

#[inline(always)]
fn screlu_floats(values: v128) -> v128 {
    let clipped = f32x4_min(f32x4_max(values, f32x4_splat(0.0)), f32x4_splat(1.0));
    f32x4_mul(clipped, clipped)
}

#[inline(always)]
fn sum_floats(values: v128) -> f32 {
    let half = f32x4_add(values, i32x4_shuffle::<2, 3, 0, 1>(values, values));
    f32x4_extract_lane::<0>(half) + f32x4_extract_lane::<1>(half)
}

kernels!();
