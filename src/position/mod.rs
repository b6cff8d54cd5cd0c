//! Positions: board, Zobrist keys, game history, FEN, make and unmake, static exchange evaluation (SEE).
//!
//! [`Setup`] describes a position and is not checked. [`Board`] is the rules alone, a small `Copy` value. [`Position`]
//! wraps it with what a search needs besides: a mailbox, incremental keys, [`CheckersAndPins`], an undo stack and the
//! game's history.

mod apply;
mod board;
mod castling;
mod cuckoo;
mod draws;
mod fen;
mod fen_error;
mod gives_check;
mod make;
mod pins;
mod see;
mod setup;
mod start_positions;
mod validate;
mod zobrist;

pub use board::Board;
pub use castling::CastlingPaths;
pub use fen::STARTPOS;
pub use fen_error::{FenError, FenRepair};
pub use gives_check::CheckSquares;
pub use make::Change;
pub use pins::CheckersAndPins;
pub use setup::Setup;
pub use validate::IllegalPosition;
pub use zobrist::Keys;
use zobrist::fifty_move_key;

use crate::types::{Color, Key, Piece, PieceType, Square};

/// A position together with the moves that led to it.
///
/// ```
/// # use sleight::position::Position;
/// let position = Position::startpos();
/// assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
/// ```
#[derive(Debug)]
pub struct Position {
    state: State,
    /// The full key of every earlier position of the game, oldest first.
    key_history: Vec<Key>,
    /// The states that [`Self::unmake`] restores: at least as long as `key_history`; entries beyond that are stale.
    undo_stack: Vec<Undo>,
    /// Plies before this position, counted from the first move of the game.
    game_ply: u32,
}

/// All that a move changes and [`Position::unmake`] restores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    board: Board,
    mailbox: [Option<Piece>; 64],
    keys: Keys,
    checkers_and_pins: CheckersAndPins,
    /// Plies since the last capture or pawn move.
    halfmoves: u16,
    /// Plies since the last null move or the start.
    since_null: u16,
}

#[derive(Clone, Copy, Debug)]
struct Undo {
    state: State,
    /// The change made by the move; `None` for a null move.
    change: Option<Change>,
}

impl Position {
    /// The position of a board that [`validate`] has accepted.
    fn new(board: Board, halfmoves: u16, game_ply: u32) -> Self {
        let mut mailbox = [None; 64];
        for square in board.occupied() {
            mailbox[square.index()] = board.piece_at(square);
        }
        let (keys, checkers_and_pins) = (Keys::of(&board), CheckersAndPins::of(&board));
        let state = State { board, mailbox, keys, checkers_and_pins, halfmoves, since_null: 0 };
        Self { state, undo_stack: Vec::with_capacity(256), key_history: Vec::with_capacity(256), game_ply }
    }

    /// The memory of the history, in bytes, without room to spare.
    pub(crate) fn history_bytes(&self) -> usize {
        self.key_history.len() * size_of::<Key>() + self.undo_stack.len() * size_of::<Undo>()
    }

    /// The bare board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.state.board
    }

    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.board().side_to_move()
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.state.mailbox[square.index()]
    }

    /// The checkers and pinned pieces of the side to move.
    #[inline(always)]
    pub fn checkers_and_pins(&self) -> &CheckersAndPins {
        &self.state.checkers_and_pins
    }

    /// Returns true if the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        !self.state.checkers_and_pins.checkers.is_empty()
    }

    /// All Zobrist keys.
    #[inline(always)]
    pub fn keys(&self) -> &Keys {
        &self.state.keys
    }

    /// The Zobrist key of the position: pieces, side to move, castling rights, en passant.
    #[inline(always)]
    pub fn key(&self) -> Key {
        self.state.keys.full
    }

    /// The transposition table (TT) key: [`Self::key`] with the halfmove clock mixed in from 24 plies on, in steps of
    /// eight, since positions late in the fifty-move count differ in value by that count.
    // CITE: Stockfish, by way of Reckless - a bucketed fifty-move counter in the TT key. Reckless reports +9.7 and
    // +4.6 Elo; not measured here.
    #[inline(always)]
    pub fn tt_key(&self) -> Key {
        self.key() ^ fifty_move_key(self.state.halfmoves)
    }

    /// Plies since the last capture or pawn move: 100 of them are a draw by the fifty-move rule.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.state.halfmoves
    }

    /// The number of the current move, from 1, as in FEN.
    pub fn fullmove_number(&self) -> u32 {
        self.game_ply / 2 + 1
    }

    /// Plies since the game began, according to the FEN's fullmove number.
    #[inline(always)]
    pub fn game_ply(&self) -> u32 {
        self.game_ply
    }

    /// Plies that can be taken back.
    #[inline(always)]
    pub fn plies(&self) -> usize {
        self.key_history.len()
    }

    /// [`Self::key`] of the position from which [`Self::unmake`] takes back `ply` plies, at most [`Self::plies`].
    #[inline(always)]
    pub fn key_at(&self, ply: usize) -> Key {
        self.key_history.get(ply).copied().unwrap_or(self.state.keys.full)
    }

    /// The change by the move to that position; `None` for a null move and the first position.
    #[inline(always)]
    pub fn change_at(&self, ply: usize) -> Option<&Change> {
        self.undo_stack.get(ply.wrapping_sub(1))?.change.as_ref()
    }

    /// Returns true if the side to move has a knight, bishop, rook or queen: null-move pruning is unsound in pawn
    /// endgames for zugzwang.
    #[inline(always)]
    pub fn has_non_pawn_material(&self) -> bool {
        let us = self.side_to_move();
        let board = self.board();
        let plain = board.of_type(PieceType::Pawn) | board.of_type(PieceType::King);
        !board.color(us).without(plain).is_empty()
    }

    /// Forgets the positions before this one: none of them can be repeated or returned to any more, and copies of the
    /// position are cheap. After a capture or a pawn move nothing else changes.
    pub fn forget_history(&mut self) {
        self.key_history.clear();
        self.undo_stack.clear();
    }

    /// Compares all incrementally updated state with a computation from scratch. For tests.
    ///
    /// # Errors
    /// The name of the first part that is wrong.
    pub fn audit(&self) -> Result<(), &'static str> {
        let State { board, mailbox, keys, checkers_and_pins, .. } = &self.state;
        if !board.is_consistent() {
            return Err("bitboards");
        }
        if Square::ALL.into_iter().any(|square| mailbox[square.index()] != board.piece_at(square)) {
            return Err("mailbox");
        }
        if *keys != Keys::of(board) {
            return Err("keys");
        }
        if *checkers_and_pins != CheckersAndPins::of(board) {
            return Err("checkers and pins");
        }
        if board.en_passant().is_some() && !board.en_passant_is_possible() {
            return Err("en passant");
        }
        if self.undo_stack.len() < self.key_history.len() {
            return Err("history");
        }
        Ok(())
    }
}

impl Clone for Position {
    fn clone(&self) -> Self {
        let Self { state, ref key_history, ref undo_stack, game_ply } = *self;
        Self { state, key_history: key_history.clone(), undo_stack: undo_stack.clone(), game_ply }
    }

    /// Keeps the memory of the histories: every search begins with such a copy, and grows it again.
    fn clone_from(&mut self, other: &Self) {
        let Self { state, ref key_history, ref undo_stack, game_ply } = *other;
        self.key_history.clone_from(key_history);
        self.undo_stack.clone_from(undo_stack);
        (self.state, self.game_ply) = (state, game_ply);
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::startpos()
    }
}
