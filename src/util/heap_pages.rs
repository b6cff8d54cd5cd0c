//! Large zeroed arrays where no memory can be mapped.

use std::{io, ops::Range};

use bytemuck::Zeroable;

/// A zeroed array on the heap.
#[derive(Debug)]
pub(crate) struct ZeroedPages<T>(Box<[T]>);

impl<T: Zeroable + Sync> ZeroedPages<T> {
    /// An array of `len` zeroed elements.
    ///
    /// # Errors
    /// If there is not that much memory.
    pub(crate) fn new(len: usize) -> io::Result<Self> {
        let elements = bytemuck::allocation::try_zeroed_slice_box(len.max(1));
        elements.map(Self).map_err(|()| io::ErrorKind::OutOfMemory.into())
    }

    /// Does nothing: the pages have one size.
    pub(crate) fn use_huge_pages(&self, _elements: Range<usize>, _huge: bool) {}

    /// The elements.
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[T] {
        &self.0
    }
}
