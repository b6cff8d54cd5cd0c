//! The arithmetic of the hidden layer, once for each set of vector instructions.
//!
//! All kernels compute the same integers: sums wrap and their order does not matter, so a search gives the same
//! nodes on every machine.
#![expect(unsafe_code, reason = "vector instructions are chosen at run time")]

mod body;
mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod vnni;

use once_cell::sync::Lazy;

use super::network::Row;
use crate::util::environment;

/// A set of vector instructions that this machine is known to have.
///
/// There is no way to name one that it has not, so holding a `Kernel` is the permission to run it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Level);

/// Later ones are faster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Vnni,
}

/// The environment variable that asks for another kernel than the fastest, by [name](Kernel::name).
const VARIABLE: &str = "SLEIGHT_KERNEL";

static CHOSEN: Lazy<Kernel> = Lazy::new(|| {
    let wanted = environment(VARIABLE);
    let mut kernels = Kernel::available();
    let Some(wanted) = wanted else { return kernels.last().unwrap_or(Kernel(Level::Scalar)) };
    kernels.find(|kernel| kernel.name() == wanted).unwrap_or_else(|| {
        log::warn!("{VARIABLE}: this machine has no kernel {wanted:?}; taking the plain one");
        Kernel(Level::Scalar)
    })
});

impl Kernel {
    /// The kernel to use: the fastest, or the one that the environment variable `SLEIGHT_KERNEL` names. It never
    /// changes while the program runs.
    pub fn chosen() -> Self {
        *CHOSEN
    }

    /// Every kernel that this machine can run, the fastest last.
    pub fn available() -> impl Iterator<Item = Self> {
        let levels = [
            Some(Level::Scalar),
            #[cfg(target_arch = "x86_64")]
            is_x86_feature_detected!("avx2").then_some(Level::Avx2),
            #[cfg(target_arch = "x86_64")]
            is_x86_feature_detected!("avx512bw").then_some(Level::Avx512),
            #[cfg(target_arch = "x86_64")]
            (is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vnni")).then_some(Level::Vnni),
        ];
        levels.into_iter().flatten().map(Self)
    }

    /// `scalar`, `avx2`, `avx512` or `vnni`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Level::Vnni => "vnni",
        }
    }
}

/// Calls the function of that name in the module of the kernel's level.
macro_rules! dispatch {
    ($kernel:expr, $function:ident($($argument:expr),*)) => {
        match $kernel.0 {
            Level::Scalar => scalar::$function($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Kernel::available`, the only source of this level, has found AVX2.
            Level::Avx2 => unsafe { avx2::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Kernel::available`, the only source of this level, has found AVX-512 BW, which implies F.
            Level::Avx512 => unsafe { avx512::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Kernel::available`, the only source of this level, has found AVX-512 BW and VNNI.
            Level::Vnni => unsafe { vnni::$function($($argument),*) },
        }
    };
}

impl Kernel {
    /// `to = from + add - sub`.
    #[inline(always)]
    pub(super) fn update<const H: usize, const A: usize, const S: usize>(
        self,
        to: &mut Row<H>,
        from: &Row<H>,
        add: [&Row<H>; A],
        sub: [&Row<H>; S],
    ) {
        dispatch!(self, update(to, from, add, sub));
    }

    /// `row += add - sub`, with any number of rows.
    #[inline(always)]
    pub(super) fn update_many<const H: usize>(self, row: &mut Row<H>, add: &[&Row<H>], sub: &[&Row<H>]) {
        dispatch!(self, update_many(row, add, sub));
    }

    /// The output neuron before its bias, in units of `1 / (QA * QA * QB)`: over both sides, the sum of
    /// `clamp(value, 0, QA)^2 * weight`.
    #[inline(always)]
    pub(super) fn output<const H: usize>(self, ours: &Row<H>, theirs: &Row<H>, weights: &[Row<H>; 2]) -> i32 {
        dispatch!(self, output(ours, theirs, weights))
    }
}
