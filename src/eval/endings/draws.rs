//! Draws that the network takes for wins. `tests/search/endings.rs` checks them against the tables.

use super::{king_distance, pawn_bitbase};
use crate::{
    position::Board,
    types::{Bitboard, Color, File, PieceType, Rank, Square},
};

/// Returns true if pawns, with knights or with bishops of one color, do not win against a lone king.
pub(super) fn lone_king_holds(board: &Board, lone: Color) -> bool {
    let [pawns, knights, bishops] =
        [PieceType::Pawn, PieceType::Knight, PieceType::Bishop].map(|t| board.pieces(!lone, t));
    let pawn = pawns.lowest();
    if (knights | bishops).is_empty() && !pawns.more_than_one() {
        let [pawn, king, other] = [pawn, board.king(!lone), board.king(lone)].map(|square| square.relative_to(!lone));
        return !pawn_bitbase::wins(pawn, king, other, board.side_to_move() != lone);
    }
    let Some(file) = [File::A, File::H].into_iter().find(|file| pawns.without(file.bitboard()).is_empty()) else {
        return false;
    };
    let corner = Square::new(file, Rank::Eight.relative_to(!lone));
    let king = board.king(lone);
    if king_distance(king, corner) > 1 {
        return false;
    }
    if knights.is_empty() {
        return wrong_bishops(bishops, corner);
    }
    // A pawn on the seventh rank binds the knight, unless its king has come to it; and with the move, the king beside
    // the corner may go there, which the knight might attack.
    // CITE: Stockfish's endgame.cpp (KNPK); the conditions are our own.
    bishops.is_empty()
        && !(knights.more_than_one() || pawns.more_than_one())
        && pawn.rank() == Rank::Seven.relative_to(!lone)
        && king_distance(board.king(!lone), pawn) > 1
        && (king == corner || board.side_to_move() == lone)
}

/// Returns true if none of the bishops can attack the corner before the rook pawns: a king in it or beside it holds it.
/// From each of these squares it can go to the corner, which the other king cannot come next to meanwhile, and be
/// stalemated there.
// CITE: Stockfish's endgame.cpp (KBPsK, KPsK); the condition on the king is our own.
fn wrong_bishops(bishops: Bitboard, corner: Square) -> bool {
    let is_dark = Bitboard::DARK_SQUARES.contains(corner);
    !bishops.intersects(if is_dark { Bitboard::DARK_SQUARES } else { !Bitboard::DARK_SQUARES })
}

/// Returns true if a queen cannot win against a pawn on the seventh rank: on a rook's or bishop's file, its king beside
/// it, and the other king too far away. The queen has to let the pawn promote, or stalemates the king in the corner.
// CITE: Stockfish's endgame.cpp (KQKP); the distances are our own, the least that hold in all positions of the tables.
#[cold]
pub(super) fn pawn_holds_queen(board: &Board) -> bool {
    let (queens, pawns) = (board.of_type(PieceType::Queen), board.of_type(PieceType::Pawn));
    if queens.is_empty() || pawns.is_empty() {
        return false;
    }
    let side = if pawns.intersects(board.color(Color::White)) { Color::White } else { Color::Black };
    if queens.intersects(board.color(side)) {
        return false;
    }
    let (king, pawn) = (board.king(side), pawns.lowest());
    let corner = Square::new(if pawn.file() <= File::D { File::A } else { File::H }, Rank::Eight.relative_to(side));
    let edge_distance = |square: Square| king_distance(square, Square::new(corner.file(), square.rank()));
    let least = match (edge_distance(pawn), edge_distance(king)) {
        (0, 1) | (2, 2 | 3) => 6,
        (2, 1) => 4,
        _ => return false,
    };
    let distance = king_distance(board.king(!side), pawn) + i32::from(board.side_to_move() == side);
    pawn.rank() == Rank::Seven.relative_to(side)
        && king.rank().relative_to(side) >= Rank::Seven
        && king_distance(king, pawn) == 1
        && distance >= least
}
