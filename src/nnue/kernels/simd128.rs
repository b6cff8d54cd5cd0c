//! WebAssembly's SIMD: eight lanes of 16 bits. A module either uses it or not, so it is no choice at run time.

use std::arch::wasm32::*;

use super::{
    super::{accumulator::Accumulator, arch::QA},
    loops::kernels,
};

const LANES: usize = 8;

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
fn clamped(values: v128) -> v128 {
    i16x8_min(i16x8_max(values, i16x8_splat(0)), i16x8_splat(QA as i16))
}

#[inline(always)]
fn zero() -> v128 {
    i32x4_splat(0)
}

#[inline(always)]
fn screlu_dot(sums: v128, values: v128, weights: v128) -> v128 {
    i32x4_add(sums, i32x4_dot_i16x8(i16x8_mul(values, weights), values))
}

#[inline(always)]
fn reduce_add(sums: v128) -> i32 {
    let half = i32x4_add(sums, i32x4_shuffle::<2, 3, 0, 1>(sums, sums));
    i32x4_extract_lane::<0>(half).wrapping_add(i32x4_extract_lane::<1>(half))
}

kernels!();
