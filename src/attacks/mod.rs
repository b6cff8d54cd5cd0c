//! Attack sets: leapers, the geometry of lines, and the slider-attack systems of the literature.
//!
//! Each slider system is a *backend*: a small `Copy` value that implements [`Sliders`]. Holding one proves that its
//! lookup tables are ready and that the processor can run it. [`Rays`], the classical scan, is the source of all lookup
//! tables and the oracle that the other backends are checked against.

mod axis;
mod backend;
mod between;
mod hyperbola;
#[cfg(target_arch = "x86_64")]
mod kogge_stone;
mod leapers;
#[cfg(test)]
mod literature_tests;
mod magic;
mod magic_numbers;
mod perfect_hash;
mod pext;
mod ray_loop;
mod rays;
mod sbamg;
mod slider;
mod verify;

pub use axis::Axis;
pub use backend::{Backend, Unavailable, UnknownBackend, WithSliders};
pub use between::{between, line};
pub use hyperbola::Hyperbola;
pub use leapers::{king, knight, pawn};
pub use magic::{Magic, MagicNumbers};
pub use perfect_hash::{MinimalHash, PerfectHash, h1, h1_minimal, h2, h2_minimal};
pub use pext::{Pext, SoftPext, soft_pext};
pub use ray_loop::RayLoop;
pub use rays::{Rays, bishop_rays, empty_board_attacks, rook_rays};
pub use sbamg::Sbamg;
pub use slider::Slider;
pub use verify::{Mismatch, Verify};

use crate::types::{Bitboard, PieceType, Square};

/// A slider-attack system: computes the attack sets of rooks, bishops and queens.
///
/// `occupied` may hold any squares, the slider's own included. The first occupied square of each ray belongs to the
/// attack set, whatever the color of its piece.
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
    /// The name on the command line and in reports.
    const NAME: &'static str;
    /// Size in bytes of the lookup tables.
    const TABLE_BYTES: usize;
    /// The instruction set extension that lookups need, or `any`.
    const NEEDS: &'static str = "any";

    /// The attack set of a rook on `square`.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The attack set of a bishop on `square`.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The attack set of a queen on `square`.
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }

    /// The attack set of a bishop or rook on `square`; for any other piece type, that of a queen.
    #[inline(always)]
    fn of_type(self, piece_type: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
        match piece_type {
            PieceType::Bishop => self.bishop(square, occupied),
            PieceType::Rook => self.rook(square, occupied),
            _ => self.queen(square, occupied),
        }
    }

    /// The union of the attack sets of several sliders: along ranks and files from `orthogonal`, along diagonals from
    /// `diagonal`. Queens are in both.
    #[inline(always)]
    fn attacked(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
        slider::attacked_by_each(self, orthogonal, diagonal, occupied)
    }

    /// The number of pseudo-legal moves of several sliders to `targets`. All sliders must be in `occupied`.
    #[inline(always)]
    fn count(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard, targets: Bitboard) -> usize {
        slider::count_of_each(self, orthogonal, diagonal, occupied, targets)
    }
}
