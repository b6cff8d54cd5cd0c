//! The legality of a move from elsewhere: the transposition table, the user.

use crate::{
    attacks::{between, empty_board_attacks, line, pawn},
    position::{CheckersAndPins, Position},
    types::{Bitboard, Color, Move, MoveKind, PieceType, Rank, Square},
};

/// Returns true if the generator emits `mv`: exact for every bit pattern that makes a [`Move`].
pub fn is_legal(position: &Position, mv: Move) -> bool {
    let us = position.side_to_move();
    let Some(piece) = position.piece_at(mv.from()).filter(|piece| piece.color() == us) else { return false };
    match (mv.kind(), piece.piece_type()) {
        (MoveKind::Castle, PieceType::King) => is_legal_castling(position, mv),
        (MoveKind::EnPassant, PieceType::Pawn) => is_legal_en_passant(position, mv.from(), mv.to()),
        (MoveKind::Castle | MoveKind::EnPassant, _) => false,
        (_, piece_type) => {
            let captured = position.piece_at(mv.to());
            captured.is_some() == mv.is_capture()
                && captured.is_none_or(|captured| captured.color() != us)
                && reaches(position, piece_type, mv)
                && leaves_king_safe(position, piece_type, mv.from(), mv.to())
        }
    }
}

fn is_legal_castling(position: &Position, mv: Move) -> bool {
    let board = position.board();
    let us = board.side_to_move();
    let Some(castling_side) = mv.castling_side() else { return false };
    let (from, rook) = (mv.from(), mv.to());
    if position.in_check()
        || !board.has_clear_castling_path(us, castling_side)
        || board.castling().rook(us, castling_side) != rook
    {
        return false;
    }
    let king_to = castling_side.king_to(us);
    let crossed = between(from, king_to) | king_to.into();
    let occupied = board.occupied() ^ from.into();
    let danger: Bitboard =
        crossed.filter(|&square| !board.attackers_through(square, !us, occupied).is_empty()).collect();
    board.can_castle(us, castling_side, danger)
}

fn is_legal_en_passant(position: &Position, from: Square, to: Square) -> bool {
    let board = position.board();
    board.en_passant() == Some(to)
        && pawn(board.side_to_move(), from).contains(to)
        && board.en_passant_is_legal(from, to)
}

/// Returns true if the piece moves like that, with no piece in between.
fn reaches(position: &Position, piece_type: PieceType, mv: Move) -> bool {
    let (from, to) = (mv.from(), mv.to());
    if piece_type == PieceType::Pawn {
        return pawn_reaches(position, mv);
    }
    if !matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture) {
        return false;
    }
    empty_board_attacks(piece_type, from).contains(to) && !between(from, to).intersects(position.board().occupied())
}

fn pawn_reaches(position: &Position, mv: Move) -> bool {
    let us = position.side_to_move();
    let (from, to) = (mv.from(), mv.to());
    let promotes = to.rank() == Rank::Eight.relative_to(us);
    if promotes != mv.is_promotion() {
        return false;
    }
    if mv.is_capture() {
        return pawn(us, from).contains(to);
    }
    let up = if us == Color::White { 1 } else { -1 };
    if mv.kind() == MoveKind::DoublePush {
        let free = |square: Option<Square>| square.is_some_and(|square| position.piece_at(square).is_none());
        return from.rank() == Rank::Two.relative_to(us)
            && from.offset(0, 2 * up) == Some(to)
            && free(from.offset(0, up));
    }
    from.offset(0, up) == Some(to)
}

fn leaves_king_safe(position: &Position, piece_type: PieceType, from: Square, to: Square) -> bool {
    let board = position.board();
    let us = board.side_to_move();
    if piece_type == PieceType::King {
        return board.attackers_through(to, !us, board.occupied() ^ from.into()).is_empty();
    }
    let &CheckersAndPins { checkers, pinned } = position.checkers_and_pins();
    let king = board.king(us);
    if checkers.more_than_one() || pinned.contains(from) && !line(king, from).contains(to) {
        return false;
    }
    checkers.is_empty() || (between(king, checkers.lowest()) | checkers).contains(to)
}
