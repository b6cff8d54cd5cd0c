//! The laboratory: what is measured about the engine's parts rather than about its play.

#[cfg(feature = "lab")]
mod chart;
mod json;
mod paper;
pub mod positions;
mod sliders;
mod workload;

pub use paper::{Paper, PaperOptions, PaperRow};
pub use sliders::{Comparison, Density, Disagreement, Measured, Options, Setting, verify};
