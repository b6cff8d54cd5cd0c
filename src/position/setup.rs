//! Unchecked descriptions of a position, and the checks that turn one into a [`Position`].

use super::{Board, IllegalPosition, Position, validate::validate};
use crate::types::{CastlingSide, Color, File, Piece, PieceType, Rank, Square};

/// A description of a position, of which nothing is checked until [`Self::position`]: what a FEN says, as a value.
///
/// ```
/// # use sleight::{position::Setup, types::{Color, Piece, Square}};
/// let mut setup = Setup::empty();
/// setup.pieces[Square::E1.index()] = Some(Piece::WhiteKing);
/// setup.pieces[Square::A8.index()] = Some(Piece::BlackKing);
/// assert_eq!(setup.position()?.fen(), "k7/8/8/8/8/8/8/4K3 w - - 0 1");
/// assert_eq!(setup.flipped().position()?.fen(), "4k3/8/8/8/8/8/8/K7 b - - 0 1");
/// setup.pieces[Square::A1.index()] = Some(Piece::WhiteRook);
/// assert!(setup.position().is_err(), "Black is in check, and White is to move");
/// # Ok::<(), sleight::position::IllegalPosition>(())
/// ```
// CITE: shakmaty - a `Setup` that may be illegal, apart from the legal position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, by [`Square::index`].
    pub pieces: [Option<Piece>; Square::COUNT],
    /// The color that moves next.
    pub side_to_move: Color,
    /// The file of the rook of each castling right, by the indices of color and castling side; `None` without the
    /// right.
    pub castling_rooks: [[Option<File>; CastlingSide::COUNT]; Color::COUNT],
    /// The file of a pawn that has just made a double push, whether or not it can be captured.
    pub en_passant: Option<File>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the current move, from 1; 0 is taken as 1.
    pub fullmove_number: u16,
}

impl Setup {
    /// No pieces and no rights, White to move, the counters of a first move.
    pub const fn empty() -> Self {
        Self {
            pieces: [None; Square::COUNT],
            side_to_move: Color::White,
            castling_rooks: [[None; CastlingSide::COUNT]; Color::COUNT],
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The position, without any history.
    ///
    /// # Errors
    /// The first rule that the description breaks.
    pub fn position(&self) -> Result<Position, IllegalPosition> {
        let mut board = Board::empty();
        for (square, piece) in Square::ALL.into_iter().zip(self.pieces) {
            if let Some(piece) = piece {
                board.toggle(piece, square);
            }
        }
        board.side = self.side_to_move;
        validate(&board)?;
        self.grant_castling(&mut board)?;
        if let Some(file) = self.en_passant {
            board.en_passant = Some(self.en_passant_square(file).ok_or(IllegalPosition::EnPassant(file))?);
            if !board.en_passant_is_possible() {
                board.en_passant = None;
            }
        }
        let full_moves = u32::from(self.fullmove_number).saturating_sub(1);
        Ok(Position::new(board, self.halfmove_clock, 2 * full_moves + self.side_to_move.index() as u32))
    }

    /// The same position with colors exchanged and the board mirrored top to bottom.
    pub fn flipped(&self) -> Self {
        let swapped = |square: Square| {
            let piece = self.piece_at(square.flip_rank())?;
            Some(Piece::new(piece.piece_type(), !piece.color()))
        };
        let [white_rooks, black_rooks] = self.castling_rooks;
        Self {
            pieces: Square::ALL.map(swapped),
            side_to_move: !self.side_to_move,
            castling_rooks: [black_rooks, white_rooks],
            ..*self
        }
    }

    /// The piece on a square.
    pub(super) fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// The file of a king on its back rank.
    pub(super) fn king_on_back_rank(&self, color: Color) -> Option<File> {
        let king = Some(Piece::new(PieceType::King, color));
        File::ALL.into_iter().find(|&file| self.piece_at(back_rank(color, file)) == king)
    }

    /// Returns true if a rook of `color` stands on its back rank on that file.
    pub(super) fn has_rook_on_back_rank(&self, color: Color, file: File) -> bool {
        self.piece_at(back_rank(color, file)) == Some(Piece::new(PieceType::Rook, color))
    }

    /// The en-passant square of a pawn that has just made a double push on `file`; `None` if none can have done so.
    pub(super) fn en_passant_square(&self, file: File) -> Option<Square> {
        let us = self.side_to_move;
        let [origin, passed, pawn] =
            [Rank::Seven, Rank::Six, Rank::Five].map(|rank| Square::new(file, rank.relative_to(us)));
        let possible = self.piece_at(origin).is_none()
            && self.piece_at(passed).is_none()
            && self.piece_at(pawn) == Some(Piece::new(PieceType::Pawn, !us));
        possible.then_some(passed)
    }

    fn grant_castling(&self, board: &mut Board) -> Result<(), IllegalPosition> {
        for color in Color::ALL {
            for castling_side in CastlingSide::ALL {
                let Some(rook) = self.castling_rooks[color.index()][castling_side.index()] else { continue };
                let king = self.king_on_back_rank(color).filter(|&king| CastlingSide::of(king, rook) == castling_side);
                let king = king.filter(|_| self.has_rook_on_back_rank(color, rook));
                let king = king.ok_or(IllegalPosition::Castling(color, castling_side))?;
                board.castling.add(color, back_rank(color, king), back_rank(color, rook));
            }
        }
        Ok(())
    }
}

fn back_rank(color: Color, file: File) -> Square {
    Square::new(file, Rank::One.relative_to(color))
}

/// The setup of a position. A fullmove number beyond 65,535 is clamped.
impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        let castling = position.board().castling();
        let rook = |color, castling_side| {
            let right = castling.rights().has(color, castling_side);
            right.then(|| castling.rook(color, castling_side).file())
        };
        Self {
            pieces: position.state.mailbox,
            side_to_move: position.side_to_move(),
            castling_rooks: Color::ALL.map(|color| CastlingSide::ALL.map(|castling_side| rook(color, castling_side))),
            en_passant: position.board().en_passant().map(Square::file),
            halfmove_clock: position.halfmove_clock(),
            fullmove_number: u16::try_from(position.fullmove_number()).unwrap_or(u16::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(fen: &str) -> Setup {
        let (setup, repairs) = Setup::from_fen(fen).unwrap();
        assert_eq!(repairs, [], "{fen}");
        setup
    }

    #[test]
    fn setups_and_positions_round_trip() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b Qk - 150 65",
        ] {
            let position = setup(fen).position().unwrap();
            assert_eq!((position.fen().as_str(), position.audit()), (fen, Ok(())));
            assert_eq!(Setup::from(&position), setup(fen));
        }
        let late = Setup { halfmove_clock: u16::MAX, fullmove_number: u16::MAX, ..setup("4k3/8/8/8/8/8/8/4K3 b - -") };
        assert_eq!(Setup::from(&late.position().unwrap()), late);
    }

    #[test]
    fn flipping_swaps_colors_and_ranks() {
        for (fen, mirrored) in [
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                "rnbqkbnr/pppp1ppp/8/8/3PpP2/8/PPP1P1PP/RNBQKBNR b KQkq f3 0 3",
            ),
            ("2rkr3/8/8/8/8/8/8/RRK1R3 w KBkq - 4 9", "rrk1r3/8/8/8/8/8/8/2RKR3 b KQkb - 4 9"),
        ] {
            let setup = setup(fen);
            assert_eq!(setup.flipped().position().unwrap().fen(), mirrored);
            assert_eq!(setup.flipped().flipped(), setup);
        }
    }

