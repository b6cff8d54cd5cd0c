//! Plain Rust, for any machine. What the compiler makes of it with the build's own instructions is welcome.

use super::{super::QA, Row, body::kernels};

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
fn plus(a: Values, b: Values) -> Values {
    std::array::from_fn(|i| a[i].wrapping_add(b[i]))
}

#[inline(always)]
fn minus(a: Values, b: Values) -> Values {
    std::array::from_fn(|i| a[i].wrapping_sub(b[i]))
}

#[inline(always)]
fn activated(values: Values) -> Values {
    values.map(|value| value.clamp(0, QA as i16))
}

#[inline(always)]
fn nothing() -> [i32; LANES] {
    [0; LANES]
}

#[inline(always)]
fn dot(sums: [i32; LANES], values: Values, weights: Values) -> [i32; LANES] {
    std::array::from_fn(|i| {
        let weighted = values[i].wrapping_mul(weights[i]);
        sums[i].wrapping_add(i32::from(weighted) * i32::from(values[i]))
    })
}

#[inline(always)]
fn total(sums: [i32; LANES]) -> i32 {
    sums.into_iter().fold(0, i32::wrapping_add)
}

kernels!();
