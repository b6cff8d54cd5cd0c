//! The game on the board.

use std::cmp::Reverse;

use crate::{
    engine::{self, EngineError, GameError, PositionCommand},
    movegen::legal_moves,
    notation::{San, UciMove, san},
    position::{FenRepair, Position},
    types::{Color, Move, Termination},
    util::excerpt,
};

/// The initial position, the moves since, and the current position.
#[derive(Clone, Default, Debug)]
pub(super) struct Game {
    setup: PositionCommand,
    position: Position,
    /// The last move, also with its number in SAN.
    last: Option<(Move, String)>,
}

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
    #[error("there are not so many moves to take back")]
    NothingToUndo,
    #[error("write `undo` or `undo 2`")]
    UndoCount,
}

impl From<MoveError> for EngineError {
    fn from(error: MoveError) -> Self {
        Self::Frontend(Box::new(error))
    }
}

impl Game {
    /// The game that `position` describes, and the repairs that its FEN needed. Castling rights of Chess960 are kept
    /// from then on if the command keeps them.
    ///
    /// # Errors
    /// The first thing that is wrong with the FEN or the moves.
    pub(super) fn set_up(setup: &PositionCommand) -> Result<(Self, Vec<FenRepair>), GameError> {
        let start = PositionCommand { moves: Vec::new(), ..setup.clone() };
        let (position, repairs) = engine::set_up(&start, false)?;
        // As repaired: the engine need not report it again.
        let fen = setup.fen.as_ref().map(|_| position.shredder_fen());
        let setup_of_game = PositionCommand { fen, moves: Vec::new(), chess960: Some(true) };
        let mut game = Self { setup: setup_of_game, position, last: None };
        // Checks the moves.
        engine::set_up(setup, false)?;
        for mv in &setup.moves {
            mv.find(&game.position).into_iter().for_each(|mv| game.play(mv));
        }
        Ok((game, repairs))
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    pub(super) fn setup(&self) -> &PositionCommand {
        &self.setup
    }

    pub(super) fn last(&self) -> Option<&(Move, String)> {
        self.last.as_ref()
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        self.last = Some((mv, numbered(&self.position, &[mv])));
        self.setup.moves.push(UciMove::new(mv, true));
        self.position.play(mv);
    }

    /// Plays the move that `text` names in SAN or as in UCI.
    ///
    /// # Errors
    /// When it names no legal move, or more than one.
    pub(super) fn play_text(mut self, text: &str) -> Result<Self, MoveError> {
        let position = &self.position;
        let uci = text.parse::<UciMove>();
        let found: Vec<Move> = match (&uci, text.parse::<San>()) {
            (Ok(mv), _) => mv.find(position).into_iter().collect(),
            (_, Ok(mv)) => mv.find(position).into_iter().collect(),
            _ => return Err(MoveError::Syntax(excerpt(text))),
        };
        let spelled = |mv| if uci.is_ok() { UciMove::new(mv, false).to_string() } else { san(position, mv) };
        let text_shown = excerpt(text);
        match found[..] {
            [mv] => self.play(mv),
            [] => {
                let common = |mv: &String| mv.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
                let similar = legal_moves(position).into_iter().map(spelled).min_by_key(|mv| Reverse(common(mv)));
                return Err(match similar {
                    Some(similar) => MoveError::Illegal { text: text_shown, similar },
                    None => MoveError::Over(text_shown),
                });
            }
            _ => {
                return Err(MoveError::Ambiguous { text: text_shown, moves: found.into_iter().map(spelled).collect() });
            }
        }
        Ok(self)
    }

    /// The game without its last moves.
    ///
    /// # Errors
    /// When there are fewer.
    pub(super) fn undo(&self, count: usize) -> Result<Self, MoveError> {
        let mut setup = self.setup.clone();
        let left = setup.moves.len().checked_sub(count).ok_or(MoveError::NothingToUndo)?;
        setup.moves.truncate(left);
        Self::set_up(&setup).map(|(game, _)| game).map_err(|_| MoveError::NothingToUndo)
    }

    /// The position with the colors swapped, as a new game.
    pub(super) fn flipped(&self) -> Result<Self, GameError> {
        let fen = Some(engine::flipped(&self.position).shredder_fen());
        Self::set_up(&PositionCommand { fen, moves: Vec::new(), chess960: Some(true) }).map(|(game, _)| game)
    }

    /// The result, if the game is over.
    pub(super) fn outcome(&self) -> Option<&'static str> {
        self.position.termination().map(|termination| match termination {
            Termination::Checkmate { winner: Color::White } => "Checkmate, White wins",
            Termination::Checkmate { winner: Color::Black } => "Checkmate, Black wins",
            Termination::Stalemate => "Draw by stalemate",
            Termination::InsufficientMaterial => "Draw by insufficient material",
            Termination::ThreefoldRepetition => "Draw by threefold repetition",
            Termination::FiftyMoveRule => "Draw by the fifty-move rule",
        })
    }
}

