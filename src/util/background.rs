//! Work beside the thread that reads commands.

use std::io;

#[cfg(not(single_threaded))]
use crate::util::sync::thread;

/// Runs `work` in a thread of its own.
///
/// # Errors
/// If the system starts no thread.
#[cfg(not(single_threaded))]
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Runs `work` before it returns, as there are no threads.
///
/// # Errors
/// None.
#[cfg(single_threaded)]
pub(crate) fn spawn(_name: &str, work: impl FnOnce()) -> io::Result<()> {
    work();
    Ok(())
}
