//! Large zeroed arrays that the operating system fills on demand.
#![expect(unsafe_code, reason = "a memory mapping is viewed as a slice")]

use std::{io, marker::PhantomData, ops::Range};

use bytemuck::Zeroable;
use memmap2::{MmapOptions, MmapRaw};

use super::memory::PAGE;

/// A page-aligned array whose pages the operating system zeroes when they are first touched.
///
/// Allocation takes microseconds at any size, and its failure is an error rather than an abort, as a transposition
/// table of many GiB needs. Uses huge pages where Linux offers them.
#[derive(Debug)]
pub(crate) struct ZeroedPages<T> {
    map: MmapRaw,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Zeroable + Sync> ZeroedPages<T> {
    /// An array of `len` zeroed elements.
    ///
    /// # Errors
    /// If the system cannot map that much memory, or the size overflows.
    pub(crate) fn new(len: usize) -> io::Result<Self> {
        const { assert!(align_of::<T>() <= PAGE && size_of::<T>() > 0 && !std::mem::needs_drop::<T>()) };
        let bytes = len
            .max(1)
            .checked_mul(size_of::<T>())
            .filter(|&b| isize::try_from(b).is_ok())
            .ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapOptions::new().len(bytes).map_anon()?.into();
        let pages = Self { map, len, element: PhantomData };
        pages.use_huge_pages(0..len, true);
        Ok(pages)
    }

    /// Asks for huge pages, or for small ones, where no page of these elements has been touched yet. A huge page makes
    /// later accesses faster, a small one is there sooner. Huge pages are asked for from the one that holds the first
    /// element to the one that holds the last, small ones from the first that begins among the elements.
    #[cfg_attr(any(not(target_os = "linux"), miri), expect(unused_variables, reason = "Linux alone offers the choice"))]
    pub(crate) fn use_huge_pages(&self, elements: Range<usize>, huge: bool) {
        #[cfg(all(target_os = "linux", not(miri)))]
        {
            const HUGE_PAGE: usize = 2 << 20;
            let (advice, page) =
                if huge { (memmap2::Advice::HugePage, HUGE_PAGE) } else { (memmap2::Advice::NoHugePage, PAGE) };
            let map_start = self.map.as_ptr().addr();
            let map_end = map_start + self.map.len();
            let start = map_start + elements.start * size_of::<T>();
            let start = if huge { start - start % page } else { start.next_multiple_of(page) }.max(map_start);
            let end = (map_start + elements.end * size_of::<T>()).next_multiple_of(page).min(map_end);
            if start < end
                && let Err(error) = self.map.advise_range(advice, start - map_start, end - start)
            {
                log::debug!("{advice:?}: {error}");
            }
        }
    }

    /// The elements.
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: the mapping is `len * size_of::<T>()` bytes long, page-aligned, lives as long as `self`, and is
        // only ever reached through this method; its bytes start as zeros, which `Zeroable` says is a valid `T`,
        // and change only through `T`'s own interior mutability, which `Sync` makes sound to share. The pointer is
        // a `MmapRaw`'s, which no reference to bytes that may not be written has been made of.
        unsafe { std::slice::from_raw_parts(self.map.as_mut_ptr().cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::ZeroedPages;

    #[test]
    fn starts_zeroed_and_keeps_what_is_stored() {
        let pages = ZeroedPages::<AtomicU64>::new(10_000).unwrap();
        assert!(pages.as_slice().iter().all(|word| word.load(Relaxed) == 0));
        pages.as_slice()[9_999].store(7, Relaxed);
        assert_eq!(pages.as_slice()[9_999].load(Relaxed), 7);
        assert_eq!(pages.as_slice().len(), 10_000);
    }

    #[cfg_attr(miri, ignore = "the interpreter ends where the system refuses")]
    #[test]
    fn impossible_sizes_are_refused() {
        assert!(ZeroedPages::<AtomicU64>::new(usize::MAX / 2).is_err());
        assert!(ZeroedPages::<AtomicU64>::new(1 << 55).is_err());
    }
}
