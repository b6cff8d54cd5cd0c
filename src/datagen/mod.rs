//! Self-play: the games that networks are trained on.
//!
//! Games are kept whole in the public viriformat, four bytes a ply, unfiltered, so that what a trainer takes from them
//! can change after they are played.

pub mod format;
mod genfens;
pub mod openings;
mod output;
mod packed;
mod player;
mod progress;
mod report;
mod run;
mod survey;

pub use genfens::{GenFens, GenFensError, GenFensSyntax};
pub use output::FileError;
pub use player::PlayError;
pub use run::{DatagenError, Options, Totals, run};
pub use survey::Survey;
