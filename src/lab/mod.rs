//! The slider laboratory: correctness and speed of the slider backends, and the timings of the paper on perfect hashing.

#[cfg(feature = "lab")]
mod chart;
mod paper;
pub mod positions;
mod sliders;
mod workload;

pub use paper::{Paper, PaperOptions, PaperRow};
pub use sliders::{Comparison, ComparisonOptions, Disagreement, Measured, verify};
pub use workload::{Density, Setting};
