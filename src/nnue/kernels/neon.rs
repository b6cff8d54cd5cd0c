//! NEON, which every 64-bit ARM processor has: two vectors at a time, sixteen lanes of 16 bits.
//!
//! The dot product instructions (`sdot`) are of no use here, as they multiply 8-bit values.

use std::arch::aarch64::*;

use super::{
    super::{accumulator::Accumulator, arch::QA},
    loops::kernels,
};

const LANES: usize = 16;

#[inline]
#[target_feature(enable = "neon")]
fn load(values: &[i16; LANES]) -> int16x8x2_t {
    let [low, high] = values.as_chunks::<8>().0 else { unreachable!() };
    // SAFETY: the references are to the 16 bytes that are read each; they need no more than their alignment.
    unsafe { int16x8x2_t(vld1q_s16(low.as_ptr()), vld1q_s16(high.as_ptr())) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(values: int16x8x2_t, to: &mut [i16; LANES]) {
    let [low, high] = to.as_chunks_mut::<8>().0 else { unreachable!() };
    // SAFETY: the references are to the 16 bytes that are written each; they need no more than their alignment.
    unsafe {
        vst1q_s16(low.as_mut_ptr(), values.0);
        vst1q_s16(high.as_mut_ptr(), values.1);
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn add(a: int16x8x2_t, b: int16x8x2_t) -> int16x8x2_t {
    int16x8x2_t(vaddq_s16(a.0, b.0), vaddq_s16(a.1, b.1))
}

#[inline]
#[target_feature(enable = "neon")]
fn sub(a: int16x8x2_t, b: int16x8x2_t) -> int16x8x2_t {
    int16x8x2_t(vsubq_s16(a.0, b.0), vsubq_s16(a.1, b.1))
}

#[inline]
#[target_feature(enable = "neon")]
fn clamped(values: int16x8x2_t) -> int16x8x2_t {
    let clamp = |values| vminq_s16(vmaxq_s16(values, vdupq_n_s16(0)), vdupq_n_s16(QA as i16));
    int16x8x2_t(clamp(values.0), clamp(values.1))
}

#[inline]
#[target_feature(enable = "neon")]
fn zero() -> int32x4x2_t {
    int32x4x2_t(vdupq_n_s32(0), vdupq_n_s32(0))
}

#[inline]
#[target_feature(enable = "neon")]
fn screlu_dot(sums: int32x4x2_t, values: int16x8x2_t, weights: int16x8x2_t) -> int32x4x2_t {
    let dot = |sum, values, weights| {
        let weighted = vmulq_s16(values, weights);
        vmlal_high_s16(vmlal_s16(sum, vget_low_s16(weighted), vget_low_s16(values)), weighted, values)
    };
    int32x4x2_t(dot(sums.0, values.0, weights.0), dot(sums.1, values.1, weights.1))
}

#[inline]
#[target_feature(enable = "neon")]
fn reduce_add(sums: int32x4x2_t) -> i32 {
    vaddvq_s32(vaddq_s32(sums.0, sums.1))
}

kernels!(#[target_feature(enable = "neon")]);
