//! Text notation: moves in UCI notation and SAN, positions in EPD.

mod epd;
mod moves;
mod san;

pub use epd::{Epd, EpdError};
pub use moves::{ParseMoveError, UciMove};
pub use san::{San, numbered, san};
