//! Data generation by self-play: the games that networks are trained on.
//!
//! Whole games are stored in viriformat, 4 bytes a ply, unfiltered, so that the trainer's filter can change afterwards.

mod evaluated;
pub mod format;
mod openings;
mod options;
mod output;
mod packed;
mod player;
mod progress;
mod report;
mod run;
mod sample;
mod selfplay;
mod survey;
mod walk;
mod wdl;

pub use options::{DatagenOptions, Totals};
pub use output::FileError;
pub(crate) use progress::note;
pub use run::{DatagenError, run};
pub use sample::{OpeningsOptions, SampleError, sample_openings};
pub use survey::Survey;
