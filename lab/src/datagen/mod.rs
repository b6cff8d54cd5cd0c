//! Data generation by self-play: the games that networks are trained on.
//!
//! Whole games are stored in viriformat, 4 bytes a ply, unfiltered, so that the trainer's filter can change afterwards.

pub mod format;
mod options;
mod output;
mod packed;
mod player;
mod progress;
mod report;
mod run;
mod selfplay;
mod survey;
mod wdl;

pub use options::{DatagenOptions, Totals};
pub use output::FileError;
pub use player::PlayError;
pub use run::{DatagenError, run};
pub use survey::Survey;
