//! UCI sessions with the binary, over pipes.

mod analysis;
mod answers;
mod arguments;
mod bad_input;
mod client;
mod contract;
mod endings;
#[cfg(target_os = "linux")]
mod flood;
mod levels;
#[cfg(target_os = "linux")]
mod memory;
mod parsing;
mod random;
mod tablebases;
mod timing;
