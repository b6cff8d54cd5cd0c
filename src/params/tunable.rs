//! How a parameter is defined: a constant in a plain build, an option of the build for tuning.

/// Defines a function for each parameter, which returns its value as `$type` by `$from`, and `all`, the list of them.
macro_rules! parameters {
    (
        $type:ty, $from:path;
        $($(#[doc = $doc:literal])* $name:ident = $default:literal, $min:literal..=$max:literal;)*
    ) => {
        $(
            $(#[doc = $doc])*
            #[inline(always)]
            pub(crate) fn $name() -> $type {
                #[cfg(feature = "tune")]
                return $from(values::$name.load(std::sync::atomic::Ordering::Relaxed));
                #[cfg(not(feature = "tune"))]
                $from($default)
            }
        )*

        #[cfg(feature = "tune")]
        #[expect(non_upper_case_globals, reason = "each value bears the name of its reader")]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// Every parameter, in the order of the source.
        #[cfg(feature = "tune")]
        pub(crate) fn all() -> &'static [$crate::params::Tunable] {
            static ALL: &[$crate::params::Tunable] = &[$($crate::params::Tunable {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                value: &values::$name,
            }),*];
            ALL
        }

        $(const _: () = assert!($min <= $default && $default <= $max);)*
    };
}

pub(super) use parameters;

/// A parameter that can be set at run time. A rule is one of 0 and 1.
#[cfg(feature = "tune")]
#[derive(Debug)]
pub(crate) struct Tunable {
    /// Its name, also that of its UCI option.
    pub name: &'static str,
    /// The value in a plain build.
    pub default: i32,
    /// The least value that SPSA may try.
    pub min: i32,
    /// The greatest value that SPSA may try.
    pub max: i32,
    pub(super) value: &'static std::sync::atomic::AtomicI32,
}

#[cfg(feature = "tune")]
impl Tunable {
    /// Sets the value, clamped to the range.
    pub(crate) fn set(&self, value: i32) {
        self.value.store(value.clamp(self.min, self.max), std::sync::atomic::Ordering::Relaxed);
    }

    /// The tunable's line in OpenBench's SPSA form: name, type, value, range, step and learning rate.
    pub(crate) fn spsa_line(&self) -> String {
        let step = f64::from(self.max - self.min) / 20.0;
        format!("{}, int, {}, {}, {}, {}, 0.002", self.name, self.default, self.min, self.max, step.max(0.5))
    }
}
