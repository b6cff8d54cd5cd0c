//! Moves as UCI writes them.

use std::{fmt, str::FromStr};

use crate::{
    movegen::is_legal,
    position::Position,
    types::{CastlingSide, Color, File, Move, MoveKind, PieceType, Square},
};

/// A move in UCI notation: two squares and, for a promotion, a letter. It is not tied to a position.
///
/// ```
/// # use sleight::{notation::UciMove, types::{PieceType, Square}};
/// let mv: UciMove = "e7e8Q".parse().unwrap();
/// assert_eq!((mv.from, mv.to, mv.promotion), (Square::E7, Square::E8, Some(PieceType::Queen)));
/// assert_eq!(mv.to_string(), "e7e8q");
/// assert!("0000".parse::<UciMove>().is_err() && "e7e8k".parse::<UciMove>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciMove {
    /// The origin square.
    pub from: Square,
    /// The target square; for castling that of the king or, in Chess960 notation, of its rook.
    pub to: Square,
    /// The piece type that a pawn promotes to.
    pub promotion: Option<PieceType>,
}

impl UciMove {
    /// The UCI notation of `mv`. Castling is written as the king's move; as king takes rook if `chess960`, or if the
    /// king is not on the e-file, where the king's move alone would be ambiguous.
    ///
    /// ```
    /// # use sleight::{notation::UciMove, types::{Move, MoveKind, Square}};
    /// let castle = Move::new(Square::E8, Square::A8, MoveKind::Castle);
    /// assert_eq!(UciMove::new(castle, false).to_string(), "e8c8");
    /// assert_eq!(UciMove::new(castle, true).to_string(), "e8a8");
    /// let elsewhere = Move::new(Square::G1, Square::H1, MoveKind::Castle);
    /// assert_eq!(UciMove::new(elsewhere, false).to_string(), "g1h1");
    /// ```
    pub fn new(mv: Move, chess960: bool) -> Self {
        let to = match mv.castling_side() {
            Some(castling_side) if !chess960 && mv.from().file() == File::E => {
                Square::new(castling_side.king_to(Color::White).file(), mv.from().rank())
            }
            _ => mv.to(),
        };
        Self { from: mv.from(), to, promotion: mv.promotion() }
    }

    /// The legal move with this notation, if there is one. Either notation of castling is accepted in any variant; a
    /// plain king move to the same square takes precedence.
    ///
    /// ```
    /// # use sleight::{notation::UciMove, position::Position};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    /// let find = |text: &str| text.parse::<UciMove>().unwrap().find(&position);
    /// assert!(find("e1g1").is_some_and(|mv| mv.is_castle()));
    /// assert_eq!(find("e1g1"), find("e1h1"));
    /// assert_eq!(find("e1e3"), None);
    /// ```
    pub fn find(self, position: &Position) -> Option<Move> {
        let written = kinds(self.promotion).map(|kind| Move::new(self.from, self.to, kind));
        let us = position.side_to_move();
        let castling = CastlingSide::ALL.into_iter().filter(|castling_side| {
            self.promotion.is_none()
                && castling_side.king_to(us) == self.to
                && position.board().castling_rights().has(us, *castling_side)
        });
        let rook = |castling_side| position.board().castling().rook(us, castling_side);
        let castling = castling.map(|castling_side| Move::new(self.from, rook(castling_side), MoveKind::Castle));
        written.chain(castling).find(|&mv| is_legal(position, mv))
    }
}

/// The kinds that a move can be of, with or without a promotion.
fn kinds(promotion: Option<PieceType>) -> impl Iterator<Item = MoveKind> {
    let plain = [MoveKind::Quiet, MoveKind::Capture, MoveKind::DoublePush, MoveKind::Castle, MoveKind::EnPassant];
    let promotions = promotion.into_iter().flat_map(|to| [false, true].map(|capture| MoveKind::promotion(to, capture)));
    plain.into_iter().filter(move |_| promotion.is_none()).chain(promotions)
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(piece_type) => write!(f, "{}", piece_type.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

/// A text that is not a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a move")]
pub struct ParseMoveError;

impl FromStr for UciMove {
    type Err = ParseMoveError;

    /// Reads `e2e4` or `e7e8q`, in either case. The null move `0000` is refused.
    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let lower = text.to_ascii_lowercase();
        let square = |range| lower.get(range).and_then(|name: &str| name.parse().ok()).ok_or(ParseMoveError);
        let promotion = match lower.as_bytes().get(4..).unwrap_or_default() {
            [] => None,
            [b'n'] => Some(PieceType::Knight),
            [b'b'] => Some(PieceType::Bishop),
            [b'r'] => Some(PieceType::Rook),
            [b'q'] => Some(PieceType::Queen),
            _ => return Err(ParseMoveError),
        };
        Ok(Self { from: square(0..2)?, to: square(2..4)?, promotion })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal_moves;

    #[test]
    fn texts_round_trip_or_are_refused() {
        for text in ["e2e4", "a7a8n", "h2g1q", "a1h8"] {
            assert_eq!(text.parse::<UciMove>().map(|mv| mv.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "e2", "e2e", "e2e9", "e7e8k", "e7e8qq", "0000", "e2-e4", "é2e4", "e2éé", "(none)"] {
            assert_eq!(text.parse::<UciMove>(), Err(ParseMoveError), "{text}");
        }
    }

    /// Every spelling of two squares and a letter finds exactly the legal moves, in positions with every kind of move.
    #[test]
    fn finding_agrees_with_the_generator() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "1n2k3/P1P5/8/8/8/8/5p1p/1K4N1 w - - 0 1",
            "1n2k3/P1P5/8/8/8/8/5p1p/1K4N1 b - - 0 1",
            "2r1kr2/8/8/8/8/8/8/1R2KR2 w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/5KR1 w K - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let legal = legal_moves(&position);
            for chess960 in [false, true] {
                for &mv in &legal {
                    let spelled = UciMove::new(mv, chess960);
                    assert_eq!(spelled.find(&position), Some(mv), "{fen}: {spelled}");
                }
            }
            let promotions =
                [None, Some(PieceType::Knight), Some(PieceType::Bishop), Some(PieceType::Rook), Some(PieceType::Queen)];
            let all = Square::ALL.into_iter().flat_map(|from| Square::ALL.map(|to| (from, to)));
            let all = all.flat_map(|(from, to)| promotions.map(|promotion| UciMove { from, to, promotion }));
            for found in all.filter_map(|spelled| spelled.find(&position)) {
                assert!(legal.contains(&found), "{fen}: {found:?}");
            }
        }
    }

    #[test]
    fn a_king_move_takes_precedence_over_castling() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w K - 0 1").unwrap();
        let find = |text: &str| text.parse::<UciMove>().ok()?.find(&position);
        assert_eq!(find("f1g1").map(Move::kind), Some(MoveKind::Quiet));
        assert_eq!(find("f1h1").map(Move::kind), Some(MoveKind::Castle));
    }
}
