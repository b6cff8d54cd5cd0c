//! The end of a game by the rules: checkmate, stalemate and the draws.

use std::fmt;

use crate::{movegen::legal_moves, position::Position, types::Color};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Outcome {
    /// Black won, `0-1`.
    BlackWins = 0,
    /// A draw, `1/2-1/2`.
    Draw = 1,
    /// White won, `1-0`.
    WhiteWins = 2,
}

impl Outcome {
    /// The outcome in which White scores `byte` half points, 0 to 2: the result byte of viriformat.
    pub const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::BlackWins),
            1 => Some(Self::Draw),
            2 => Some(Self::WhiteWins),
            _ => None,
        }
    }

    /// A win for `color`.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The points that White scores: 0, 0.5 or 1.
    pub const fn white_points(self) -> f32 {
        self as u8 as f32 / 2.0
    }
}

/// The rule by which a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// The side to move is mated.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can give mate by any sequence of legal moves.
    InsufficientMaterial,
    /// The same position has occurred three times in the game.
    ThreefoldRepetition,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoveRule,
}

/// As a person says it: `Checkmate, White wins`.
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate { winner: Color::White } => "Checkmate, White wins",
            Self::Checkmate { winner: Color::Black } => "Checkmate, Black wins",
            Self::Stalemate => "Draw by stalemate",
            Self::InsufficientMaterial => "Draw by insufficient material",
            Self::ThreefoldRepetition => "Draw by threefold repetition",
            Self::FiftyMoveRule => "Draw by the fifty-move rule",
        })
    }
}

impl Termination {
    /// The result of the game.
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Checkmate { winner } => Outcome::win(winner),
            _ => Outcome::Draw,
        }
    }
}

impl Position {
    /// The rule by which the game has ended, if it has. Checkmate and stalemate take precedence over the draws, which
    /// count as soon as they can be claimed.
    ///
    /// ```
    /// # use sleight::{position::Position, outcome::{Outcome, Termination}, types::Color};
    /// let mate = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80")?;
    /// assert_eq!(mate.termination(), Some(Termination::Checkmate { winner: Color::White }));
    /// assert_eq!(mate.outcome(), Some(Outcome::WhiteWins));
    /// assert_eq!(Position::startpos().termination(), None);
    /// # Ok::<(), sleight::position::FenError>(())
    /// ```
    pub fn termination(&self) -> Option<Termination> {
        if legal_moves(self).is_empty() {
            let mate = Termination::Checkmate { winner: !self.side_to_move() };
            return Some(if self.in_check() { mate } else { Termination::Stalemate });
        }
        if self.is_insufficient_material() {
            return Some(Termination::InsufficientMaterial);
        }
        // At ply 0 there is no search: only a position that occurred twice before counts.
        if self.is_repetition(0) {
            return Some(Termination::ThreefoldRepetition);
        }
        self.is_fifty_move_draw().then_some(Termination::FiftyMoveRule)
    }

    /// The result of the game, if it has ended by the rules: see [`Self::termination`].
    pub fn outcome(&self) -> Option<Outcome> {
        self.termination().map(Termination::outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_termination_is_found() {
        let end = |fen: &str| Position::from_fen(fen).unwrap().termination();
        assert_eq!(
            end("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
            Some(Termination::Checkmate { winner: Color::Black })
        );
        assert_eq!(end("7k/5Q2/8/8/8/8/8/6K1 b - - 100 80"), Some(Termination::Stalemate));
        assert_eq!(end("7k/8/8/8/8/8/5B2/6K1 b - - 0 80"), Some(Termination::InsufficientMaterial));
        assert_eq!(end("7k/8/8/8/8/8/5R2/6K1 b - - 99 80"), None);
        assert_eq!(end("7k/8/8/8/8/8/5R2/6K1 b - - 100 80"), Some(Termination::FiftyMoveRule));
    }

    #[test]
    fn the_third_occurrence_ends_the_game() {
        let mut position = Position::startpos();
        for (ply, name) in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(8).enumerate() {
            assert_eq!(position.termination(), None, "after {ply} plies");
            let mv = legal_moves(&position).into_iter().find(|mv| mv.to_string() == name).unwrap();
            position.make(mv);
        }
        assert_eq!(position.termination(), Some(Termination::ThreefoldRepetition));
        assert_eq!(position.outcome(), Some(Outcome::Draw));
    }
}
