//! Static exchange evaluation (SEE): the material gained by a series of captures on one square.
// CITE: chessprogramming.org/SEE_-_The_Swap_Algorithm - the swap algorithm; here as a test against a threshold, which
// Stockfish calls `see_ge`.

use super::{Position, board::en_passant_victim, pins::attackers_and_blockers};
use crate::{
    attacks::{bishop, bishop_rays, king, knight, pawn, rook, rook_rays},
    params::see_values,
    types::{Bitboard, Color, Move, MoveKind, PieceType, Square},
};

/// The SEE value of a piece type, in units of [`see_values`].
#[inline(always)]
fn value(piece_type: PieceType) -> i32 {
    see_values()[piece_type.index()]
}

impl Position {
    /// Returns true if the exchange begun by `mv` gains at least `threshold`, in units of a hundredth of a pawn, when
    /// both sides capture with their least valuable attacker, and stop when that is better. Pinned pieces do not take
    /// part while the pinner is there.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let (from, to) = (mv.from(), mv.to());
        let mut balance = self.first_gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        let next_victim =
            mv.promotion().or(self.piece_at(from).map(|piece| piece.piece_type())).unwrap_or(PieceType::Pawn);
        balance = value(next_victim) - balance;
        if balance <= 0 {
            return true;
        }
        let mut occupied = (self.board().occupied() ^ from.into()) | to.into();
        if mv.kind() == MoveKind::EnPassant {
            occupied ^= en_passant_victim(from, to).into();
        }
        self.swap(to, occupied, balance)
    }

    /// The material gained by the first move alone.
    fn first_gain(&self, mv: Move) -> i32 {
        let captured = match mv.kind() {
            MoveKind::EnPassant => value(PieceType::Pawn),
            _ => self.piece_at(mv.to()).map_or(0, |piece| value(piece.piece_type())),
        };
        captured + mv.promotion().map_or(0, |piece_type| value(piece_type) - value(PieceType::Pawn))
    }

    /// Plays out the recaptures on `to` (the swap algorithm). `balance` is the material that the side to recapture must
    /// win back; returns true if it cannot.
    fn swap(&self, to: Square, mut occupied: Bitboard, mut balance: i32) -> bool {
        let board = self.board();
        let orthogonal = board.of_type(PieceType::Rook) | board.of_type(PieceType::Queen);
        let diagonal = board.of_type(PieceType::Bishop) | board.of_type(PieceType::Queen);
        let mut attackers = pawn(Color::White, to) & board.pieces(Color::Black, PieceType::Pawn)
            | pawn(Color::Black, to) & board.pieces(Color::White, PieceType::Pawn)
            | knight(to) & board.of_type(PieceType::Knight)
            | king(to) & board.of_type(PieceType::King)
            | rook(to, occupied) & orthogonal
            | bishop(to, occupied) & diagonal;
        let mut side = self.side_to_move();
        let mut winning = true;
        loop {
            side = !side;
            attackers &= occupied;
            let mut ours = attackers & board.color(side);
            if ours.is_empty() {
                break;
            }
            ours = ours.without(self.pinned_in(side, ours, occupied, to));
            let Some(piece_type) =
                PieceType::ALL.into_iter().find(|&piece_type| ours.intersects(board.of_type(piece_type)))
            else {
                break;
            };
            winning = !winning;
            if piece_type == PieceType::King {
                // The king captures last, and only an undefended piece.
                return if attackers.intersects(board.color(!side)) { !winning } else { winning };
            }
            balance = value(piece_type) - balance;
            if balance < i32::from(winning) {
                break;
            }
            occupied ^= (ours & board.of_type(piece_type)).lowest().into();
            if matches!(piece_type, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= bishop(to, occupied) & diagonal;
            }
            if matches!(piece_type, PieceType::Rook | PieceType::Queen) {
                attackers |= rook(to, occupied) & orthogonal;
            }
        }
        winning
    }

    /// Those of `ours`, the pieces of `side` that attack `to`, that are pinned to their king by a slider still on the
    /// board. The piece on `to` is about to be captured and pins none.
    #[inline(always)]
    fn pinned_in(&self, side: Color, ours: Bitboard, occupied: Bitboard, to: Square) -> Bitboard {
        let king = self.board().king(side);
        // Most attackers stand on no line with their king.
        if !ours.intersects(rook_rays(king) | bishop_rays(king)) {
            return Bitboard::EMPTY;
        }
        let snipers = (self.board().snipers(king, !side) & occupied).without(to.into());
        let (_, blockers) = attackers_and_blockers(king, snipers, occupied);
        blockers & ours
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gains(fen: &str, from: Square, to: Square, kind: MoveKind) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let mv = Move::new(from, to, kind);
        (-2000..=2000).rev().find(|&t| position.see_ge(mv, t)).unwrap()
    }

    #[test]
    fn exchanges_are_played_out() {
        let (rook, knight, pawn) = (value(PieceType::Rook), value(PieceType::Knight), value(PieceType::Pawn));
        // A free pawn; a defended pawn taken by a rook; a longer exchange behind an x-ray.
        assert_eq!(gains("4k3/8/8/4p3/8/8/8/4R1K1 w - -", Square::E1, Square::E5, MoveKind::Capture), pawn);
        assert_eq!(gains("4k3/8/3p4/4p3/8/8/8/4R1K1 w - -", Square::E1, Square::E5, MoveKind::Capture), pawn - rook);
        assert_eq!(
            gains("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -", Square::D3, Square::E5, MoveKind::Capture),
            pawn - knight
        );
    }

    #[test]
    fn promotions_and_en_passant_count() {
        let (queen, pawn) = (value(PieceType::Queen), value(PieceType::Pawn));
        let free = gains("8/P6k/8/8/8/8/8/K7 w - -", Square::A7, Square::A8, MoveKind::PromoteQueen);
        assert_eq!(free, queen - pawn);
        let guarded = gains("1r5k/P7/8/8/8/8/8/K7 w - -", Square::A7, Square::A8, MoveKind::PromoteQueen);
        assert_eq!(guarded, -pawn);
        let passing = gains("4k3/8/8/3pP3/8/8/8/4K3 w - d6", Square::E5, Square::D6, MoveKind::EnPassant);
        assert_eq!(passing, pawn);
    }

    #[test]
    fn pinned_pieces_do_not_recapture_and_kings_do_not_walk_into_check() {
        // The knight on d7 is pinned by the rook: it does not defend e5.
        let pinned = gains("3k4/3n4/8/4p3/8/8/3R4/4R1K1 w - -", Square::E1, Square::E5, MoveKind::Capture);
        assert_eq!(pinned, value(PieceType::Pawn));
        // The king cannot take the rook that a second one defends.
        let covered = gains("4k3/4p3/8/8/8/8/4R3/4R1K1 w - -", Square::E2, Square::E7, MoveKind::Capture);
        assert_eq!(covered, value(PieceType::Pawn));
    }
}
