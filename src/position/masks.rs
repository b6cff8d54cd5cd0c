//! What makes a move legal or not, gathered once per node.

use super::Board;
use crate::{
    attacks::{between, knight, pawn},
    types::{Bitboard, Color, PieceType, Square},
};

/// The checkers and pinned men of the side to move, found by geometry alone.
///
/// A slider that would attack the king on an empty board is a *sniper*: with nobody between it gives check, with
/// exactly one man between, that man is pinned if it is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Masks {
    /// The enemy men that give check.
    pub checkers: Bitboard,
    /// Our men that may only move along the line to their king.
    pub pinned: Bitboard,
}

impl Masks {
    /// The masks of a board.
    #[inline]
    pub fn of(board: &Board) -> Self {
        Self::of_side(board, board.side_to_move())
    }

    /// [`Self::of`] for one who knows which side is to move.
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
        } else if !shield.has_many() {
            blockers |= shield;
        }
    }
    (attackers, blockers)
}
