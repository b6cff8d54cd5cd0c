//! The network that says what a position is worth.
//!
//! 768 inputs say which man stands where, seen from each side's own edge of the board and mirrored so that the
//! viewer's king is on the left. Each side's view is summed into a hidden layer that moves change by a few rows of
//! weights ([`Accumulators`]); the squared, clipped values of both views, weighted by one of a few output neurons,
//! are the evaluation. All arithmetic is in integers.

mod accumulators;
mod arch;
mod cache;
mod embedded;
mod explain;
mod features;
mod kernels;
mod network;

pub use accumulators::Accumulators;
pub use arch::{Architecture, BUCKETS, FEATURES, HIDDEN, QA, QB, SCALE, bucket_of};
pub use explain::Explanation;
pub use features::View;
pub use kernels::Kernel;
pub use network::{Network, NetworkError, Row};
