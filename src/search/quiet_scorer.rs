//! Move ordering scores of quiet moves.

use super::worker::Worker;
use crate::{
    attacks::{Sliders, knight},
    history::QuietHistories,
    params,
    position::CheckSquares,
    types::{Bitboard, Move, Piece, PieceType},
};

/// Scores the quiet moves of one node; lookups that all of them share are made once.
pub(super) struct QuietScorer<'a, S: Sliders> {
    worker: &'a Worker<S>,
    histories: QuietHistories<'a>,
    check_squares: &'a CheckSquares,
    attacks_by_lesser: [Bitboard; PieceType::COUNT],
}

impl<'a, S: Sliders> QuietScorer<'a, S> {
    pub(super) fn new(worker: &'a Worker<S>, ply: usize, check_squares: &'a CheckSquares) -> Self {
        let (threats, pawn_key) = (worker.stack[ply].threats, worker.position.keys().pawn);
        let side = worker.position.side_to_move();
        Self {
            worker,
            histories: worker.histories.quiet_histories(side, threats, pawn_key, &worker.continuation_keys(ply)),
            check_squares,
            attacks_by_lesser: attacks_by_lesser_pieces(worker),
        }
    }

    #[inline(always)]
    pub(super) fn score(&self, mv: Move) -> i32 {
        let Some(piece) = self.worker.moved_piece(mv) else { return 0 };
        self.histories.score(piece, mv) + self.check_bonus(piece, mv) + self.escape_bonus(piece, mv)
    }

    /// The bonus of a move that gives check from a square where the piece is not lost.
    // CITE: Stockfish - direct checks with a SEE condition; Reckless - direct checks.
    #[inline(always)]
    fn check_bonus(&self, piece: Piece, mv: Move) -> i32 {
        let safe_check = self.check_squares.is_direct(piece.kind(), mv.to())
            && self.worker.position.see_ge(self.worker.sliders, mv, -params::order_check_see_margin());
        if safe_check { params::order_check() } else { 0 }
    }

    /// The bonus of a move out of the attack of a lesser piece, less the malus of a move into one.
    // CITE: Stockfish, Reckless.
    #[inline(always)]
    fn escape_bonus(&self, piece: Piece, mv: Move) -> i32 {
        if mv.is_castle() {
            return 0;
        }
        let attacked = self.attacks_by_lesser[piece.kind().index()];
        let escape = match piece.kind() {
            PieceType::Knight | PieceType::Bishop => params::order_escape_minor(),
            PieceType::Rook => params::order_escape_rook(),
            _ => params::order_escape_queen(),
        };
        i32::from(attacked.contains(mv.from())) * escape
            - i32::from(attacked.contains(mv.to())) * params::order_en_prise()
    }
}

/// For each piece type, the squares attacked by less valuable pieces of the opponent.
fn attacks_by_lesser_pieces<S: Sliders>(worker: &Worker<S>) -> [Bitboard; PieceType::COUNT] {
    let board = worker.position.board();
    let (them, occupied) = (!board.side_to_move(), board.occupied());
    let pawns = board.pieces(them, PieceType::Pawn).pawn_attacks(them);
    let minors = board
        .pieces(them, PieceType::Bishop)
        .into_iter()
        .fold(pawns, |attacks, square| attacks | worker.sliders.bishop(square, occupied));
    let minors =
        board.pieces(them, PieceType::Knight).into_iter().fold(minors, |attacks, square| attacks | knight(square));
    let rooks = board
        .pieces(them, PieceType::Rook)
        .into_iter()
        .fold(minors, |attacks, square| attacks | worker.sliders.rook(square, occupied));
    [Bitboard::EMPTY, pawns, pawns, minors, rooks, Bitboard::EMPTY]
}
