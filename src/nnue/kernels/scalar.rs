//! Portable Rust, which the compiler may vectorize with the instructions that the build allows.

use super::{
    super::{
        accumulator::Accumulator,
        architecture::{ACTIVATION_SHIFT, L2, L3, Q_ACTIVATION, QA, QB, SKIP_FACTOR},
        layer_stack::{Block, GROUP, LayerStack},
    },
    loops::kernels,
};

const LANES: usize = 16;
const FLOATS: usize = 4;
const SUMS: usize = 4;

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
fn products(first: [Values; 2], second: [Values; 2]) -> [u8; 2 * LANES] {
    let clipped = |values: &[Values; 2], i: usize| values[i / LANES][i % LANES].clamp(0, QA as i16) as u16;
    std::array::from_fn(|i| (clipped(&first, i).wrapping_mul(clipped(&second, i)) >> ACTIVATION_SHIFT) as u8)
}

#[inline(always)]
pub(super) fn no_sums() -> [i32; L2] {
    [0; L2]
}

#[inline(always)]
pub(super) fn add_products(mut sums: [i32; L2], activations: [u8; GROUP], weights: &Block) -> [i32; L2] {
    for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<GROUP>().0) {
        for (&activation, &weight) in activations.iter().zip(weights) {
            *sum += i32::from(activation) * i32::from(weight);
        }
    }
    sums
}

#[inline(always)]
pub(super) fn total(sums: [[i32; L2]; SUMS]) -> [i32; L2] {
    std::array::from_fn(|i| sums.iter().map(|sums| sums[i]).sum())
}

type Floats = [f32; FLOATS];

#[inline(always)]
fn load_floats(values: &Floats) -> Floats {
    *values
}

#[inline(always)]
fn store_floats(values: Floats, to: &mut Floats) {
    *to = values;
}

#[inline(always)]
fn splat(value: f32) -> Floats {
    [value; FLOATS]
}

#[inline(always)]
fn convert(values: &[i32; FLOATS]) -> Floats {
    values.map(|value| value as f32)
}

#[inline(always)]
fn add_floats(a: Floats, b: Floats) -> Floats {
    std::array::from_fn(|i| a[i] + b[i])
}

#[inline(always)]
fn mul_floats(a: Floats, b: Floats) -> Floats {
    std::array::from_fn(|i| a[i] * b[i])
}

#[inline(always)]
fn screlu_floats(values: Floats) -> Floats {
    values.map(|value| value.clamp(0.0, 1.0) * value.clamp(0.0, 1.0))
}

#[inline(always)]
fn sum_floats([a, b, c, d]: Floats) -> f32 {
    (a + c) + (b + d)
}

kernels!();