/// Legal moves in SAN with move numbers: `1. e4 e5 2. Nf3`, or `1... e5` at the beginning.
pub(super) fn numbered(position: &Position, line: &[Move]) -> String {
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
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &[&str]) -> Game {
        moves.iter().fold(Game::default(), |game, mv| game.play_text(mv).unwrap())
    }

    #[test]
    fn moves_are_played_in_either_notation_and_taken_back() {
        let game = after(&["e4", "e7e5", "Nf3"]);
        assert_eq!(game.last().unwrap().1, "2. Nf3");
        let game = game.undo(1).unwrap();
        assert_eq!(game.last().unwrap().1, "1... e5");
        assert_eq!(game.undo(3).unwrap_err(), MoveError::NothingToUndo);
        let game = game.undo(2).unwrap();
        assert_eq!((game.position().fen(), game.last()), (Position::startpos().fen(), None));
    }

    #[test]
    fn errors_name_a_legal_move() {
        let error = |game: &Game, text: &str| game.clone().play_text(text).unwrap_err().to_string();
        let start = Game::default();
        assert_eq!(error(&start, "Nf6"), "`Nf6` is not legal here; try `Nf3`");
        assert!(
            ["e2e3", "e2e4"].map(|mv| format!("`e2e5` is not legal here; try `{mv}`")).contains(&error(&start, "e2e5"))
        );
        assert_eq!(error(&start, "knight"), "`knight` is not a move");
        let two = after(&["d4", "d5", "Nf3", "a6"]);
        assert_eq!(error(&two, "Nd2"), "`Nd2` is ambiguous: Nbd2 or Nfd2");
        assert_eq!(error(&after(&["f3", "e5", "g4", "Qh4"]), "e4"), "`e4` is not legal: the game is over");
    }

    #[test]
    fn finished_games_have_an_outcome() {
        assert_eq!(Game::default().outcome(), None);
        assert_eq!(after(&["f3", "e5", "g4", "Qh4#"]).outcome(), Some("Checkmate, Black wins"));
        let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
        assert_eq!(after(&shuffle).outcome(), None);
        assert_eq!(after(&[shuffle, shuffle].concat()).outcome(), Some("Draw by threefold repetition"));
    }

    #[test]
    fn a_repaired_fen_is_repaired_once() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1".to_owned();
        let (game, repairs) =
            Game::set_up(&PositionCommand { fen: Some(fen), moves: vec!["e1g1".parse().unwrap()], chess960: None })
                .unwrap();
        assert_eq!((repairs.len(), game.last().unwrap().1.as_str()), (1, "1. O-O"));
        assert_eq!(Game::set_up(game.setup()).unwrap().1, []);
        assert_eq!(Game::set_up(game.flipped().unwrap().setup()).unwrap().1, []);
    }

    /// What a game's own position keeps does not depend on the option, which may change during the game.
    #[test]
    fn rights_of_chess960_last_as_long_as_the_game() {
        let fen = || Some("4k3/8/8/8/8/8/PPP5/R5K1 w Q - 0 1".to_owned());
        let set_up = |chess960| Game::set_up(&PositionCommand { fen: fen(), moves: Vec::new(), chess960 }).unwrap();
        let (standard, repairs) = set_up(Some(false));
        assert_eq!((repairs.len(), standard.play_text("O-O-O").is_err()), (1, true));
        let (chess960, repairs) = set_up(Some(true));
        assert!(repairs.is_empty());
        let game = chess960.play_text("O-O-O").unwrap().undo(1).unwrap();
        assert!(engine::set_up(game.setup(), false).unwrap().0.fen().contains(" w Q "));
        assert!(game.flipped().unwrap().play_text("O-O-O").is_ok());
    }
}
