//! Checking moves, recognized without making them.

use super::{Position, pins::attackers_and_blockers};
use crate::{
    attacks::{bishop, knight, line, pawn, rook},
    types::{Bitboard, Move, PieceType, Square},
};

/// The squares from which each piece type checks the king of the side not to move, and our pieces whose moves give
/// discovered check. Computed once for all moves of a node.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    king: Square,
    direct: [Bitboard; PieceType::COUNT],
    discovered_check_candidates: Bitboard,
}

impl CheckSquares {
    /// The squares from which a piece of this type gives direct check.
    #[inline(always)]
    pub fn direct(&self, piece_type: PieceType) -> Bitboard {
        self.direct[piece_type.index()]
    }

    /// Our pieces whose moves may give discovered check.
    #[inline(always)]
    pub fn discovered_check_candidates(&self) -> Bitboard {
        self.discovered_check_candidates
    }

    /// The squares to which a piece on `from` gives discovered check.
    #[inline(always)]
    pub fn discovered(&self, from: Square) -> Bitboard {
        if self.discovered_check_candidates.contains(from) { !line(self.king, from) } else { Bitboard::EMPTY }
    }
}

impl Position {
    /// The check squares of the position.
    #[inline]
    pub fn check_squares(&self) -> CheckSquares {
        let board = self.board();
        let us = board.side_to_move();
        let king = board.king(!us);
        let occupied = board.occupied();
        let (diagonal, orthogonal) = (bishop(king, occupied), rook(king, occupied));
        let (_, blockers) = attackers_and_blockers(king, board.snipers(king, us), occupied);
        let direct = [pawn(!us, king), knight(king), diagonal, orthogonal, diagonal | orthogonal, Bitboard::EMPTY];
        CheckSquares { king, direct, discovered_check_candidates: blockers & board.color(us) }
    }

    /// Returns true if a legal move gives check. `squares` are those of this position.
    #[inline]
    pub fn gives_check(&self, squares: &CheckSquares, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() || mv.is_en_passant() || mv.is_promotion() {
            return self.gives_unusual_check(squares, mv);
        }
        let Some(piece) = self.piece_at(from) else { return false };
        (squares.direct(piece.piece_type()) | squares.discovered(from)).contains(to)
    }

    /// Castling, en passant and promotions, which are played on a copy of the board.
    #[cold]
    fn gives_unusual_check(&self, squares: &CheckSquares, mv: Move) -> bool {
        if let Some(side) = mv.castling_side() {
            // Only the rook gives check, on its file, or a slider of the back rank, past squares that become empty.
            let (rook, king) = (side.rook_to(self.side_to_move()), squares.king);
            if rook.file() != king.file() && rook.rank() != king.rank() {
                return false;
            }
        }
        let (us, after) = (self.side_to_move(), self.board().after(mv));
        !after.attackers(squares.king, us).is_empty()
    }
}
