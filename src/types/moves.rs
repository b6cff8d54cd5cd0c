//! Moves in sixteen bits, and lists of them.

use std::{fmt, num::NonZeroU16};

use arrayvec::ArrayVec;

use super::{CastlingSide, PieceType, Square};

/// The legal moves of a position: at most 218 in any that a game can reach. Of armies that no game leads to, a search
/// by simulated annealing has found boards with up to 239 (`tests/board/legality.rs`). The generator adds none to a
/// full list.
pub type MoveList = ArrayVec<Move, 256>;

/// The kind of a move: its flags, as most engines call them.
///
/// Bit 2 says capture and bit 3 says promotion; zero is no kind, so that a [`Move`] is never zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// To an empty square, and none of the other kinds.
    Quiet = 1,
    /// A pawn's double push from its second rank.
    DoublePush = 2,
    /// Castling, encoded as the king's move to the square of its own rook in every variant.
    Castle = 3,
    /// Captures the piece on the target square.
    Capture = 4,
    /// A pawn captures one that has just passed it by a double push.
    EnPassant = 5,
    /// Promotion to a knight.
    PromoteKnight = 8,
    /// Promotion to a bishop.
    PromoteBishop = 9,
    /// Promotion to a rook.
    PromoteRook = 10,
    /// Promotion to a queen.
    PromoteQueen = 11,
    /// As [`Self::PromoteKnight`], with a capture.
    CapturePromoteKnight = 12,
    /// As [`Self::PromoteBishop`], with a capture.
    CapturePromoteBishop = 13,
    /// As [`Self::PromoteRook`], with a capture.
    CapturePromoteRook = 14,
    /// As [`Self::PromoteQueen`], with a capture.
    CapturePromoteQueen = 15,
}

impl MoveKind {
    /// The kind with these four bits; `None` for the three patterns that are no kind.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        Some(match bits {
            1 => Self::Quiet,
            2 => Self::DoublePush,
            3 => Self::Castle,
            4 => Self::Capture,
            5 => Self::EnPassant,
            8 => Self::PromoteKnight,
            9 => Self::PromoteBishop,
            10 => Self::PromoteRook,
            11 => Self::PromoteQueen,
            12 => Self::CapturePromoteKnight,
            13 => Self::CapturePromoteBishop,
            14 => Self::CapturePromoteRook,
            15 => Self::CapturePromoteQueen,
            _ => return None,
        })
    }

    /// The promotion to `piece_type`; a queen for what a pawn cannot become.
    pub const fn promotion(piece_type: PieceType, capture: bool) -> Self {
        match (piece_type, capture) {
            (PieceType::Knight, false) => Self::PromoteKnight,
            (PieceType::Bishop, false) => Self::PromoteBishop,
            (PieceType::Rook, false) => Self::PromoteRook,
            (_, false) => Self::PromoteQueen,
            (PieceType::Knight, true) => Self::CapturePromoteKnight,
            (PieceType::Bishop, true) => Self::CapturePromoteBishop,
            (PieceType::Rook, true) => Self::CapturePromoteRook,
            (_, true) => Self::CapturePromoteQueen,
        }
    }
}

/// A move in sixteen bits: from (0-5), to (6-11), kind (12-15). Never zero, so `Option<Move>` is two bytes as well.
///
/// ```
/// # use sleight::types::{Move, MoveKind, Square};
/// let mv = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
/// assert_eq!((mv.from(), mv.to()), (Square::E2, Square::E4));
/// assert_eq!(Move::from_bits(mv.bits()), Some(mv));
/// assert_eq!(size_of::<Option<Move>>(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move, unchecked against any board.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// The sixteen bits.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits; `None` if they encode no kind. Unchecked against any board.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match (MoveKind::from_bits(bits >> 12), NonZeroU16::new(bits)) {
            (Some(_), Some(bits)) => Some(Self(bits)),
            _ => None,
        }
    }

    /// The origin square.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.bits() as usize)
    }

    /// The target square; for castling, the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.bits() >> 6) as usize)
    }

    /// The kind of the move.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match MoveKind::from_bits(self.bits() >> 12) {
            Some(kind) => kind,
            None => unreachable!(),
        }
    }

    /// Origin and target in twelve bits, the index of butterfly tables.
    #[inline(always)]
    pub const fn from_to(self) -> usize {
        (self.bits() & 0xfff) as usize
    }

    /// Returns true for a capture, en passant included.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.bits() & 4 << 12 != 0
    }

    /// Returns true for a promotion, with or without a capture.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.bits() & 8 << 12 != 0
    }

    /// The piece type that a pawn promotes to.
    #[inline(always)]
    pub const fn promotion(self) -> Option<PieceType> {
        if !self.is_promotion() {
            return None;
        }
        PieceType::from_index(PieceType::Knight.index() + (self.bits() >> 12 & 3) as usize)
    }

    /// Returns true for a capture or a promotion to a queen: what quiescence search looks at.
    #[inline(always)]
    pub const fn is_noisy(self) -> bool {
        self.is_capture() || self.bits() >> 12 == MoveKind::PromoteQueen as u16
    }

    /// The opposite of [`Self::is_noisy`].
    #[inline(always)]
    pub const fn is_quiet(self) -> bool {
        !self.is_noisy()
    }

    /// Returns true for castling.
    #[inline(always)]
    pub const fn is_castle(self) -> bool {
        self.bits() >> 12 == MoveKind::Castle as u16
    }

    /// The side on which the move castles; `None` for any other move.
    #[inline(always)]
    pub const fn castling_side(self) -> Option<CastlingSide> {
        if self.is_castle() { Some(CastlingSide::of(self.from().file(), self.to().file())) } else { None }
    }

    /// Returns true for an en-passant capture.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.bits() >> 12 == MoveKind::EnPassant as u16
    }
}

/// From, to and promotion letter, castling as king takes rook: the Chess960 form of UCI, unambiguous everywhere.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(piece_type) => write!(f, "{}", piece_type.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self} {:?})", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_pattern_is_a_move_or_refused() {
        let mut moves = 0;
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(Move::new(mv.from(), mv.to(), mv.kind()), mv);
                assert_eq!(mv.promotion().is_some(), mv.is_promotion());
                moves += 1;
            }
        }
        assert_eq!(moves, 13 * 64 * 64);
    }

    #[test]
    fn promotions_name_their_piece() {
        for piece_type in [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen] {
            for capture in [false, true] {
                let mv = Move::new(Square::A7, Square::B8, MoveKind::promotion(piece_type, capture));
                assert_eq!((mv.promotion(), mv.is_capture()), (Some(piece_type), capture));
                assert_eq!(mv.is_noisy(), capture || piece_type == PieceType::Queen);
            }
        }
    }
}
