//! Sleight, a UCI chess engine.
//!
//! The modules form layers, each importing only from lower ones: `docs/architecture.md` lists them from the top down, and
//! `tests/layers.rs` checks the order.

pub mod attacks;
pub mod bench;
pub mod cli;
pub mod clock;
pub mod datagen;
pub mod engine;
pub mod eval;
pub mod history;
pub mod lab;
pub mod movegen;
pub mod nnue;
pub mod notation;
pub mod params;
pub mod perft;
pub mod position;
pub mod search;
pub mod syzygy;
#[cfg(feature = "lab")]
pub mod train;
pub mod tt;
pub mod types;
pub mod uci;
pub mod util;
