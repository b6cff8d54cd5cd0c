//! The legality of a position: necessary conditions, not a proof that a game leads to it.

use super::Board;
use crate::types::{Bitboard, CastlingSide, Color, File, PieceType};

/// Men of a side, its king included.
const MAX_MEN: usize = 16;

/// The reason why a position is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPosition {
    /// Each side has exactly one king.
    #[error("{0:?} has {1} kings")]
    Kings(Color, usize),
    /// Pawns never stand on the first or eighth rank.
    #[error("a pawn stands on the first or last rank")]
    PawnRank,
    /// More men than a side has: the evaluation and packed games know no more than 32 on the board.
    #[error("{0:?} has more than sixteen men")]
    TooManyPieces(Color),
    /// The side that has just moved left its king in check.
    #[error("the side not to move is in check")]
    OpponentInCheck,
    /// A castling right needs the king and the rook on the back rank, the rook on that side of the king.
    #[error("{0:?} has no king and rook to castle on the {1:?}")]
    Castling(Color, CastlingSide),
    /// The pawn of an en-passant file stands two ranks from its own rank, the squares behind it empty.
    #[error("no pawn has just made a double push on the {}-file", .0.letter())]
    EnPassant(File),
}

/// Checks pieces and side to move; [`Setup`](super::Setup) checks castling rights and en passant.
pub(super) fn validate(board: &Board) -> Result<(), IllegalPosition> {
    for color in Color::ALL {
        let count = |piece_type| board.pieces(color, piece_type).len();
        match count(PieceType::King) {
            1 => {}
            kings => return Err(IllegalPosition::Kings(color, kings)),
        }
        // Which armies a game can lead to is another question: variants and studies have others.
        if board.color(color).len() > MAX_MEN {
            return Err(IllegalPosition::TooManyPieces(color));
        }
    }
    if board.of_type(PieceType::Pawn).intersects(Bitboard::PAWNLESS_RANKS) {
        return Err(IllegalPosition::PawnRank);
    }
    let us = board.side_to_move();
    if !board.attackers(board.king(!us), us).is_empty() {
        return Err(IllegalPosition::OpponentInCheck);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{FenError, Position};

    #[test]
    fn impossible_boards_are_refused() {
        let refused = |fen: &str| match Position::from_fen(fen) {
            Err(FenError::Illegal(reason)) => reason,
            other => panic!("{fen}: {other:?}"),
        };
        assert_eq!(refused("8/8/8/8/8/8/8/4K3 w - -"), IllegalPosition::Kings(Color::Black, 0));
        assert_eq!(refused("4k3/8/8/8/8/8/8/3KK3 w - -"), IllegalPosition::Kings(Color::White, 2));
        assert_eq!(refused("4k2P/8/8/8/8/8/8/4K3 w - -"), IllegalPosition::PawnRank);
        assert_eq!(refused("4k3/8/8/8/8/8/8/4K2p w - -"), IllegalPosition::PawnRank);
        assert_eq!(refused("4k3/8/8/8/8/8/8/4R1K1 w - -"), IllegalPosition::OpponentInCheck);
        assert_eq!(refused("4k3/8/8/8/8/P7/PPPPPPPP/NNNNKNNN w - -"), IllegalPosition::TooManyPieces(Color::White));
        assert_eq!(refused("nnnnkn2/pppppppp/pppp4/8/8/8/8/4K3 w - -"), IllegalPosition::TooManyPieces(Color::Black));
        assert_eq!(refused("8/8/8/3kK3/8/8/8/8 w - -"), IllegalPosition::OpponentInCheck);
        for odd in [
            "4k3/8/8/8/8/8/8/QQQQKQQQ b - - 0 1",
            "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1",
            "4k3/pppppppp/ppppppp1/8/8/PPPPPPPP/PPPPPPP1/4K3 w - - 0 1",
            "rrrrkrrr/rrrrrrrr/8/8/8/8/BBBBBBBB/BBBBKBBB w - - 0 1",
        ] {
            assert!(Position::from_fen(odd).is_ok(), "{odd}");
        }
    }
}
