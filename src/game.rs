//! The game that is played or analyzed: a position with the moves that led to it.

use std::sync::Arc;

use crate::{
    notation::UciMove,
    position::{FenError, FenRepair, Position, Setup},
    types::Move,
};

/// A position as a client gives it, not yet checked against the rules.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct PositionCommand {
    /// The FEN, four to six fields; `None` for the initial position.
    pub fen: Option<String>,
    /// The moves played from there.
    pub moves: Vec<UciMove>,
    /// True to keep castling rights of Chess960, false to drop them; `None` for what the option `UCI_Chess960` says.
    pub chess960: Option<bool>,
}

/// Why a position could not be set up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum GameError {
    #[error("bad FEN: {0}")]
    Fen(#[from] FenError),
    #[error("move {number}, `{mv}`, is illegal in {fen}")]
    IllegalMove { number: usize, mv: UciMove, fen: String },
    #[error("there is no position, since the last one could not be set up")]
    NoPosition,
    #[error("there are fewer moves to take back")]
    NothingToUndo,
}

#[derive(Clone, Default, Debug)]
pub(crate) struct Game {
    /// The command that it was set up by, with the moves since.
    command: PositionCommand,
    position: Arc<Position>,
}

impl Game {
    /// The game after all moves of the command, and the repairs that the FEN needed. Where the command does not say
    /// whether it is one of Chess960, `chess960` does.
    ///
    /// # Errors
    /// The first thing that is wrong with the FEN or the moves.
    pub(crate) fn set_up(command: PositionCommand, chess960: bool) -> Result<(Self, Vec<FenRepair>), GameError> {
        let (mut position, repairs) = match &command.fen {
            None => (Position::startpos(), Vec::new()),
            Some(fen) if command.chess960.unwrap_or(chess960) => Position::from_fen_with_repairs(fen)?,
            Some(fen) => Position::from_standard_fen_with_repairs(fen)?,
        };
        for (&mv, number) in command.moves.iter().zip(1..) {
            match mv.find(&position) {
                Some(legal) => position.make(legal),
                None => return Err(GameError::IllegalMove { number, mv, fen: position.fen() }),
            }
        }
        // The clone has no room to spare: of positions, many may wait with their commands.
        Ok((Self { command, position: Arc::new(position.clone()) }, repairs))
    }

    pub(crate) fn command(&self) -> &PositionCommand {
        &self.command
    }

    pub(crate) fn position(&self) -> &Arc<Position> {
        &self.position
    }

    /// The position before the last move, and that move.
    pub(crate) fn last_move(&self) -> Option<(Position, Move)> {
        let last = self.command.moves.last()?;
        let before = self.undo(1, true).ok()?.position;
        let mv = last.find(&before)?;
        Some((Arc::unwrap_or_clone(before), mv))
    }

    pub(crate) fn play(&mut self, mv: Move) {
        self.command.moves.push(UciMove::new(mv, true));
        Arc::make_mut(&mut self.position).make(mv);
    }

    /// The game without its last moves.
    ///
    /// # Errors
    /// When there are fewer.
    pub(crate) fn undo(&self, moves: usize, chess960: bool) -> Result<Self, GameError> {
        let mut command = self.command.clone();
        let left = command.moves.len().checked_sub(moves).ok_or(GameError::NothingToUndo)?;
        command.moves.truncate(left);
        Self::set_up(command, chess960).map(|(game, _)| game)
    }

    /// The position with the colors swapped and the board flipped vertically, as a new game set up from a FEN, to whose
    /// range the counters of a long game are clamped.
    pub(crate) fn flipped(&self) -> Self {
        let mut setup = Setup::from(&*self.position).flipped();
        setup.clamp_counters();
        let position = setup.position().unwrap_or_else(|error| {
            log::error!("{} cannot be flipped: {error}", self.position.fen());
            Position::clone(&self.position)
        });
        let command = PositionCommand { fen: Some(position.shredder_fen()), moves: Vec::new(), ..self.command };
        Self { command, position: Arc::new(position) }
    }
}
