//! Making and unmaking moves.

use super::{
    CheckersAndPins, Position, Undo,
    zobrist::{castling_key, en_passant_key, fifty_move_key, piece_key, side_key},
};
use crate::types::{Key, Move, Piece, PieceType, Square};

/// The pieces that a move changes: Stockfish's `DirtyPiece`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The piece that moves.
    pub piece: Piece,
    /// Its origin.
    pub from: Square,
    /// Its target; for castling, the king's final square.
    pub to: Square,
    /// The piece on the target afterwards: the same, or the one promoted to.
    pub becomes: Piece,
    /// The captured piece and its square.
    pub captured: Option<(Piece, Square)>,
    /// Origin and target of the castling rook.
    pub castled_rook: Option<(Square, Square)>,
}

impl Position {
    /// The change that a legal move makes.
    #[inline]
    pub fn change_of(&self, mv: Move) -> Change {
        let (from, to) = (mv.from(), mv.to());
        let us = self.side_to_move();
        let piece = self.mailbox[from.index()].unwrap_or(Piece::new(PieceType::Pawn, us));
        debug_assert!(self.mailbox[from.index()].is_some_and(|p| p.color() == us), "{mv} in {}", self.fen());
        if let Some(castling_side) = mv.castling_side() {
            let (king_to, rook_to) = (castling_side.king_to(us), castling_side.rook_to(us));
            let castled_rook = Some((to, rook_to));
            return Change { piece, from, to: king_to, becomes: piece, captured: None, castled_rook };
        }
        let victim = if mv.is_en_passant() { Square::new(to.file(), from.rank()) } else { to };
        let captured = self.mailbox[victim.index()].map(|piece| (piece, victim));
        let becomes = mv.promotion().map_or(piece, |piece_type| Piece::new(piece_type, us));
        Change { piece, from, to, becomes, captured, castled_rook: None }
    }

    /// Plays a legal move.
    ///
    /// A move that [`is_legal`](crate::movegen::is_legal) refuses leaves the position in an unspecified state.
    pub fn make(&mut self, mv: Move) {
        let change = self.change_of(mv);
        self.push_undo(Some(change));

        let before = self.board;
        self.board.apply(change.piece.piece_type(), mv);
        self.apply_to_mailbox(&change);
        self.apply_to_keys(&change);
        let keys = &mut self.state.keys;
        keys.full ^= side_key()
            ^ castling_key(before.castling_rights())
            ^ castling_key(self.board.castling_rights())
            ^ en_passant_key(before.en_passant())
            ^ en_passant_key(self.board.en_passant());

        self.state.checkers_and_pins = CheckersAndPins::of(&self.board);
        self.state.since_null = self.state.since_null.saturating_add(1);
        let irreversible = change.captured.is_some() || change.piece.piece_type() == PieceType::Pawn;
        self.state.halfmoves = if irreversible { 0 } else { self.state.halfmoves.saturating_add(1) };
        self.game_ply += 1;
    }

    /// Takes back the last move. Does nothing at the first position.
    pub fn unmake(&mut self) {
        if self.key_history.pop().is_none() {
            return;
        }
        let undo = &self.undo_stack[self.key_history.len()];
        self.board = undo.board;
        self.state = undo.state;
        let change = undo.change;
        self.game_ply -= 1;
        if let Some(change) = change {
            self.revert_mailbox(&change);
        }
    }

    /// Makes a null move. The side to move must not be in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.push_undo(None);
        self.state.keys.full = self.key_after_null();
        self.board = self.board.pass();
        self.state.checkers_and_pins = CheckersAndPins::of(&self.board);
        self.state.halfmoves = self.state.halfmoves.saturating_add(1);
        self.state.since_null = 0;
        self.game_ply += 1;
    }

    /// Takes back a null move.
    pub fn unmake_null(&mut self) {
        self.unmake();
    }

    /// Plays a legal move that is not taken back.
    pub fn play(&mut self, mv: Move) {
        self.make(mv);
    }

    /// An approximation of [`Self::tt_key`] after a move, for prefetching the transposition table. It is exact unless
    /// the move castles, promotes, captures en passant, changes castling rights or makes an en-passant capture possible.
    #[inline]
    pub fn tt_key_after(&self, mv: Move) -> Key {
        let (from, to) = (mv.from(), mv.to());
        let (moved, captured) = (self.mailbox[from.index()], self.mailbox[to.index()]);
        let mut key = self.key_after_null();
        if let Some(piece) = moved {
            key ^= piece_key(piece, from) ^ piece_key(piece, to);
        }
        if let Some(captured) = captured {
            key ^= piece_key(captured, to);
        }
        let irreversible = captured.is_some() || moved.is_some_and(|piece| piece.piece_type() == PieceType::Pawn);
        key ^ if irreversible { 0 } else { fifty_move_key(self.state.halfmoves.saturating_add(1)) }
    }

    /// [`Self::tt_key`] after a null move.
    #[inline]
    pub fn tt_key_after_null(&self) -> Key {
        self.key_after_null() ^ fifty_move_key(self.state.halfmoves.saturating_add(1))
    }

    /// [`Self::key`] after a null move.
    #[inline(always)]
    fn key_after_null(&self) -> Key {
        self.state.keys.full ^ side_key() ^ en_passant_key(self.board.en_passant())
    }

    /// Pushes the position onto the undo stack. Field by field: a struct is built on the call stack first and copied
    /// from there.
    #[inline]
    fn push_undo(&mut self, change: Option<Change>) {
        match self.undo_stack.get_mut(self.key_history.len()) {
            Some(undo) => {
                undo.board = self.board;
                undo.state = self.state;
                undo.change = change;
            }
            None => self.undo_stack.push(Undo { board: self.board, state: self.state, change }),
        }
        self.key_history.push(self.state.keys.full);
    }

    #[inline]
    fn apply_to_mailbox(&mut self, change: &Change) {
        if let Some((_, square)) = change.captured {
            self.mailbox[square.index()] = None;
        }
        self.mailbox[change.from.index()] = None;
        if let Some((from, to)) = change.castled_rook {
            let rook = self.mailbox[from.index()].take();
            self.mailbox[to.index()] = rook;
        }
        self.mailbox[change.to.index()] = Some(change.becomes);
    }

    #[inline]
    fn revert_mailbox(&mut self, change: &Change) {
        self.mailbox[change.to.index()] = None;
        if let Some((from, to)) = change.castled_rook {
            self.mailbox[to.index()] = None;
            self.mailbox[from.index()] = Some(Piece::new(PieceType::Rook, change.piece.color()));
        }
        self.mailbox[change.from.index()] = Some(change.piece);
        if let Some((piece, square)) = change.captured {
            self.mailbox[square.index()] = Some(piece);
        }
    }

    #[inline]
    fn apply_to_keys(&mut self, change: &Change) {
        let keys = &mut self.state.keys;
        keys.toggle(change.piece, change.from);
        keys.toggle(change.becomes, change.to);
        if let Some((piece, square)) = change.captured {
            keys.toggle(piece, square);
        }
        if let Some((from, to)) = change.castled_rook {
            let rook = Piece::new(PieceType::Rook, change.piece.color());
            keys.toggle(rook, from);
            keys.toggle(rook, to);
        }
    }
}
