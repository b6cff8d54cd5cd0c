//! The rules as the `shakmaty` crate knows them.

use shakmaty::{CastlingMode, Chess, Position as _, PositionError, fen::Fen, uci::UciMove};
use sleight::position::Position;

/// The same position there. Checks that no game can give and odd armies are let pass: the rules apply to them too.
pub(crate) fn of(position: &Position) -> Chess {
    let fen: Fen = position.shredder_fen().parse().unwrap();
    fen.into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap_or_else(|error| panic!("{}: {error}", position.fen()))
}

/// Their moves in our notation, in alphabetical order.
pub(crate) fn moves(chess: &Chess) -> Vec<String> {
    let mut moves: Vec<_> =
        chess.legal_moves().iter().map(|&mv| UciMove::from_move(mv, CastlingMode::Chess960).to_string()).collect();
    moves.sort();
    moves
}
