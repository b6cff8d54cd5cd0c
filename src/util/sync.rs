//! The primitives that the threads of the engine meet through: those of the standard library, and channels. A build
//! with `--cfg loom` has `loom_sync.rs` in their place.

pub(crate) use std::sync::atomic::AtomicU64;
#[cfg(not(single_threaded))]
pub(crate) use std::thread;

#[cfg(not(single_threaded))]
pub(crate) use super::channel::RecvTimeoutError;
pub(crate) use super::channel::{Receiver, Sender, unbounded};
