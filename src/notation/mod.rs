//! Text notation: moves in UCI notation and SAN, positions in EPD.

mod epd;
mod san;
mod uci_move;

pub use epd::{Epd, EpdError};
pub use san::{San, numbered, san};
pub use uci_move::{ParseMoveError, UciMove};
