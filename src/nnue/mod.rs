//! The evaluation network (NNUE): `(768hm -> 256)x2 -> 1x8` with squared clipped ReLU (SCReLU), quantized to 16 bits.
//!
//! - 768 input features, one for each piece on each square, from each side's [`Perspective`]: its own back rank first,
//!   horizontally mirrored so that its king is on files a to d.
//! - The feature transformer sums the weights of the active features into an accumulator for each perspective. A move
//!   changes a few features, so [`Accumulators`] are updated incrementally.
//! - The output layer: the SCReLU of both accumulators, `clamp(x, 0, 1)^2`, times the weights of an output bucket
//!   selected by the number of pieces.
//!
//! All arithmetic is in integers, so the evaluation is the same on every machine.
//!
//! CITE: NNUE, Yu Nasu, 2018; in chess, Stockfish. This architecture with SCReLU and its quantization follow the
//! examples of bullet (Jamie Whiting). What each network was worth here is in `networks/README.md`.

mod accumulator;
mod accumulators;
mod arch;
mod embedded;
mod features;
mod file;
mod kernels;
mod network;
mod refresh;
mod trace;

pub use accumulator::Accumulator;
pub use accumulators::Accumulators;
pub use arch::{Architecture, BUCKETS, FEATURES, HIDDEN, QA, QB, SCALE, output_bucket};
pub use features::Perspective;
pub use file::{ArchitectureName, InvalidNetwork, NetworkError};
pub use kernels::Kernel;
pub use network::Network;
pub use trace::EvalTrace;
