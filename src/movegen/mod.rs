//! The fully legal move generator.
//!
//! Checkers and pinned pieces are computed once per node, king danger squares once per call, so that only legal moves
//! are emitted and none has to be made to test its legality. The generator passes sets of moves to a [`Sink`], which
//! lists them, counts them, or plays them.

mod generator;
mod is_legal;
mod sink;

pub use generator::{generate_as, generate_into};
pub use is_legal::is_legal;
pub use sink::{PawnStep, Sink, SliderSets};

use crate::{
    position::{Board, CheckersAndPins, Position},
    types::MoveList,
};

/// The set of moves to generate.
pub trait GenType {
    /// Captures and promotions to a queen: see [`Move::is_noisy`](crate::types::Move::is_noisy).
    const NOISY: bool;
    /// All other moves.
    const QUIET: bool;
    /// Castling, among the quiet moves. Where it is known that there are no castling rights, the test can be left out.
    const CASTLING: bool = Self::QUIET;
}

/// All legal moves.
#[derive(Clone, Copy, Debug)]
pub struct All;
/// Legal captures and promotions to a queen.
#[derive(Clone, Copy, Debug)]
pub struct Noisy;
/// Legal moves that are not [`Noisy`].
#[derive(Clone, Copy, Debug)]
pub struct Quiet;

impl GenType for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl GenType for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl GenType for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// Appends the legal moves of one type to a list.
#[inline]
pub fn generate<K: GenType>(position: &Position, moves: &mut MoveList) {
    generate_into::<K>(position.board(), position.checkers_and_pins(), moves);
}

/// All legal moves, for callers where speed does not matter.
///
/// ```
/// # use sleight::{movegen::legal_moves, position::Position};
/// assert_eq!(legal_moves(&Position::startpos()).len(), 20);
/// ```
pub fn legal_moves(position: &Position) -> MoveList {
    list(position.board(), position.checkers_and_pins())
}

/// [`legal_moves`] of a bare board.
pub fn board_moves(board: &Board) -> MoveList {
    list(board, &CheckersAndPins::of(board))
}

#[inline(never)]
fn list(board: &Board, checkers_and_pins: &CheckersAndPins) -> MoveList {
    let mut moves = MoveList::new();
    generate_into::<All>(board, checkers_and_pins, &mut moves);
    moves
}
