//! What makes a move legal or not, gathered once per node.

use super::Board;
use crate::{
    attacks::{between, bishop_rays, knight, pawn, rook_rays},
    types::{Bitboard, Color, PieceType},
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
        let mut checkers =
            pawn(us, king) & board.pieces(them, PieceType::Pawn) | knight(king) & board.pieces(them, PieceType::Knight);
        let mut pinned = Bitboard::EMPTY;
        let snipers =
            rook_rays(king) & board.orthogonal_sliders(them) | bishop_rays(king) & board.diagonal_sliders(them);
        for sniper in snipers {
            let shield = between(king, sniper) & occupied;
            if shield.is_empty() {
                checkers |= sniper.into();
            } else if !shield.has_many() {
                pinned |= shield & board.color(us);
            }
        }
        Self { checkers, pinned }
    }
}
