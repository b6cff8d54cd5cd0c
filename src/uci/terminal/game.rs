//! The game on the board, as the person at the terminal sees it.

use crate::{
    engine::{self, GameError, Setup},
    movegen::legal_moves,
    notation::{San, UciMove, san},
    position::{FenRepair, Position},
    types::{Color, Move},
    util::excerpt,
};

/// A beginning, the moves since, and what they led to.
#[derive(Clone, Debug)]
pub(super) struct Game {
    setup: Setup,
    position: Position,
    /// The last move, with its number as score sheets have it.
    last: Option<(Move, String)>,
}

/// Why a text is not played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Unplayable {
    #[error("`{0}` is no move")]
    NoMove(String),
    #[error("`{0}` is not possible, for the game is over")]
    Over(String),
    #[error("`{text}` is not possible here; try `{nearest}`")]
    Illegal { text: String, nearest: String },
    #[error("`{text}` can be {}", .moves.iter().map(|mv| format!("`{mv}`")).collect::<Vec<_>>().join(" or "))]
    Ambiguous { text: String, moves: Vec<String> },
}

impl Game {
    /// The standard beginning.
    pub(super) fn new() -> Self {
        Self { setup: Setup::default(), position: Position::startpos(), last: None }
    }

    /// The game that `position` describes, and what had to be mended in it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub(super) fn of(setup: Setup) -> Result<(Self, Vec<FenRepair>), GameError> {
        let (position, repairs) = engine::set_up(&setup)?;
        let mut before = setup.clone();
        let last = match before.moves.pop() {
            None => None,
            Some(mv) => {
                let (before, _) = engine::set_up(&before)?;
                mv.find(&before).map(|mv| (mv, numbered(&before, &[mv]).join(" ")))
            }
        };
        Ok((Self { setup, position, last }, repairs))
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    pub(super) fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(super) fn last(&self) -> Option<&(Move, String)> {
        self.last.as_ref()
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        self.last = Some((mv, numbered(&self.position, &[mv]).join(" ")));
        self.setup.moves.push(UciMove::new(mv, true));
        self.position.play(mv);
    }

    /// Plays the move that `text` means, in either notation.
    ///
    /// # Errors
    /// When it means none, or more than one.
    pub(super) fn play_text(&mut self, text: &str) -> Result<(), Unplayable> {
        let mv = self.find(text)?;
        self.play(mv);
        Ok(())
    }

    fn find(&self, text: &str) -> Result<Move, Unplayable> {
        let position = &self.position;
        let (uci, people) = (text.parse::<UciMove>(), text.parse::<San>());
        let shown = excerpt(text);
        let found: Vec<Move> = match (uci, people) {
            (Ok(mv), _) => mv.find(position).into_iter().collect(),
            (_, Ok(mv)) => mv.find(position).into_iter().collect(),
            _ => return Err(Unplayable::NoMove(shown)),
        };
        let spelled = |mv| if uci.is_ok() { UciMove::new(mv, false).to_string() } else { san(position, mv) };
        match found[..] {
            [mv] => Ok(mv),
            [] => {
                let legal: Vec<String> = legal_moves(position).into_iter().map(spelled).collect();
                let likeness = |mv: &String| strsim::damerau_levenshtein(text, mv);
                match legal.into_iter().min_by_key(likeness) {
                    Some(nearest) => Err(Unplayable::Illegal { text: shown, nearest }),
                    None => Err(Unplayable::Over(shown)),
                }
            }
            _ => Err(Unplayable::Ambiguous { text: shown, moves: found.into_iter().map(spelled).collect() }),
        }
    }

    /// Takes back up to so many moves, and says how many it were.
    pub(super) fn undo(&mut self, moves: usize) -> usize {
        let taken = moves.min(self.setup.moves.len());
        let mut setup = self.setup.clone();
        setup.moves.truncate(setup.moves.len() - taken);
        match Self::of(setup) {
            Ok((game, _)) => *self = game,
            Err(error) => log::error!("the beginning of a game is none: {error}"),
        }
        taken
    }

