//! Small helpers without any chess in them.

mod checksum;
pub(crate) mod enums;
mod environment;
mod memory;
mod pages;
mod prefetch;
mod rate;
mod regular;
mod rng;
mod text;
#[cfg(feature = "lab")]
mod vectorized;

pub(crate) use checksum::{fnv1a, fnv1a_continued};
pub(crate) use environment::environment;
pub(crate) use memory::available_memory;
pub(crate) use pages::{PAGE, ZeroedPages};
pub(crate) use prefetch::prefetch;
pub(crate) use rate::nps;
pub(crate) use regular::open_regular;
pub use rng::Rng;
pub(crate) use text::excerpt;
#[cfg(feature = "lab")]
pub(crate) use vectorized::vectorized;
