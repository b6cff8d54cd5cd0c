//! The tools that make and measure Sleight: self-play, training data, the network trainer, and the comparison of the
//! slider backends. The engine is the package `sleight`, of which this one uses the documented API alone.
//!
//! | module | command |
//! |---|---|
//! | [`datagen`] | `datagen`: self-play games; `data`: statistics over them; `openings`: a book of own openings |
//! | `train` | `train`: a network from such files |
//! | `label` | `label`: scores by another evaluation, a network of Stockfish's or any UCI engine |
//! | [`sliders`] | `sliders`: proof and speed of the slider backends; `perft`: counts with them; `paper`: table of the paper on perfect hashing |
//! | `magics` | `magics`: the search for magic numbers |
//! | [`cli`] | the command line |

pub mod cli;
pub mod datagen;
mod files;
mod label;
mod magics;
mod record;
pub mod sliders;
mod train;
