//! Prefetching into the cache.
#![cfg_attr(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    expect(unsafe_code, reason = "the prefetch intrinsic takes a raw pointer, and on ARM it is inline assembly")
)]

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
