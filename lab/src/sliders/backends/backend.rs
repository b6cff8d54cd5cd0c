//! The list of slider backends, and the dispatch from a name to one of them.

use std::{fmt, str::FromStr};

#[cfg(target_arch = "x86_64")]
use super::Pext;
use super::{Hyperbola, Magic, MinimalHash, PerfectHash, RayLoop, Rays, Sbamg, Sliders, SoftPext};

/// Code that is compiled once for each backend it may run with: a generic closure.
///
/// ```
/// # use sleight::types::{Bitboard, Square};
/// # use sleight_lab::sliders::{Backend, Sliders, WithSliders};
/// struct Mobility(Square);
///
/// impl WithSliders for Mobility {
///     type Out = usize;
///
///     fn run<S: Sliders>(self, sliders: S) -> usize {
///         sliders.queen(self.0, Bitboard::EMPTY).len()
///     }
/// }
///
/// assert_eq!(Backend::Magic.with(Mobility(Square::D4)), Ok(27));
/// assert_eq!(Backend::Sbamg.with(Mobility(Square::A1)), Ok(21));
/// ```
pub trait WithSliders {
    /// The return type.
    type Out;

    /// Runs the code with one backend.
    fn run<S: Sliders>(self, sliders: S) -> Self::Out;
}

/// The one list of backends: the name of each, and an expression for it that is `None` if the processor cannot run it.
macro_rules! backends {
    ($($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $name:ident = $value:expr,)*) => {
        /// The choice of a slider backend at run time.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Backend { $($(#[doc = $doc])* $(#[cfg($cfg)])? $name),* }

        impl Backend {
            /// All backends.
            pub const ALL: [Self; [$($(#[cfg($cfg)])? Self::$name),*].len()] = [$($(#[cfg($cfg)])? Self::$name),*];

            /// The name on the command line and in reports.
            pub const fn name(self) -> &'static str {
                match self { $($(#[cfg($cfg)])? Self::$name => <$name as Sliders>::NAME),* }
            }

            /// The instruction set extension that it needs, or `any`.
            pub const fn needs(self) -> &'static str {
                match self { $($(#[cfg($cfg)])? Self::$name => <$name as Sliders>::NEEDS),* }
            }

            /// Size in bytes of its lookup tables.
            pub const fn table_bytes(self) -> usize {
                match self { $($(#[cfg($cfg)])? Self::$name => <$name as Sliders>::TABLE_BYTES),* }
            }

            /// True if this processor can run it.
            pub fn is_available(self) -> bool {
                match self { $($(#[cfg($cfg)])? Self::$name => $value.is_some()),* }
            }

            /// Runs `visitor` with the backend: one `match` for a whole perft, none per lookup.
            ///
            /// # Errors
            /// When this processor cannot run the backend. The visitor does not run then.
            pub fn with<V: WithSliders>(self, visitor: V) -> Result<V::Out, Unavailable> {
                match self {
                    $($(#[cfg($cfg)])? Self::$name => $value.map(|sliders| visitor.run(sliders))),*
                }
                .ok_or(Unavailable(self))
            }
        }
    };
}

backends! {
    /// [`RayLoop`], the plain loop.
    RayLoop = Some(RayLoop),
    /// [`Rays`], the classical ray scan.
    Rays = Some(Rays),
    /// [`Magic`], fancy magic bitboards.
    Magic = Some(Magic),
    /// [`Pext`], lookup tables indexed by the instruction.
    #[cfg(target_arch = "x86_64")]
    Pext = Pext::detect(),
    /// [`SoftPext`], the same tables, with PEXT in software.
    SoftPext = Some(SoftPext),
    /// [`Sbamg`], o^(o-3cbn).
    Sbamg = Some(Sbamg),
    /// [`PerfectHash`], lines hashed by a remainder.
    PerfectHash = Some(PerfectHash),
    /// [`MinimalHash`], the same with minimal perfect hash functions.
    MinimalHash = Some(MinimalHash),
    /// [`Hyperbola`], o^(o-2r).
    Hyperbola = Some(Hyperbola),
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    /// Finds the backend by its name, in any case.
    fn from_str(text: &str) -> Result<Self, UnknownBackend> {
        Self::ALL
            .into_iter()
            .find(|backend| backend.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownBackend(text.to_owned()))
    }
}

/// A text that is not the name of a backend.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no slider backend `{0}`; there are: {names}", names = Backend::ALL.map(Backend::name).join(", "))]
pub struct UnknownBackend(String);

/// A backend that this processor cannot run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the slider backend `{0}` needs {needs}, which this processor lacks", needs = .0.needs())]
pub struct Unavailable(pub Backend);

#[cfg(test)]
mod tests {
    use super::{super::Verify, *};

    #[test]
    fn every_backend_agrees_with_the_scan_on_every_case() {
        for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
            assert_eq!(backend.with(Verify).unwrap(), Ok(Verify::CASES), "{backend}");
        }
    }

    #[test]
    fn names_round_trip() {
        for backend in Backend::ALL {
            assert_eq!(backend.to_string().parse(), Ok(backend));
        }
        let error = "rotated".parse::<Backend>().unwrap_err();
        assert!(error.to_string().contains("`rotated`; there are: loop, rays, magic"), "{error}");
        #[cfg(target_arch = "x86_64")]
        assert!(Unavailable(Backend::Pext).to_string().contains("needs BMI2"));
    }
}
