//! Looking ahead: iterative deepening over principal variation search.
//!
//! A [`Worker`] owns everything that it writes to - position, accumulators, statistics, stack - and shares with
//! others only the hash table, the [`Control`] flags and its node counter. Nothing here prints: what the world should
//! know goes out as a [`SearchReport`].

mod control;
mod deepening;
mod evaluation;
mod extensions;
mod histories;
mod job;
mod move_loop;
mod move_pruning;
mod node;
mod node_pruning;
mod picker;
mod prune;
mod qsearch;
mod reductions;
mod report;
mod root;
mod stack;
mod tablebases;
mod window;
mod worker;

pub use control::{Control, Shared};
pub use job::{Job, SearchOptions, SyzygyOptions};
pub use report::{SearchReport, SearchResult};
pub use worker::Worker;

/// Stack size of a thread that searches, in bytes: the deepest search fits even in a build without optimization.
pub const STACK_BYTES: usize = 32 << 20;
