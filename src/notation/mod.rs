//! Chess in text: moves as UCI writes them, and positions with remarks.

mod epd;
mod moves;

pub use epd::{Epd, EpdError};
pub use moves::{NotAMove, UciMove};
