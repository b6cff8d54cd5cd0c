//! The primitives that the threads of the engine meet through: those of the standard library and of crossbeam. A build
//! with `--cfg loom` has `loom_sync.rs` in their place.

pub(crate) use std::sync::atomic::AtomicU64;
#[cfg(not(single_threaded))]
pub(crate) use std::thread;

#[cfg(not(single_threaded))]
pub(crate) use crossbeam_channel::RecvTimeoutError;
pub(crate) use crossbeam_channel::{Receiver, Sender, unbounded};
