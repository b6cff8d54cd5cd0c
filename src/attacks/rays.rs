//! The classical ray scan: per direction, the ray to the board's edge, cut behind its first blocker.
//!
//! A forward bit scan finds the first blocker of a positive ray, a backward scan that of a negative one. The squares
//! behind a blocker are the blocker's own ray in the same direction; the attack set is the empty-board rays without
//! them.
//!
//! This is the oracle: simple, `const`, and the source of all lookup tables.
// CITE: chessprogramming.org/Classical_Approach; parts 4 to 6 of a series on an engine in C#.

use super::{Axis, king, knight};
use crate::types::{Bitboard, PieceType, Square};

/// The rays of a rook or bishop by square: two lines, each with a positive and a negative direction.
///
/// A bit scan of an empty set gives 64, so each array has an empty ray at that index: no blocker needs no branch.
/// Negative rays are stored from h8 down, in the order of `leading_zeros`.
struct SliderRays {
    empty_board: [Bitboard; 64],
    positive: [[Bitboard; 65]; 2],
    negative: [[Bitboard; 65]; 2],
}

static ROOK: SliderRays = SliderRays::new([Axis::File, Axis::Rank]);
static BISHOP: SliderRays = SliderRays::new([Axis::NorthEast, Axis::NorthWest]);

impl SliderRays {
    const fn new(lines: [Axis; 2]) -> Self {
        const EMPTY: [[Bitboard; 65]; 2] = [[Bitboard::EMPTY; 65]; 2];
        let mut rays = Self { empty_board: [Bitboard::EMPTY; 64], positive: EMPTY, negative: EMPTY };
        let mut index = 0;
        while index < 2 * 64 {
            let (line, square) = (index / 64, Square::from_low_bits(index));
            rays.positive[line][square.index()] = lines[line].above(square);
            rays.negative[line][63 - square.index()] = lines[line].below(square);
            rays.empty_board[square.index()].0 |= lines[line].around(square).0;
            index += 1;
        }
        rays
    }

    #[inline(always)]
    const fn scan(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let mut behind = 0;
        let mut line = 0;
        while line < 2 {
            let above = self.positive[line][square.index()].0 & occupied.0;
            let below = self.negative[line][63 - square.index()].0 & occupied.0;
            behind |= self.positive[line][above.trailing_zeros() as usize].0;
            behind |= self.negative[line][below.leading_zeros() as usize].0;
            line += 1;
        }
        Bitboard(self.empty_board[square.index()].0 ^ behind)
    }
}

/// The attack set of a rook on an empty board.
#[inline(always)]
pub const fn rook_rays(square: Square) -> Bitboard {
    ROOK.empty_board[square.index()]
}

/// The attack set of a bishop on an empty board.
#[inline(always)]
pub const fn bishop_rays(square: Square) -> Bitboard {
    BISHOP.empty_board[square.index()]
}

/// The squares that a piece other than a pawn attacks on an empty board; none for a pawn.
#[inline(always)]
pub const fn empty_board_attacks(piece_type: PieceType, square: Square) -> Bitboard {
    match piece_type {
        PieceType::Pawn => Bitboard::EMPTY,
        PieceType::Knight => knight(square),
        PieceType::Bishop => bishop_rays(square),
        PieceType::Rook => rook_rays(square),
        PieceType::Queen => Bitboard(rook_rays(square).0 | bishop_rays(square).0),
        PieceType::King => king(square),
    }
}

/// The classical ray scan.
///
/// The rook's empty-board rays without the squares behind the blockers on d6 and g3:
///
/// ```
/// # use sleight::{attacks::Rays, types::{Bitboard, Square}};
/// let occupied = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . X . . . .
///      . . . . . . . .
///      . . . . . . . .
///      . . . . . . X .
///      . . . . . . . .
///      . . . . . . . .",
/// );
/// let attacked = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . X . . . .
///      . . . X . . . .
///      . . . X . . . .
///      X X X . X X X .
///      . . . X . . . .
///      . . . X . . . .",
/// );
/// assert_eq!(Rays::rook_attacks(Square::D3, occupied), attacked);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rays;

impl Rays {
    /// Size in bytes of the lookup tables.
    pub const TABLE_BYTES: usize = size_of_val(&ROOK) + size_of_val(&BISHOP);

    /// The attack set of a rook on `square`, at compile time too.
    #[inline(always)]
    pub const fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        ROOK.scan(square, occupied)
    }

    /// The attack set of a bishop on `square`, at compile time too.
    #[inline(always)]
    pub const fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        BISHOP.scan(square, occupied)
    }
}