    /// The colors change sides; the moves before are forgotten.
    pub(super) fn flip(&mut self) {
        let position = engine::flipped(&self.position);
        let setup = Setup { fen: Some(position.shredder_fen()), moves: Vec::new() };
        *self = Self { setup, position, last: None };
    }

    /// The legal moves as people write them.
    pub(super) fn moves(&self) -> Vec<String> {
        let mut moves: Vec<String> =
            legal_moves(&self.position).into_iter().map(|mv| san(&self.position, mv)).collect();
        moves.sort();
        moves
    }

    /// How the game ended, if it is over.
    pub(super) fn end(&self) -> Option<&'static str> {
        let position = &self.position;
        let stuck = legal_moves(position).is_empty();
        match (stuck, position.in_check(), position.side_to_move()) {
            (true, true, Color::White) => Some("Checkmate: Black has won."),
            (true, true, Color::Black) => Some("Checkmate: White has won."),
            (true, false, _) => Some("Stalemate: a draw."),
            _ if position.is_insufficient_material() => Some("A draw: nobody can give mate."),
            _ if position.is_repetition(0) => Some("A draw: the same position for the third time."),
            _ if position.is_fifty_move_draw() => Some("A draw: fifty moves without a capture or a pawn move."),
            _ => None,
        }
    }
}

/// A line of legal moves as score sheets have it: `1. e4`, `e5`, `2. Nf3`, or `1... e5` at its beginning.
pub(super) fn numbered(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::with_capacity(line.len());
    for (at, &mv) in line.iter().enumerate() {
        let number = position.fullmove_number();
        let text = san(&position, mv);
        texts.push(match position.side_to_move() {
            Color::White => format!("{number}. {text}"),
            Color::Black if at == 0 => format!("{number}... {text}"),
            Color::Black => text,
        });
        position.play(mv);
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &[&str]) -> Game {
        let mut game = Game::new();
        moves.iter().for_each(|mv| game.play_text(mv).unwrap());
        game
    }

    #[test]
    fn moves_are_played_in_either_notation_and_taken_back() {
        let mut game = after(&["e4", "e7e5", "Nf3"]);
        assert_eq!(game.last().unwrap().1, "2. Nf3");
        assert_eq!(game.undo(1), 1);
        assert_eq!(game.last().unwrap().1, "1... e5");
        assert_eq!(game.undo(5), 2);
        assert_eq!((game.position().fen(), game.last()), (Position::startpos().fen(), None));
    }

    #[test]
    fn a_mistake_is_answered_by_what_was_nearly_said() {
        let error = |game: &Game, text: &str| game.clone().play_text(text).unwrap_err().to_string();
        let start = Game::new();
        assert_eq!(error(&start, "Nf6"), "`Nf6` is not possible here; try `Nf3`");
        assert_eq!(error(&start, "e2e5"), "`e2e5` is not possible here; try `e2e3`");
        assert_eq!(error(&start, "knight"), "`knight` is no move");
        let two = after(&["d4", "d5", "Nf3", "a6"]);
        assert_eq!(error(&two, "Nd2"), "`Nd2` can be `Nbd2` or `Nfd2`");
        assert_eq!(error(&after(&["f3", "e5", "g4", "Qh4"]), "e4"), "`e4` is not possible, for the game is over");
    }

    #[test]
    fn ends_are_seen() {
        assert_eq!(Game::new().end(), None);
        assert_eq!(after(&["f3", "e5", "g4", "Qh4#"]).end(), Some("Checkmate: Black has won."));
        let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
        assert_eq!(after(&shuffle).end(), None);
        assert!(after(&[shuffle, shuffle].concat()).end().is_some_and(|end| end.contains("third time")));
    }

    #[test]
    fn a_flipped_game_can_be_set_up_again() {
        let mut game = after(&["e4"]);
        game.flip();
        let (again, repairs) = Game::of(game.setup().clone()).unwrap();
        assert_eq!((again.position().fen(), repairs), (game.position().fen(), vec![]));
    }
}
