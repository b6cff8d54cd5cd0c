//! Auto-vectorization for the widest SIMD instructions that the machine has.
#![expect(unsafe_code, reason = "code is compiled for instructions that are detected at run time")]

/// Runs `work` with everything that is inlined into it compiled for AVX-512 or AVX2, if the machine has them. The
/// results are the same to the last bit: no floating-point operations are fused or reordered.
///
/// Called functions take part only if they are `#[inline(always)]`.
#[inline]
pub(crate) fn vectorized<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
        fn with_avx512<R>(work: impl FnOnce() -> R) -> R {
            work()
        }

        #[target_feature(enable = "avx2")]
        fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }

        let has_avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq");
        if has_avx512 {
            // SAFETY: the four extensions have just been found.
            return unsafe { with_avx512(work) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: AVX2 has just been found.
            return unsafe { with_avx2(work) };
        }
    }
    work()
}
