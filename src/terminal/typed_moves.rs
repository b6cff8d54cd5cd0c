//! Moves as a person writes and reads them.

use std::cmp::Reverse;

use crate::{
    game::GameError,
    movegen::legal_moves,
    notation::{San, UciMove, san},
    position::Position,
    types::Move,
    util::excerpt,
};

/// Why a move is not played or taken back.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum MoveError {
    #[error("`{0}` is not a move")]
    Syntax(String),
    #[error("`{0}` is not legal: the game is over")]
    Over(String),
    #[error("`{text}` is not legal here; try `{similar}`")]
    Illegal { text: String, similar: String },
    #[error("`{text}` is ambiguous: {}", .moves.join(" or "))]
    Ambiguous { text: String, moves: Vec<String> },
    #[error("write `undo` or `undo 2`")]
    UndoCount,
    #[error(transparent)]
    Undo(#[from] GameError),
}

/// The legal move that `text` names in SAN or as in UCI.
///
/// # Errors
/// When it names no legal move, or more than one.
pub(super) fn find(position: &Position, text: &str) -> Result<Move, MoveError> {
    let uci = text.parse::<UciMove>();
    let found: Vec<Move> = match (&uci, text.parse::<San>()) {
        (Ok(mv), _) => mv.find(position).into_iter().collect(),
        (_, Ok(mv)) => mv.find(position).into_iter().collect(),
        _ => return Err(MoveError::Syntax(excerpt(text))),
    };
    let spelled = |mv| if uci.is_ok() { UciMove::new(mv, false).to_string() } else { san(position, mv) };
    let common = |mv: &String| mv.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
    let text_shown = excerpt(text);
    match found[..] {
        [mv] => Ok(mv),
        [] => match legal_moves(position).into_iter().map(spelled).min_by_key(|mv| Reverse(common(mv))) {
            Some(similar) => Err(MoveError::Illegal { text: text_shown, similar }),
            None => Err(MoveError::Over(text_shown)),
        },
        _ => Err(MoveError::Ambiguous { text: text_shown, moves: found.into_iter().map(spelled).collect() }),
    }
}

/// The number of moves that `undo` takes back, given the words after it.
pub(super) fn undo_count(words: &[&str]) -> Result<usize, MoveError> {
    match words {
        [] => Some(1),
        [count] => count.parse().ok(),
        _ => None,
    }
    .filter(|&count| count > 0)
    .ok_or(MoveError::UndoCount)
}

#[cfg(test)]
pub(super) fn after(moves: &[&str]) -> crate::game::Game {
    let mut game = crate::game::Game::default();
    moves.iter().for_each(|mv| game.play(find(game.position(), mv).unwrap()));
    game
}
