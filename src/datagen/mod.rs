//! Self-play: the games that networks are trained on.
//!
//! Games are kept whole in the public viriformat, four bytes a ply, unfiltered, so that what a trainer takes from them
//! can change after they are played.

pub mod format;
mod genfens;
pub mod openings;
#[cfg(feature = "lab")]
mod output;
mod packed;
// A plain build has use for the openings alone, which the command `genfens` prints.
#[cfg_attr(not(feature = "lab"), allow(dead_code))]
mod player;
#[cfg(feature = "lab")]
mod progress;
#[cfg(feature = "lab")]
mod report;
#[cfg(feature = "lab")]
mod run;
#[cfg(feature = "lab")]
mod survey;
#[cfg(feature = "lab")]
mod wdl;

pub use genfens::{GenFens, GenFensError, GenFensSyntax};
#[cfg(feature = "lab")]
pub use output::FileError;
pub use player::PlayError;
#[cfg(feature = "lab")]
pub use run::{DatagenError, Options, Totals, run};
#[cfg(feature = "lab")]
pub use survey::Survey;
