//! The arithmetic of the accumulators and the layer stack, once for each SIMD instruction set.
//!
//! All kernels compute the same: integer sums are exact or wrap, so that their order does not matter, and floats are
//! added in the same order. So a search visits the same nodes on every machine.
#![cfg_attr(
    any(not(target_family = "wasm"), target_feature = "simd128"),
    expect(unsafe_code, reason = "SIMD instructions are chosen at run time")
)]

mod loops;
mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod vnni;

#[cfg(target_arch = "aarch64")]
use std::arch::is_aarch64_feature_detected;

use once_cell::sync::Lazy;

use super::{accumulator::Accumulator, layer_stack::LayerStack};
use crate::util::environment;

/// A SIMD instruction set that this machine is known to have.
///
/// Values come from [`Kernel::available`] alone, so holding a `Kernel` proves that its instructions can be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(SimdLevel);

/// In ascending order of speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SimdLevel {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

/// The environment variable that selects a kernel by [name](Kernel::name) in place of the fastest.
const VARIABLE: &str = "SLEIGHT_KERNEL";

static DETECTED: Lazy<Kernel> = Lazy::new(|| {
    let wanted = environment(VARIABLE);
    let mut kernels = Kernel::available();
    let Some(wanted) = wanted else { return kernels.last().unwrap_or(Kernel(SimdLevel::Scalar)) };
    kernels.find(|kernel| kernel.name() == wanted).unwrap_or_else(|| {
        log::warn!("{VARIABLE}: this machine has no kernel {wanted:?}; using the scalar one");
        Kernel(SimdLevel::Scalar)
    })
});

impl Kernel {
    /// The kernel in use: the fastest, or the one that the environment variable `SLEIGHT_KERNEL` names. Constant while
    /// the program runs.
    pub fn detect() -> Self {
        *DETECTED
    }

    /// All kernels that this machine can run, the fastest last.
    pub fn available() -> impl Iterator<Item = Self> {
        let levels = [
            Some(SimdLevel::Scalar),
            #[cfg(target_arch = "x86_64")]
            is_x86_feature_detected!("avx2").then_some(SimdLevel::Avx2),
            #[cfg(target_arch = "x86_64")]
            is_x86_feature_detected!("avx512bw").then_some(SimdLevel::Avx512),
            #[cfg(target_arch = "x86_64")]
            (is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vnni")).then_some(SimdLevel::Vnni),
            #[cfg(target_arch = "aarch64")]
            is_aarch64_feature_detected!("neon").then_some(SimdLevel::Neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Some(SimdLevel::Simd128),
        ];
        levels.into_iter().flatten().map(Self)
    }

    /// `scalar`, `avx2`, `avx512`, `vnni`, `neon` or `simd128`.
    pub fn name(self) -> &'static str {
        match self.0 {
            SimdLevel::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Vnni => "vnni",
            #[cfg(target_arch = "aarch64")]
            SimdLevel::Neon => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            SimdLevel::Simd128 => "simd128",
        }
    }
}

/// Calls the function of that name in the module of the kernel's SIMD level.
macro_rules! dispatch {
    ($kernel:expr, $function:ident($($argument:expr),*)) => {
        match $kernel.0 {
            SimdLevel::Scalar => scalar::$function($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Kernel::available`, the only source of this level, has found AVX2.
            SimdLevel::Avx2 => unsafe { avx2::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Kernel::available`, the only source of this level, has found AVX-512 BW, which implies F.
            SimdLevel::Avx512 => unsafe { avx512::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Kernel::available`, the only source of this level, has found AVX-512 BW and VNNI.
            SimdLevel::Vnni => unsafe { vnni::$function($($argument),*) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: `Kernel::available`, the only source of this level, has found NEON.
            SimdLevel::Neon => unsafe { neon::$function($($argument),*) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            SimdLevel::Simd128 => simd128::$function($($argument),*),
        }
    };
}

impl Kernel {
    /// `to = from + added - removed`: the fused incremental update of an accumulator.
    #[inline(always)]
    pub(super) fn update<const H: usize, const A: usize, const R: usize>(
        self,
        to: &mut Accumulator<H>,
        from: &Accumulator<H>,
        added: [&Accumulator<H>; A],
        removed: [&Accumulator<H>; R],
    ) {
        dispatch!(self, update(to, from, added, removed));
    }

    /// `accumulator += added - removed`, with any number of features: the refresh.
    #[inline(always)]
    pub(super) fn update_many<const H: usize>(
        self,
        accumulator: &mut Accumulator<H>,
        added: &[&Accumulator<H>],
        removed: &[&Accumulator<H>],
    ) {
        dispatch!(self, update_many(accumulator, added, removed));
    }

    /// The layer stack: the output of the network, from the accumulators of the side to move and its opponent.
    // CITE: pairwise products: Stockfish (SFNNv5), for half the weights in the first hidden layer.
    #[inline(always)]
    pub(super) fn output<const H: usize>(
        self,
        us: &Accumulator<H>,
        them: &Accumulator<H>,
        stack: &LayerStack<H>,
    ) -> f32 {
        dispatch!(self, output(us, them, stack))
    }
}
