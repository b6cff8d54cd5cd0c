//! The rules of chess in the `shakmaty` crate.

use shakmaty::{CastlingMode, Chess, Position as _, PositionError, fen::Fen, uci::UciMove};
use sleight::position::Position;

/// The same position in `shakmaty`. Impossible checks and too many pieces are accepted, since the rules apply to them
/// too.
pub(crate) fn of(position: &Position) -> Chess {
    let fen: Fen = position.shredder_fen().parse().unwrap();
    fen.into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap_or_else(|error| panic!("{}: {error}", position.fen()))
}

/// The legal moves in Chess960 UCI notation, sorted.
pub(crate) fn moves(chess: &Chess) -> Vec<String> {
    let mut moves: Vec<_> =
        chess.legal_moves().iter().map(|&mv| UciMove::from_move(mv, CastlingMode::Chess960).to_string()).collect();
    moves.sort();
    moves
}
