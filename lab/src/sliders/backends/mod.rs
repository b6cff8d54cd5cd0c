//! The slider-attack systems of the literature, beside those of the engine.
//!
//! Each system is a *backend*: a small `Copy` value that implements [`Sliders`]. Holding one proves that the processor
//! can run it. [`Rays`], the engine's classical scan, is the oracle that all are checked against.

mod backend;
mod hyperbola;
#[cfg(test)]
mod literature_tests;
mod perfect_hash;
mod ray_loop;
mod sbamg;
mod soft_pext;
mod verify;

pub use backend::{Backend, Unavailable, UnknownBackend, WithSliders};
pub use hyperbola::Hyperbola;
pub use perfect_hash::{MinimalHash, PerfectHash, h1, h1_minimal, h2, h2_minimal};
pub use ray_loop::RayLoop;
pub use sbamg::Sbamg;
pub use soft_pext::{SoftPext, soft_pext};
pub use verify::{Mismatch, Verify};

#[cfg(target_arch = "x86_64")]
use sleight::attacks::Pext;
use sleight::{
    attacks::{Magic, Rays},
    types::{Bitboard, PieceType, Square},
};

/// A table that has the value of a `const` function for each square.
macro_rules! by_square {
    ($of:path) => {{
        let mut table = [const { $of(Square::A1) }; 64];
        let mut index = 1;
        while index < 64 {
            table[index] = $of(Square::from_low_bits(index));
            index += 1;
        }
        table
    }};
}

use by_square;

/// A slider-attack system: computes the attack sets of rooks, bishops and queens.
///
/// `occupied` may hold any squares, the slider's own included. The first occupied square of each ray belongs to the
/// attack set, whatever the color of its piece.
///
/// ```
/// # use sleight::{attacks::Rays, types::{Bitboard, Square}};
/// # use sleight_lab::sliders::Sliders;
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
pub trait Sliders: Copy {
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
}

impl Sliders for Rays {
    const NAME: &'static str = "rays";
    const TABLE_BYTES: usize = Rays::TABLE_BYTES;

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::rook_attacks(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::bishop_attacks(square, occupied)
    }
}

impl Sliders for Magic {
    const NAME: &'static str = "magic";
    const TABLE_BYTES: usize = Magic::TABLE_BYTES;

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::rook(self, square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::bishop(self, square, occupied)
    }
}

#[cfg(target_arch = "x86_64")]
impl Sliders for Pext {
    const NAME: &'static str = "pext";
    const TABLE_BYTES: usize = Pext::TABLE_BYTES;
    const NEEDS: &'static str = "BMI2";

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::rook(self, square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::bishop(self, square, occupied)
    }
}