    #[test]
    fn castling_rights_need_a_king_and_a_rook() {
        let mut home = setup("r3k2r/8/8/8/8/8/8/R3K2R w - -");
        let refused = Err(IllegalPosition::Castling(Color::Black, CastlingSide::KingSide));
        let mut with_rook = |rook| {
            home.castling_rooks[Color::Black.index()][CastlingSide::KingSide.index()] = Some(rook);
            home.position().map(|position| position.fen())
        };
        assert_eq!(with_rook(File::H).unwrap(), "r3k2r/8/8/8/8/8/8/R3K2R w k - 0 1");
        assert_eq!(with_rook(File::G), refused, "no rook");
        assert_eq!(with_rook(File::A), refused, "the wrong side of the king");
        let mut away = setup("r6r/4k3/8/8/8/8/8/4K3 w - -");
        away.castling_rooks[1][0] = Some(File::H);
        assert_eq!(away.position().unwrap_err(), IllegalPosition::Castling(Color::Black, CastlingSide::KingSide));
    }

    #[test]
    fn en_passant_needs_a_double_push_and_is_dropped_without_a_legal_capture() {
        let en_passant = |fen: &str, file| {
            let position = Setup { en_passant: Some(file), ..setup(fen) }.position();
            position.map(|position| position.board().en_passant())
        };
        let pawns = "4k3/8/8/p2pP3/4P3/8/8/4K3";
        assert_eq!(en_passant(&format!("{pawns} w - -"), File::D), Ok(Some(Square::D6)));
        assert_eq!(en_passant(&format!("{pawns} w - -"), File::A), Ok(None));
        assert_eq!(en_passant(&format!("{pawns} w - -"), File::E), Err(IllegalPosition::EnPassant(File::E)));
        assert_eq!(en_passant(&format!("{pawns} b - -"), File::E), Ok(None));
        assert_eq!(
            en_passant("4k3/3p4/8/3pP3/8/8/8/4K3 w - -", File::D),
            Err(IllegalPosition::EnPassant(File::D)),
            "the pawn's home square is occupied"
        );
    }
}
