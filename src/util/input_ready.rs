//! Standard input without waiting.

use std::io;

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};

/// True if a read from standard input would not wait, be it that there is input or that it has ended.
pub(crate) fn input_ready() -> bool {
    let stdin = io::stdin();
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    !matches!(poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&now)), Ok(0) | Err(Errno::INTR))
}
