//! Sleight, a UCI chess engine, as a library: legal move generation, search and NNUE evaluation.
//!
//! # Legal moves
//!
//! ```
//! use sleight::{movegen::legal_moves, notation::san, position::Position};
//!
//! let mut position = Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")?;
//! let moves = legal_moves(&position);
//! assert_eq!(moves.len(), 48);
//! let castling = moves.iter().copied().find(|&mv| san(&position, mv) == "O-O").expect("castling is legal here");
//! position.make(castling);
//! assert_eq!(position.outcome(), None);
//! # Ok::<(), sleight::position::FenError>(())
//! ```
//!
//! # A search
//!
//! ```
//! use std::sync::Arc;
//!
//! use sleight::{
//!     position::Position,
//!     search::{Control, Job, Limits, Shared, Worker},
//!     tt::TranspositionTable,
//! };
//!
//! let shared = Arc::new(Shared::new(TranspositionTable::new(16)?, Arc::new(Control::new()), 1));
//! let mut worker = Worker::new(shared, 0)?;
//! let job = Job::new(Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")?, Limits::depth(5));
//! let result = worker.search(&job, Some(&mut |report| println!("{report:?}")));
//! assert_eq!(result.score.mate_moves(), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # An evaluation
//!
//! ```
//! use sleight::{
//!     eval::{evaluate, to_centipawns, win_draw_loss},
//!     nnue::{AccumulatorStack, Network},
//!     position::Position,
//! };
//!
//! let position = Position::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?;
//! let mut accumulators = AccumulatorStack::new(Network::embedded());
//! let score = evaluate(&position, &mut accumulators);
//! assert!(to_centipawns(score.0) > 300, "White is a queen ahead");
//! let [win, draw, loss] = win_draw_loss(score);
//! assert!(win > draw + loss);
//! # Ok::<(), sleight::position::FenError>(())
//! ```
//!
//! # Layers
//!
//! A module imports only from lower layers, and the files of a module do not import each other in a cycle:
//! `docs/architecture.md` has the table, and `tests/source/layers.rs` checks it.
//!
//! # Features
//!
//! - `tune`: every search parameter is a UCI option, for SPSA
//! - `evaluated`: positions that searches evaluate can be observed, for training data

pub mod attacks;
mod bench;
#[cfg_attr(target_family = "wasm", path = "cli/wasm.rs")]
pub mod cli;
mod engine;
pub mod eval;
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "for the terminal"))]
mod game;
mod history;
pub mod movegen;
pub mod nnue;
pub mod notation;
pub mod openings;
pub mod outcome;
mod params;
pub mod perft;
pub mod position;
pub mod search;
pub mod syzygy;
#[cfg(not(target_family = "wasm"))]
mod terminal;
pub mod tt;
pub mod types;
mod uci;
pub mod util;

/// Items for this crate's own integration tests, benchmarks and fuzz targets; not part of the API.
#[doc(hidden)]
pub mod test_support {
    pub use crate::uci::{is_command, reading};
}
