//! Consumers of generated moves.

use crate::{
    attacks::slider_attacks,
    types::{Bitboard, Color, Move, MoveKind, MoveList, PieceType, Square},
};

/// Receives moves as sets of targets, so that a counter need not visit each. Piece types and move kinds are constants
/// at every call of the generator.
// CITE: cozy-chess - a listener that receives the moves of a piece as a set.
pub trait Sink {
    /// Moves of one piece other than a pawn, to each of `captures` and each of `quiets`.
    fn piece(&mut self, piece_type: PieceType, from: Square, captures: Bitboard, quiets: Bitboard);

    /// Moves of each of the sliders, to those of `captures` and `quiets` that it attacks.
    #[inline(always)]
    fn sliders(&mut self, pieces: SliderSets, occupied: Bitboard, captures: Bitboard, quiets: Bitboard) {
        let SliderSets { bishops, rooks, queens } = pieces;
        for (piece_type, set) in [(PieceType::Bishop, bishops), (PieceType::Rook, rooks), (PieceType::Queen, queens)] {
            for from in set {
                let attacked = slider_attacks(piece_type, from, occupied);
                self.piece(piece_type, from, attacked & captures, attacked & quiets);
            }
        }
    }

    /// One pawn move to each of `targets`, from the origin given by `step`.
    fn pawns(&mut self, targets: Bitboard, step: PawnStep, kind: MoveKind);

    /// One promotion to `to` on each of `targets`.
    fn promotions(&mut self, targets: Bitboard, step: PawnStep, to: PieceType);

    /// One en-passant capture.
    fn en_passant(&mut self, from: Square, to: Square);

    /// Castling of the king on `king` with the rook on `rook`.
    fn castling(&mut self, king: Square, rook: Square);
}

/// The sliders of one color, by type.
#[derive(Clone, Copy, Debug)]
pub struct SliderSets {
    /// Bishops, without queens.
    pub bishops: Bitboard,
    /// Rooks, without queens.
    pub rooks: Bitboard,
    /// Queens.
    pub queens: Bitboard,
}

/// The step of a pawn move, the same for all pawns of a set.
#[derive(Clone, Copy, Debug)]
pub struct PawnStep {
    /// Target index minus origin index.
    offset: i8,
    capture: bool,
}

impl PawnStep {
    /// `ranks` forward.
    #[inline(always)]
    pub(super) const fn push(color: Color, ranks: i8) -> Self {
        Self { offset: Self::up(color) * ranks, capture: false }
    }

    /// One forward and `files` to the right (-1: to the left).
    #[inline(always)]
    pub(super) const fn capture(color: Color, files: i8) -> Self {
        Self { offset: Self::up(color) + files, capture: true }
    }

    const fn up(color: Color) -> i8 {
        match color {
            Color::White => 8,
            Color::Black => -8,
        }
    }

    /// The origin of the pawn move to `to`.
    #[inline(always)]
    pub fn origin(self, to: Square) -> Square {
        Square::from_low_bits_unfolded((to as i8 - self.offset) as usize)
    }

    /// The move kind of a promotion by this step.
    #[inline(always)]
    pub const fn promotion(self, to: PieceType) -> MoveKind {
        MoveKind::promotion(to, self.capture)
    }
}

/// Adds a move, unless the list is full, which takes more moves than any known board has.
#[inline(always)]
fn add(moves: &mut MoveList, mv: Move) {
    _ = moves.try_push(mv);
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, _: PieceType, from: Square, captures: Bitboard, quiets: Bitboard) {
        for to in captures {
            add(self, Move::new(from, to, MoveKind::Capture));
        }
        for to in quiets {
            add(self, Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: PawnStep, kind: MoveKind) {
        for to in targets {
            add(self, Move::new(step.origin(to), to, kind));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: PawnStep, piece_type: PieceType) {
        self.pawns(targets, step, step.promotion(piece_type));
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        add(self, Move::new(from, to, MoveKind::EnPassant));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        add(self, Move::new(king, rook, MoveKind::Castle));
    }
}
