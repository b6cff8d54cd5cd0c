//! The slider laboratory: correctness and speed of the slider backends, and the timings of the paper on perfect
//! hashing.

#[cfg(feature = "lab")]
mod chart;
mod paper;
pub(crate) mod positions;
mod sliders;
mod workload;

pub(crate) use paper::{Paper, PaperOptions};
pub(crate) use sliders::{Comparison, ComparisonOptions, verify};
pub(crate) use workload::Setting;
