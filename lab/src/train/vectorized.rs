//! Auto-vectorization for the widest SIMD instructions that the machine has.
#![expect(unsafe_code, reason = "code is compiled for instructions that are detected at run time")]

/// Runs `work` with everything that is inlined into it compiled for AVX-512 or AVX2, if the machine has them. The
/// results are the same to the last bit: no floating-point operations are reordered, and none are fused but by
/// `f32::mul_add`, which is one instruction there and a slow function elsewhere.
///
/// Called functions take part only if they are `#[inline(always)]`.
#[inline]
pub(crate) fn vectorized<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
        fn with_avx512<R>(work: impl FnOnce() -> R) -> R {
            work()
        }

        #[target_feature(enable = "avx2,fma")]
        fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }

        let has_avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("fma");
        if has_avx512 {
            // SAFETY: the five extensions have just been found.
            return unsafe { with_avx512(work) };
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: AVX2 and FMA have just been found.
            return unsafe { with_avx2(work) };
        }
    }
    work()
}
