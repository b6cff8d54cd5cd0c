//! Small helpers without any chess in them.

mod checksum;
pub(crate) mod enums;
mod environment;
mod pages;
mod prefetch;
mod rate;
mod regular;
mod rng;
mod text;
mod vectorized;

pub use checksum::{fnv1a, fnv1a_continued};
pub use environment::environment;
pub use pages::ZeroedPages;
pub use prefetch::prefetch;
pub use rate::nps;
pub use regular::open_regular;
pub use rng::Rng;
pub use text::excerpt;
pub use vectorized::vectorized;
