//! Small helpers that know nothing of chess.

pub(crate) mod enums;
mod pages;
mod prefetch;
mod rng;

pub use pages::ZeroedPages;
pub use prefetch::prefetch;
pub use rng::Rng;
