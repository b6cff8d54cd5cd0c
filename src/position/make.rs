//! Making and unmaking moves.
//!
//! A move is resolved once into its [`Change`], which the bitboards, the mailbox, the keys and the accumulators of the
//! network follow. Perft, which keeps bare boards alone, has a faster form in `apply.rs`; the tests compare the two.
//!
//! Unmake is a copy of all that the move has changed. It is some 200 bytes, which vector instructions copy in less time
//! than it takes to put the pieces back one by one.

use super::{
    Board, CheckersAndPins, Position, Undo,
    board::en_passant_victim,
    zobrist::{castling_key, en_passant_key, fifty_move_key, piece_key, side_key},
};
use crate::types::{Color, Key, Move, Piece, PieceType, Square};

/// The change that a move makes: at most two pieces move and one is removed. Stockfish's `DirtyPiece`.
///
/// No castling, en passant or promotion is left in it: pieces leave their squares (`removed`), then pieces
/// appear (`added`). In Chess960, one castling piece may appear where the other has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The piece that moves, and its origin.
    pub from: (Piece, Square),
    /// The same piece or the one promoted to, and its target; for castling, the king's final square.
    pub to: (Piece, Square),
    /// The captured piece or the castling rook, and its square.
    pub other_from: Option<(Piece, Square)>,
    /// The castling rook and its target.
    pub other_to: Option<(Piece, Square)>,
}

impl Change {
    /// The change that a legal move of `us` makes, on a board that has the pieces that `piece_at` names.
    #[inline(always)]
    fn of(mv: Move, us: Color, piece_at: impl Fn(Square) -> Option<Piece>) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let piece = piece_at(from).unwrap_or(Piece::new(PieceType::Pawn, us));
        if let Some(castling_side) = mv.castling_side() {
            let rook = Piece::new(PieceType::Rook, us);
            return Self {
                from: (piece, from),
                to: (piece, castling_side.king_to(us)),
                other_from: Some((rook, to)),
                other_to: Some((rook, castling_side.rook_to(us))),
            };
        }
        let victim = if mv.is_en_passant() { en_passant_victim(from, to) } else { to };
        let becomes = mv.promotion().map_or(piece, |piece_type| Piece::new(piece_type, us));
        let other_from = if mv.is_capture() { piece_at(victim).map(|piece| (piece, victim)) } else { None };
        Self { from: (piece, from), to: (becomes, to), other_from, other_to: None }
    }

    /// The pieces that leave their squares.
    #[inline(always)]
    fn removed(&self) -> impl Iterator<Item = (Piece, Square)> {
        [self.from].into_iter().chain(self.other_from)
    }

    /// The pieces that appear on their squares.
    #[inline(always)]
    fn added(&self) -> impl Iterator<Item = (Piece, Square)> {
        [self.to].into_iter().chain(self.other_to)
    }

    /// The captured piece and its square.
    #[inline(always)]
    pub fn captured(&self) -> Option<(Piece, Square)> {
        if self.other_to.is_some() { None } else { self.other_from }
    }

    /// Returns true for a capture or a pawn move, after which no earlier position can be repeated.
    #[inline(always)]
    fn is_irreversible(&self) -> bool {
        self.captured().is_some() || self.from.0.piece_type() == PieceType::Pawn
    }
}

impl Board {
    /// The board after a legal move; unspecified, but never unsafe, for an illegal one.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        next.apply_change(&Change::of(mv, self.side_to_move(), |square| self.piece_at(square)));
        next
    }

    /// Plays a legal move, given by its change.
    #[inline(always)]
    fn apply_change(&mut self, change: &Change) {
        let (piece, from) = change.from;
        let (_, to) = change.to;
        self.turn(piece.color());
        change.removed().chain(change.added()).for_each(|(piece, square)| self.toggle(piece, square));
        self.castling.remove_touched(from.bitboard() | to.into());
        // A double push.
        if piece.piece_type() == PieceType::Pawn && from.index().abs_diff(to.index()) == 16 {
            self.set_en_passant(to.backward(piece.color()));
        }
    }
}

impl Position {
    /// The change that a legal move makes.
    #[inline]
    pub fn change_of(&self, mv: Move) -> Change {
        debug_assert!(
            self.piece_at(mv.from()).is_some_and(|p| p.color() == self.side_to_move()),
            "{mv} in {}",
            self.fen()
        );
        Change::of(mv, self.side_to_move(), |square| self.piece_at(square))
    }

    /// Plays a legal move.
    ///
    /// A move that [`is_legal`](crate::movegen::is_legal) refuses leaves the position in an unspecified state.
    pub fn make(&mut self, mv: Move) {
        self.make_change(self.change_of(mv));
    }

    /// Plays a legal move, given by its [change](Self::change_of).
    #[inline]
    pub fn make_change(&mut self, change: Change) {
        self.push_undo(Some(change));
        let state = &mut self.state;
        let keys = &mut state.keys;
        keys.full ^=
            side_key() ^ castling_key(state.board.castling_rights()) ^ en_passant_key(state.board.en_passant());
        state.board.apply_change(&change);
        keys.full ^= castling_key(state.board.castling_rights()) ^ en_passant_key(state.board.en_passant());
        change.removed().for_each(|(piece, square)| {
            keys.toggle(piece, square);
            state.mailbox[square.index()] = None;
        });
        change.added().for_each(|(piece, square)| {
            keys.toggle(piece, square);
            state.mailbox[square.index()] = Some(piece);
        });
        state.checkers_and_pins = CheckersAndPins::of(&state.board);
        state.since_null = state.since_null.saturating_add(1);
        state.halfmoves = if change.is_irreversible() { 0 } else { state.halfmoves.saturating_add(1) };
        self.game_ply += 1;
    }

    /// Takes back the last move or null move. Does nothing at the first position.
    pub fn unmake(&mut self) {
        if self.key_history.pop().is_some() {
            self.state = self.undo_stack[self.key_history.len()].state;
            self.game_ply -= 1;
        }
    }

    /// Makes a null move. The side to move must not be in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.push_undo(None);
        self.state.keys.full = self.key_after_null();
        self.state.board = self.board().pass();
        self.state.checkers_and_pins = CheckersAndPins::of(&self.state.board);
        self.state.halfmoves = self.state.halfmoves.saturating_add(1);
        self.state.since_null = 0;
        self.game_ply += 1;
    }

    /// [`Self::tt_key`] after a move, for prefetching the transposition table: exact unless the move changes castling
    /// rights or makes an en-passant capture possible.
    #[inline]
    pub fn tt_key_after(&self, change: &Change) -> Key {
        let pieces = change.removed().chain(change.added());
        let key = pieces.fold(self.key_after_null(), |key, (piece, square)| key ^ piece_key(piece, square));
        key ^ if change.is_irreversible() { 0 } else { fifty_move_key(self.state.halfmoves.saturating_add(1)) }
    }

    /// [`Self::tt_key`] after a null move.
    #[inline]
    pub fn tt_key_after_null(&self) -> Key {
        self.key_after_null() ^ fifty_move_key(self.state.halfmoves.saturating_add(1))
    }

    /// [`Self::key`] after a null move.
    #[inline(always)]
    fn key_after_null(&self) -> Key {
        self.state.keys.full ^ side_key() ^ en_passant_key(self.board().en_passant())
    }

    #[inline]
    fn push_undo(&mut self, change: Option<Change>) {
        let undo = Undo { state: self.state, change };
        match self.undo_stack.get_mut(self.key_history.len()) {
            Some(entry) => *entry = undo,
            None => self.undo_stack.push(undo),
        }
        self.key_history.push(self.state.keys.full);
    }
}
