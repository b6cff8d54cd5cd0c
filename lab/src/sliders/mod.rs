//! The slider-attack systems of the literature, as backends: their correctness and speed, perft with each, and the
//! timings of the paper on perfect hashing.

mod backends;
mod chart;
mod comparison;
mod paper;
mod perft;
mod positions;
mod workload;

pub use backends::{
    Backend, Hyperbola, MinimalHash, Mismatch, PerfectHash, RayLoop, Sbamg, Sliders, SoftPext, Unavailable,
    UnknownBackend, Verify, WithSliders, h1, h1_minimal, h2, h2_minimal, soft_pext,
};
pub(crate) use comparison::{Comparison, ComparisonOptions, verify};
pub(crate) use paper::{Paper, PaperOptions};
pub(crate) use perft::Leaves;
pub(crate) use workload::Setting;
