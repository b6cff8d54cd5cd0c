//! Memory: what is free, the size of a page, and prefetching into the cache.
#![cfg_attr(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    expect(unsafe_code, reason = "the prefetch intrinsic takes a raw pointer, and on ARM it is inline assembly")
)]

/// The size of a small page, in bytes, or a part of it.
pub(crate) const PAGE: usize = 4096;

/// The bytes of memory that programs can still take without swapping, as Linux estimates them; none elsewhere.
pub(crate) fn available_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// Prefetches the cache line of `value`. Never faults; does nothing on processors other than x86-64 and 64-bit ARM.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86-64, and a prefetch has no effect that a program can observe.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch has no effect that a program can observe.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) std::ptr::from_ref(value), options(nostack, readonly, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = value;
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::available_memory;

    #[test]
    fn some_memory_is_available() {
        assert!(available_memory().is_some_and(|bytes| bytes > 1 << 20));
    }
}
