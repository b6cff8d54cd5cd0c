//! Zeroed pages that idle threads touch, so that no search has to wait for them.
//!
//! The operating system zeroes a page when it is first touched, a huge page of 2 MiB in a millisecond or more, and a
//! thread that waits for one does not see a stop. The longest of fifteen stops in a new table of 1 GiB took 21 ms with
//! two threads; before pages were touched, and small ones left to a search, it was up to 555 ms
//! (docs/notes/performance.md).
// CITE: own.

use std::{
    io,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
};

use bytemuck::Zeroable;

use super::{
    memory::{PAGE, available_memory},
    pages::ZeroedPages,
};

/// Bytes of a chunk, which the system provides in a few milliseconds at worst.
const CHUNK_BYTES: usize = 2 << 20;
/// The number of chunks that may be left to a search: it waits for them a few hundredths of a second at worst.
const FEW_CHUNKS: usize = 8;
/// Idle threads touch pages; not in a model, which would interleave each with all else.
const HAS_IDLE_THREADS: bool = cfg!(not(any(loom, single_threaded)));

/// A zeroed array, touched chunk by chunk through a word of its elements.
#[derive(Debug)]
pub(crate) struct TouchedPages<T> {
    pages: ZeroedPages<T>,
    /// The first chunk whose pages no thread has begun to touch.
    next_chunk: AtomicUsize,
    /// The number of chunks whose pages have been touched.
    touched_chunks: AtomicUsize,
    /// True if the pages are small that have not been touched.
    small_pages: AtomicBool,
}

impl<T: Zeroable + Sync + AsRef<AtomicU64>> TouchedPages<T> {
    /// Elements of a chunk.
    const CHUNK: usize = CHUNK_BYTES / size_of::<T>();

    /// An array of `len` zeroed elements, none of which is touched. If there is no memory for all of them, no idle
    /// thread touches any.
    ///
    /// # Errors
    /// Those of [`ZeroedPages::new`].
    pub(crate) fn new(len: usize) -> io::Result<Self> {
        let (next_chunk, touched_chunks, small_pages) = Default::default();
        let pages = Self { pages: ZeroedPages::new(len)?, next_chunk, touched_chunks, small_pages };
        if pages.chunks() > FEW_CHUNKS
            && available_memory().is_some_and(|available| size_of_val(pages.as_slice()) > available)
        {
            pages.next_chunk.store(pages.chunks(), Relaxed);
        }
        Ok(pages)
    }

    /// The elements.
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[T] {
        self.pages.as_slice()
    }

    /// Touches the next chunk that no thread has touched; false if none is left. Changes no element; any number of
    /// threads may call it at any time.
    pub(crate) fn touch_next(&self) -> bool {
        if !self.is_left_to_touch() {
            return false;
        }
        let chunk = self.next_chunk.fetch_add(1, Relaxed);
        let Some(elements) = self.as_slice().chunks(Self::CHUNK).nth(chunk) else { return false };
        if self.small_pages.load(Relaxed) {
            // This chunk alone: a search may be about to begin.
            self.pages.use_huge_pages(chunk * Self::CHUNK..chunk * Self::CHUNK + elements.len(), true);
        }
        for element in elements.iter().step_by(PAGE / size_of::<T>()) {
            // A write that changes nothing. Of `fetch_or(0)` the compiler would leave only a load, for which the system
            // provides no memory; if the word is not zero, the page is there.
            let _ = element.as_ref().compare_exchange(0, 0, Relaxed, Relaxed);
        }
        self.touched_chunks.fetch_add(1, Relaxed);
        true
    }

    /// True if [`Self::touch_next`] has something to do.
    pub(crate) fn is_left_to_touch(&self) -> bool {
        HAS_IDLE_THREADS && self.next_chunk.load(Relaxed) < self.chunks()
    }

    /// True if all pages have been touched.
    pub(crate) fn is_touched(&self) -> bool {
        self.touched_chunks.load(Relaxed) >= self.chunks()
    }

    /// All elements have been written to.
    pub(crate) fn set_touched(&self) {
        self.next_chunk.store(self.chunks(), Relaxed);
        self.touched_chunks.store(self.chunks(), Relaxed);
    }

