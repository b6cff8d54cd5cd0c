//! Data generation by self-play: the games that networks are trained on.
//!
//! Whole games are stored in viriformat, 4 bytes a ply, unfiltered, so that the trainer's filter can change afterwards.

#[cfg(feature = "lab")]
pub mod format;
mod genfens;
pub mod openings;
#[cfg(feature = "lab")]
mod options;
#[cfg(feature = "lab")]
mod output;
#[cfg(feature = "lab")]
mod packed;
mod player;
#[cfg(feature = "lab")]
mod progress;
#[cfg(feature = "lab")]
mod report;
#[cfg(feature = "lab")]
mod run;
#[cfg(feature = "lab")]
mod selfplay;
#[cfg(feature = "lab")]
mod survey;
#[cfg(feature = "lab")]
mod wdl;

pub use genfens::{GenFens, GenFensError, GenFensSyntax};
#[cfg(feature = "lab")]
pub use options::{DatagenOptions, Totals};
#[cfg(feature = "lab")]
pub use output::FileError;
pub use player::PlayError;
#[cfg(feature = "lab")]
pub use run::{DatagenError, run};
#[cfg(feature = "lab")]
pub use survey::Survey;
