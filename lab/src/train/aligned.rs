//! Arrays aligned to cache lines.

use std::{
    marker::PhantomData,
    ops::{Deref, DerefMut},
};

use bytemuck::{Pod, Zeroable};

/// A cache line, the unit of allocation.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// A fixed-size array that begins on a cache line, so that aligned SIMD vectors of it never straddle two.
#[derive(Clone)]
pub(crate) struct Aligned<T> {
    lines: Vec<Line>,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> Aligned<T> {
    /// `len` zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        let lines = (len * size_of::<T>()).div_ceil(size_of::<Line>());
        Self { lines: vec![Line([0; 64]); lines], len, element: PhantomData }
    }
}

impl<T: Pod> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &bytemuck::cast_slice(&self.lines)[..self.len]
    }
}

impl<T: Pod> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.len]
    }
}
