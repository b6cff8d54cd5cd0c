//! The fully legal move generator.
//!
//! Checkers, pinned men and the squares the king may not enter are found once per node; with them only legal moves
//! are emitted, and nothing has to be made and unmade to see whether it was allowed. One walk over the board serves
//! every use: it hands sets of moves to a [`Sink`], which lists them, counts them, or goes on from them.

mod generator;
mod legality;
mod outcome;
mod sink;

pub use generator::{generate_as, generate_into};
pub use legality::is_legal;
pub use sink::{Counter, PawnStep, Sink};

use crate::{
    attacks::Sliders,
    position::{Board, Masks, Position},
    types::MoveList,
};

/// Which moves to generate.
pub trait Stage {
    /// Captures and promotions to a queen: see [`Move::is_noisy`](crate::types::Move::is_noisy).
    const NOISY: bool;
    /// Everything else.
    const QUIET: bool;
    /// The side to move is known to be in check, so castling and far-away moves need no thought.
    const EVASIONS: bool = false;
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
/// All legal moves of a side that is in check; none for one that is not.
#[derive(Clone, Copy, Debug)]
pub struct Evasions;

impl Stage for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Stage for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Stage for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

impl Stage for Evasions {
    const NOISY: bool = true;
    const QUIET: bool = true;
    const EVASIONS: bool = true;
}

/// Appends the legal moves of one stage to a list.
#[inline]
pub fn generate<S: Sliders, K: Stage>(sliders: S, position: &Position, moves: &mut MoveList) {
    generate_into::<S, K>(sliders, position.board(), position.masks(), moves);
}

/// All legal moves, for callers that are in no hurry: no slider tables are needed.
///
/// ```
/// # use sleight::{movegen::legal_moves, position::Position};
/// assert_eq!(legal_moves(&Position::startpos()).len(), 20);
/// ```
pub fn legal_moves(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    generate::<_, All>(crate::attacks::Rays, position, &mut moves);
    moves
}

/// How many legal moves there are, without listing them.
#[inline]
pub fn count_legal<S: Sliders>(sliders: S, board: &Board) -> u64 {
    let mut counter = Counter::default();
    generate_into::<S, All>(sliders, board, &Masks::of(board), &mut counter);
    counter.0
}
