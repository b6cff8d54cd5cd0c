//! Small helpers without any chess in them.

pub(crate) mod actor;
#[cfg(not(loom))]
mod channel;
mod checksum;
pub(crate) mod enums;
mod memory;
#[cfg_attr(target_family = "wasm", path = "heap_pages.rs")]
#[cfg_attr(windows, path = "windows_pages.rs")]
mod pages;
mod regular;
mod resume;
mod rng;
mod stdio;
#[cfg_attr(loom, path = "loom_sync.rs")]
pub(crate) mod sync;
mod text;
mod touched_pages;

pub use checksum::{fnv1a, fnv1a_continued};
pub(crate) use memory::prefetch;
pub(crate) use pages::ZeroedPages;
pub(crate) use regular::beside_binary;
pub use regular::{open_regular, open_regular_with};
pub(crate) use resume::run_on_input;
pub use rng::Rng;
pub(crate) use stdio::{InputLine, MAX_LINE, Source, print};
#[cfg(not(target_family = "wasm"))]
pub(crate) use stdio::{is_closed_pipe, write_all};
pub(crate) use text::{environment, excerpt, os_string, printable};
pub(crate) use touched_pages::{TouchedPages, require_memory};