    /// Makes the pages small that have not been touched, if there are many. A search may ask for one in every node, and
    /// looks for a stop only once in many nodes; the system zeroes a small one in a few microseconds.
    pub(crate) fn use_small_pages_for_rest(&self) {
        let chunk = self.next_chunk.load(Relaxed);
        if chunk + FEW_CHUNKS < self.chunks() && !self.small_pages.swap(true, Relaxed) {
            self.pages.use_huge_pages(chunk * Self::CHUNK..self.as_slice().len(), false);
        }
    }

    fn chunks(&self) -> usize {
        self.as_slice().len().div_ceil(Self::CHUNK)
    }
}

/// An error if the system has less memory left than `bytes`. It may promise more than it has, but where it does not,
/// the process ends with the first few bytes that it refuses. Memory in WebAssembly is not given back.
pub(crate) fn require_memory(bytes: usize) -> io::Result<()> {
    if cfg!(target_family = "wasm") { Ok(()) } else { ZeroedPages::<u8>::new(bytes).map(drop) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As large as a cluster of the transposition table.
    #[derive(Zeroable)]
    #[repr(C, align(32))]
    struct Element(AtomicU64);

    impl AsRef<AtomicU64> for Element {
        fn as_ref(&self) -> &AtomicU64 {
            &self.0
        }
    }

    fn pages(mebibytes: usize) -> TouchedPages<Element> {
        TouchedPages::new((mebibytes << 20) / size_of::<Element>()).unwrap()
    }

    #[test]
    fn touching_changes_no_element_and_comes_to_an_end() {
        let pages = pages(29);
        let words = || pages.as_slice().iter().step_by(900).zip(1_u64..);
        words().for_each(|(element, value)| element.0.store(value, Relaxed));
        assert!(pages.touch_next() && !pages.is_touched());
        pages.use_small_pages_for_rest();
        let touched: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3)
                .map(|_| scope.spawn(|| std::iter::repeat(()).take_while(|()| pages.touch_next()).count()))
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(touched, 14, "29 MiB are fifteen chunks, one of which was touched before");
        assert!(pages.is_touched() && !pages.touch_next());
        assert!(words().count() > 1000 && words().all(|(element, value)| element.0.load(Relaxed) == value));
    }

    /// The memory that the system has provided, in KiB: `Rss` of the mappings that overlap the array.
    #[cfg(target_os = "linux")]
    fn resident(pages: &TouchedPages<Element>) -> usize {
        let elements = pages.as_slice().as_ptr_range();
        let (mut overlaps, mut sum) = (false, 0);
        for line in std::fs::read_to_string("/proc/self/smaps").unwrap().lines() {
            let range = line.split(' ').next().and_then(|range| range.split_once('-'));
            let range = range.map(|(start, end)| (usize::from_str_radix(start, 16), usize::from_str_radix(end, 16)));
            if let Some((Ok(start), Ok(end))) = range {
                overlaps = start < elements.end as usize && end > elements.start as usize;
            } else if let Some(size) = line.strip_prefix("Rss:").filter(|_| overlaps) {
                sum += size.trim().trim_end_matches(" kB").parse::<usize>().unwrap();
            }
        }
        sum
    }

    #[cfg(target_os = "linux")]
    #[cfg_attr(miri, ignore = "measures the process")]
    #[test]
    fn touching_makes_the_system_provide_the_memory() {
        let pages = pages(64);
        let before = resident(&pages);
        pages.use_small_pages_for_rest();
        while pages.touch_next() {}
        assert!(resident(&pages) >= before + 63 * 1024, "{before}, then {}", resident(&pages));
    }

    /// A thread that touches one more chunk when a search begins leaves small pages to the search.
    #[cfg(target_os = "linux")]
    #[cfg_attr(miri, ignore = "measures the process")]
    #[test]
    fn a_search_is_given_small_pages() {
        let pages = pages(64);
        pages.use_small_pages_for_rest();
        assert!(pages.touch_next());
        let before = resident(&pages);
        let chunks = || pages.as_slice().chunks(TouchedPages::<Element>::CHUNK).skip(3);
        assert!(chunks().all(|chunk| chunk[0].0.load(Relaxed) == 0));
        chunks().for_each(|chunk| chunk[0].0.store(1, Relaxed));
        let provided = resident(&pages) - before;
        assert!((29 * 4..29 * 1024).contains(&provided), "{provided} KiB for 29 elements");
    }
}
