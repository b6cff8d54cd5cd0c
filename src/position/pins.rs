//! Checkers and pins, computed once per node.

use super::Board;
use crate::{
    attacks::{between, knight, pawn},
    types::{Bitboard, Color, PieceType, Square},
};

/// The checkers and pinned pieces of the side to move, found by geometry alone.
///
/// An enemy slider that would attack the king on an empty board is a *sniper*: it gives check if no piece stands
/// between, and pins the only piece between if that is ours.
// CITE: cozy-chess - checkers and pins from the rays of the empty board, without slider lookups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckersAndPins {
    /// The enemy pieces that give check.
    pub checkers: Bitboard,
    /// Our pieces that may only move along the line through their king.
    pub pinned: Bitboard,
}

impl CheckersAndPins {
    /// The checkers and pinned pieces of a board.
    #[inline]
    pub fn of(board: &Board) -> Self {
        Self::of_side(board, board.side_to_move())
    }

    /// [`Self::of`] for a side to move that is known at compile time.
    #[inline(always)]
    pub fn of_side(board: &Board, us: Color) -> Self {
        let them = !us;
        let king = board.king(us);
        let occupied = board.occupied();
        let (sliders, blockers) = attackers_and_blockers(king, board.snipers(king, them), occupied);
        let leapers =
            pawn(us, king) & board.pieces(them, PieceType::Pawn) | knight(king) & board.pieces(them, PieceType::Knight);
        Self { checkers: leapers | sliders, pinned: blockers & board.color(us) }
    }
}

/// Those of the `snipers` that attack `target`, and the pieces of either color that are the only one between `target`
/// and a sniper: pinned if they belong to the target's side, the origins of discovered attacks otherwise.
#[inline(always)]
pub(super) fn attackers_and_blockers(target: Square, snipers: Bitboard, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let (mut attackers, mut blockers) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for sniper in snipers {
        let shield = between(target, sniper) & occupied;
        if shield.is_empty() {
            attackers |= sniper.into();
        } else if !shield.more_than_one() {
            blockers |= shield;
        }
    }
    (attackers, blockers)
}
