//! Correctness and speed of the slider backends, and the timings of the paper on perfect hashing.

mod chart;
mod comparison;
mod paper;
mod positions;
mod workload;

pub(crate) use comparison::{Comparison, ComparisonOptions, verify};
pub(crate) use paper::{Paper, PaperOptions};
pub(crate) use workload::Setting;
