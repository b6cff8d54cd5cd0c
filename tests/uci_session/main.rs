//! UCI sessions with the binary, over pipes.

mod answers;
mod arguments;
mod bad_input;
mod client;
mod contract;
mod levels;
mod random;
mod timing;
