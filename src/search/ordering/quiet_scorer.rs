//! Move ordering scores of quiet moves.

use super::scored_moves::ScoredMoves;
use crate::{
    attacks::{bishop, knight, rook},
    history::QuietHistories,
    movegen::{PawnStep, Sink},
    params,
    position::{Board, CheckSquares, Position},
    search::tree::Tree,
    types::{Bitboard, Color, Move, MoveKind, Piece, PieceType, Square},
};

/// Scores the quiet moves of one node as they are generated. What all moves of a node or of a piece share is looked up
/// once.
pub(super) struct QuietScorer<'a> {
    position: &'a Position,
    side: Color,
    histories: QuietHistories<'a>,
    check_squares: &'a CheckSquares,
    attacks_by_lesser: [Bitboard; PieceType::COUNT],
    moves: &'a mut ScoredMoves,
}

impl<'a> QuietScorer<'a> {
    pub(super) fn new(tree: &'a Tree, ply: usize, check_squares: &'a CheckSquares, moves: &'a mut ScoredMoves) -> Self {
        let (threats, pawn_key) = (tree.stack[ply].threats, tree.position.keys().pawn);
        let side = tree.position.side_to_move();
        Self {
            position: &tree.position,
            side,
            histories: tree.histories.quiet_histories(side, threats, pawn_key, &tree.continuation_keys(ply)),
            check_squares,
            attacks_by_lesser: attacks_by_lesser_pieces(tree.position.board()),
            moves,
        }
    }

    /// Adds the moves of pieces of one type to each of `targets`. `escape` is the bonus of leaving the origin, `checks`
    /// the targets where a move gives check.
    #[inline(always)]
    fn add(
        &mut self,
        piece_type: PieceType,
        targets: Bitboard,
        escape: i32,
        checks: Bitboard,
        to_move: impl Fn(Square) -> Move,
    ) {
        let histories = self.histories.of(Piece::new(piece_type, self.side));
        let en_prise = self.attacks_by_lesser[piece_type.index()];
        for to in targets {
            let mv = to_move(to);
            let gives_check = checks.contains(to);
            let bonus = escape + if gives_check { self.check_bonus(piece_type, mv) } else { 0 };
            let malus = if en_prise.contains(to) { params::order_en_prise() } else { 0 };
            self.moves.push(mv, histories.score(mv) + bonus - malus, gives_check);
        }
    }

    /// The bonus of a move that gives direct check from a square where the piece is not lost.
    // CITE: Stockfish - direct checks with a SEE condition; Reckless - direct checks. Measured here: +18 ± 8 Elo.
    #[inline(always)]
    fn check_bonus(&self, piece_type: PieceType, mv: Move) -> i32 {
        let safe_check = self.check_squares.direct(piece_type).contains(mv.to())
            && self.position.see_ge(mv, -params::order_check_see_margin());
        if safe_check { params::order_check() } else { 0 }
    }

    fn gives_check(&self, mv: Move) -> bool {
        self.position.gives_check(self.check_squares, mv)
    }

    /// The bonus of a move out of the attack of a lesser piece.
    // CITE: Stockfish, Reckless. Measured here, with the malus for moves into such an attack: +20 ± 7 Elo.
    #[inline(always)]
    fn escape_bonus(&self, piece_type: PieceType, from: Square) -> i32 {
        if !self.attacks_by_lesser[piece_type.index()].contains(from) {
            return 0;
        }
        match piece_type {
            PieceType::Knight | PieceType::Bishop => params::order_escape_minor(),
            PieceType::Rook => params::order_escape_rook(),
            _ => params::order_escape_queen(),
        }
    }
}

impl Sink for QuietScorer<'_> {
    #[inline(always)]
    fn piece(&mut self, piece_type: PieceType, from: Square, _: Bitboard, quiets: Bitboard) {
        let escape = self.escape_bonus(piece_type, from);
        let checks = self.check_squares.direct(piece_type) | self.check_squares.discovered(from);
        self.add(piece_type, quiets, escape, checks, |to| Move::new(from, to, MoveKind::Quiet));
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: PawnStep, kind: MoveKind) {
        let to_move = |to| Move::new(step.origin(to), to, kind);
        let mut checks = self.check_squares.direct(PieceType::Pawn);
        if !self.check_squares.discovered_check_candidates().is_empty() {
            let discovered = |to| self.check_squares.discovered(step.origin(to)).contains(to);
            checks |= targets.filter(|&to| discovered(to)).collect();
        }
        self.add(PieceType::Pawn, targets, 0, checks, to_move);
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: PawnStep, piece_type: PieceType) {
        let to_move = |to| Move::new(step.origin(to), to, step.promotion(piece_type));
        let checks = targets.filter(|&to| self.gives_check(to_move(to))).collect();
        self.add(PieceType::Pawn, targets, 0, checks, to_move);
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        unreachable!("en passant is no quiet move");
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        let mv = Move::new(king, rook, MoveKind::Castle);
        let checks = if self.gives_check(mv) { rook.into() } else { Bitboard::EMPTY };
        self.add(PieceType::King, rook.into(), 0, checks, |_| mv);
    }
}

/// For each piece type, the squares attacked by less valuable pieces of the opponent.
fn attacks_by_lesser_pieces(board: &Board) -> [Bitboard; PieceType::COUNT] {
    let (them, occupied) = (!board.side_to_move(), board.occupied());
    let pawns = board.pieces(them, PieceType::Pawn).pawn_attacks(them);
    let minors = board
        .pieces(them, PieceType::Bishop)
        .into_iter()
        .fold(pawns, |attacks, square| attacks | bishop(square, occupied));
    let minors =
        board.pieces(them, PieceType::Knight).into_iter().fold(minors, |attacks, square| attacks | knight(square));
    let rooks = board
        .pieces(them, PieceType::Rook)
        .into_iter()
        .fold(minors, |attacks, square| attacks | rook(square, occupied));
    [Bitboard::EMPTY, pawns, pawns, minors, rooks, Bitboard::EMPTY]
}
