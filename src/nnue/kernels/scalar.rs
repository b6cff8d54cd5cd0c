//! Portable Rust, which the compiler may vectorize with the instructions that the build allows.

use super::{
    super::{accumulator::Accumulator, arch::QA},
    loops::kernels,
};

const LANES: usize = 16;

type Values = [i16; LANES];

#[inline(always)]
fn load(values: &Values) -> Values {
    *values
}

#[inline(always)]
fn store(values: Values, to: &mut Values) {
    *to = values;
}

#[inline(always)]
fn add(a: Values, b: Values) -> Values {
    std::array::from_fn(|i| a[i].wrapping_add(b[i]))
}

#[inline(always)]
fn sub(a: Values, b: Values) -> Values {
    std::array::from_fn(|i| a[i].wrapping_sub(b[i]))
}

#[inline(always)]
fn clamped(values: Values) -> Values {
    values.map(|value| value.clamp(0, QA as i16))
}

#[inline(always)]
fn zero() -> [i32; LANES] {
    [0; LANES]
}

#[inline(always)]
fn screlu_dot(sums: [i32; LANES], values: Values, weights: Values) -> [i32; LANES] {
    std::array::from_fn(|i| {
        let weighted = values[i].wrapping_mul(weights[i]);
        sums[i].wrapping_add(i32::from(weighted) * i32::from(values[i]))
    })
}

#[inline(always)]
fn reduce_add(sums: [i32; LANES]) -> i32 {
    sums.into_iter().fold(0, i32::wrapping_add)
}

kernels!();
