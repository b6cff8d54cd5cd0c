//! Attack sets: leapers, sliders, and the geometry of lines.
//!
//! [`rook`], [`bishop`] and [`queen`] look sliders up by what the processor does fastest. [`Slider::attacks`], the
//! classical scan, is the source of all lookup tables and the oracle that the lookups are checked against.

mod axis;
mod between;
#[cfg(target_arch = "x86_64")]
mod kogge_stone;
mod leapers;
mod lookup;
mod magic;
mod magic_numbers;
#[cfg(target_arch = "x86_64")]
mod pext;
mod rays;
mod slider;

pub use axis::Axis;
pub use between::{between, line};
pub use leapers::{king, knight, pawn};
pub use lookup::{Lookup, attacked_by_sliders, bishop, count_slider_moves, queen, rook, slider_attacks};
pub use magic::{Magic, MagicNumbers};
#[cfg(target_arch = "x86_64")]
pub use pext::Pext;
pub use rays::{Rays, bishop_rays, empty_board_attacks, rook_rays};
pub use slider::{SPAN, Slider};
