//! NEON, which every 64-bit ARM processor has: two vectors at a time, sixteen lanes of 16 bits.
//!
//! The products of the first hidden layer are left to the compiler's vectorizer.

use std::arch::aarch64::*;

use super::{
    super::{
        accumulator::Accumulator,
        architecture::{ACTIVATION_SHIFT, L2, L3, Q_ACTIVATION, QA, QB, SKIP_FACTOR},
        layer_stack::{GROUP, LayerStack},
    },
    loops::kernels,
    scalar::{add_products, no_sums, total},
};

const LANES: usize = 16;
const FLOATS: usize = 4;
const SUMS: usize = 4;

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
fn products(first: [int16x8x2_t; 2], second: [int16x8x2_t; 2]) -> [u8; 2 * LANES] {
    let clip = |values| vminq_s16(vmaxq_s16(values, vdupq_n_s16(0)), vdupq_n_s16(QA as i16));
    let product = |first, second| {
        let product = vreinterpretq_u16_s16(vmulq_s16(clip(first), clip(second)));
        vmovn_u16(vshrq_n_u16::<{ ACTIVATION_SHIFT as i32 }>(product))
    };
    let ([low, high], [other_low, other_high]) = (first, second);
    let activations = [
        product(low.0, other_low.0),
        product(low.1, other_low.1),
        product(high.0, other_high.0),
        product(high.1, other_high.1),
    ];
    // SAFETY: both are 32 bytes of plain integers.
    unsafe { std::mem::transmute::<[uint8x8_t; 4], [u8; 2 * LANES]>(activations) }
}

#[inline]
#[target_feature(enable = "neon")]
fn load_floats(values: &[f32; FLOATS]) -> float32x4_t {
    // SAFETY: the reference is to the 16 bytes that are read; they need no more than their alignment.
    unsafe { vld1q_f32(values.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store_floats(values: float32x4_t, to: &mut [f32; FLOATS]) {
    // SAFETY: the reference is to the 16 bytes that are written; they need no more than their alignment.
    unsafe { vst1q_f32(to.as_mut_ptr(), values) }
}

#[inline]
#[target_feature(enable = "neon")]
fn splat(value: f32) -> float32x4_t {
    vdupq_n_f32(value)
}

#[inline]
#[target_feature(enable = "neon")]
fn convert(values: &[i32; FLOATS]) -> float32x4_t {
    // SAFETY: the reference is to the 16 bytes that are read; they need no more than their alignment.
    vcvtq_f32_s32(unsafe { vld1q_s32(values.as_ptr()) })
}

#[inline]
#[target_feature(enable = "neon")]
fn add_floats(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    vaddq_f32(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn mul_floats(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    vmulq_f32(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn screlu_floats(values: float32x4_t) -> float32x4_t {
    let clipped = vminq_f32(vmaxq_f32(values, vdupq_n_f32(0.0)), vdupq_n_f32(1.0));
    vmulq_f32(clipped, clipped)
}

#[inline]
#[target_feature(enable = "neon")]
fn sum_floats(values: float32x4_t) -> f32 {
    let half = vadd_f32(vget_low_f32(values), vget_high_f32(values));
    vget_lane_f32::<0>(half) + vget_lane_f32::<1>(half)
}

kernels!(#[target_feature(enable = "neon")]);
