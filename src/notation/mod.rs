//! Chess in text: moves as UCI and as people write them, and positions with remarks.

mod epd;
mod moves;
mod san;

pub use epd::{Epd, EpdError};
pub use moves::{NotAMove, UciMove};
pub use san::{San, san};
