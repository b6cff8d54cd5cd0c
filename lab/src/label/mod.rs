//! Scores by a teacher: the static evaluation of a network of Stockfish's, or the searches of any UCI engine.
//!
//! A file is labelled in chunks of whole games or records, which threads take in turn. Each chunk is written once the
//! ones before it are, and how far the file is labelled is noted beside it; so a run that was killed goes on where
//! whole chunks were written. Scores do not depend on the chunks, the threads or what was labelled before.
//!
//! The score of a static evaluation is in internal units of Stockfish's: its `evaluate` with the main network alone and
//! without optimism, the damping by the fifty-move clock (until 16.1 with a constant factor), and what 17 draws from
//! the position's key. Networks of 17 and 17.1 have one shape, and get the formula of 17.1. In check there is no score:
//! games keep the position without one, and records are left out.

mod accumulators;
mod architecture;
mod board;
mod chunk;
mod display;
mod error;
mod evaluator;
mod features;
mod layers;
mod network;
mod network_file;
mod options;
mod output;
mod run;
mod teacher;
mod uci_engine;

#[cfg(test)]
mod tests;

pub(crate) use options::LabelOptions;
pub(crate) use run::run;
