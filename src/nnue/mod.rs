//! The evaluation network (NNUE): `(768hm->N)x2->(16->32->1)x8` with pairwise products; N is that of the file.
//!
//! - 768 input features, one for each piece on each square, from each side's [`Perspective`]: its own back rank first,
//!   horizontally mirrored so that its king is on files a to d. The square of that king selects a set of weights, its
//!   king bucket, if the network has more than one.
//! - The feature transformer sums the weights of the active features into an accumulator for each perspective, in 16
//!   bits. A move changes a few features, so the [`AccumulatorStack`] is updated incrementally.
//! - In the layer stack of an output bucket (selected by the number of pieces), an activation is a value of the
//!   accumulator's first half, clipped to 0 to 1, times its partner in the second half, in 7 bits. Activations times
//!   8-bit weights are summed in the first hidden layer. One of its 16 outputs goes straight to the network's output
//!   (skip connection), 15 with squared clipped ReLU (SCReLU) to a second hidden layer of 32, in floats.
//!
//! The integers are exact and the floats are added in a fixed order, so the evaluation is the same on every machine.
//!
//! # Files
//!
//! | file | what it does |
//! |---|---|
//! | `architecture` | dimensions, quantization and scale |
//! | `features` | the input features, as each perspective sees them |
//! | `network`, `layer_stack` | the weights: of the whole network; of the layer stack of an output bucket |
//! | `file`, `header`, `embedded` | the network file, its header; the embedded network |
//! | `accumulator`, `accumulator_stack` | one accumulator; those along the line that is searched, updated lazily |
//! | `refresh` | refresh table ("Finny table") |
//! | `kernels`, `kernels/scalar`, ... | the choice of an instruction set; the vector operations of each |
//! | `kernels/loops` | the arithmetic, once for all: accumulator updates, forward pass (pairwise products, SCReLU) |
//! | `trace` | the evaluation broken down, for the command `eval` |
// CITE: NNUE, Yu Nasu, 2018; in chess, Stockfish, also for the layer stacks and the pairwise products. SCReLU and the
// quantization follow bullet (Jamie Whiting) and the engines that train with it. What each network was worth here is in
// `networks/README.md`.

mod accumulator;
mod accumulator_stack;
mod architecture;
mod embedded;
mod features;
mod file;
mod header;
mod kernels;
mod layer_stack;
mod network;
mod refresh;
mod trace;

pub use accumulator::Accumulator;
pub use accumulator_stack::AccumulatorStack;
pub use architecture::{
    ACTIVATION_SHIFT, Architecture, BUCKETS, FEATURES, HIDDEN, INPUT_BUCKETS, INPUTS, L2, L3, Q_ACTIVATION, QA, QB,
    SCALE, SKIP_FACTOR, output_bucket,
};
pub use features::{FLIP_FILE, FLIP_RANK, Perspective, SIDE_FEATURES};
pub use file::{ArchitectureName, InvalidNetwork, NetworkError};
pub use kernels::Kernel;
pub use network::{Network, Weight, WeightSource};
pub use trace::EvalTrace;
