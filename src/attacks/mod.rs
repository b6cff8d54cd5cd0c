//! Who attacks what: leapers, the geometry of lines, and every slider-attack system of the literature.
//!
//! Each slider system is a *backend*: a small `Copy` value behind [`Sliders`], so that holding one proves that its
//! tables are ready. [`Rays`] is the obvious one, the source of all tables, and what all others are checked against.

mod backend;
mod denser_magics;
#[cfg(test)]
mod facts;
#[cfg(target_arch = "x86_64")]
mod fill;
mod geometry;
mod hyperbola;
mod leapers;
mod lines;
mod magic;
mod magic_finder;
mod magic_numbers;
mod perfect_hash;
mod pext;
mod rays;
mod sbamg;
mod slider;
mod verify;
mod walk;

pub use backend::{Backend, Unavailable, UnknownBackend, WithSliders};
pub use denser_magics::find as find_denser_magic;
pub use geometry::{between, bishop_rays, line, rook_rays};
pub use hyperbola::Hyperbola;
pub use leapers::{king, knight, pawn};
pub use lines::Line;
pub use magic::Magic;
pub use magic_finder::{Found, MAX_ATTEMPTS, MagicNumbers, NotFound, find as find_magic};
pub use perfect_hash::{MinimalHash, PerfectHash, h1, h1_minimal, h2, h2_minimal};
pub use pext::{Pext, SoftPext, soft_pext};
pub use rays::Rays;
pub use sbamg::Sbamg;
pub use slider::Slider;
pub use verify::{Mismatch, Verify};
pub use walk::Walk;

use crate::types::{Bitboard, PieceType, Square};

/// A way to find what a rook, bishop or queen attacks.
///
/// `occupied` may hold any squares, the slider's own too; the first occupied square of each ray belongs to the
/// attacked set, whoever stands there.
///
/// ```
/// # use sleight::{attacks::{Rays, Sliders}, types::{Bitboard, Square}};
/// let occupied = Bitboard::from_diagram(
///     ". . . X . . . .
///      . . . . . . . .
///      . . . X . . . .
///      . . . . . . . .
///      . X . . . . X X
///      . . . . . . . .
///      . . . X . . . .
///      . . . . . . . .",
/// );
/// let attacked = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . X . . . .
///      . . . X . . . .
///      . X X . X X X .
///      . . . X . . . .
///      . . . X . . . .
///      . . . . . . . .",
/// );
/// assert_eq!(Rays.rook(Square::D4, occupied), attacked);
/// ```
pub trait Sliders: Copy + Send + Sync + 'static {
    /// The name that `--sliders` and the tables use.
    const NAME: &'static str;
    /// Bytes of the tables that lookups read.
    const TABLE_BYTES: usize;
    /// What a lookup asks of the processor.
    const NEEDS: &'static str = "any";

    /// What a rook on `square` attacks.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// What a bishop on `square` attacks.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// What a queen on `square` attacks.
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }

    /// What a bishop or rook on `square` attacks, or else a queen.
    #[inline(always)]
    fn of_kind(self, kind: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
        match kind {
            PieceType::Bishop => self.bishop(square, occupied),
            PieceType::Rook => self.rook(square, occupied),
            _ => self.queen(square, occupied),
        }
    }

    /// What at least one of several sliders attacks: along ranks and files from `orthogonal`, along diagonals from
    /// `diagonal`. A queen is in both.
    #[inline(always)]
    fn attacked(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
        slider::attacked_by_each(self, orthogonal, diagonal, occupied)
    }

    /// The number of moves that several sliders have to `targets`. All of them must be among the occupied squares.
    #[inline(always)]
    fn count(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard, targets: Bitboard) -> usize {
        slider::count_of_each(self, orthogonal, diagonal, occupied, targets)
    }
}
