use super::Color;

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
    /// The outcome in which White scores so many half points, 0 to 2: the result byte of viriformat.
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

impl Termination {
    /// The result of the game.
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Checkmate { winner } => Outcome::win(winner),
            _ => Outcome::Draw,
        }
    }
}
