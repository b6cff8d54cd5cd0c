//! What earlier parts of the search learned: which moves tend to cut, and how the evaluation tends to err.

mod correction;
mod stat;

pub use correction::{Correction, CorrectionKeys};
pub use stat::Stat;

use std::io;

use bytemuck::Zeroable;

use crate::{
    params::*,
    types::{Bitboard, Color, Key, Move, Piece, PieceType, Square},
};

const MAX: i32 = 16_384;

/// The history of one kind of move.
pub type MoveStat = Stat<MAX>;

/// By piece and target square.
type PieceTo<T> = [[T; Square::COUNT]; Piece::COUNT];

/// Which move came before, as an index into the continuation history.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Context(Option<(Piece, Square)>);

impl Context {
    /// No move: before the root, or a null move.
    pub const NONE: Self = Self(None);

    /// The piece that moved and where it went.
    #[inline(always)]
    pub const fn new(piece: Piece, to: Square) -> Self {
        Self(Some((piece, to)))
    }
}

const PAWN_SLOTS: usize = 1024;

/// Statistics about moves, one set for each search thread. They persist from move to move of a game.
#[derive(Zeroable)]
#[repr(C)]
pub struct Histories {
    /// Quiet moves: color; whether the origin and the target are attacked; origin and target.
    quiet: [[[[MoveStat; 64 * 64]; 2]; 2]; Color::COUNT],
    /// Noisy moves: piece, target, what is taken (a king's place stands for nothing: a plain promotion).
    noisy: PieceTo<[MoveStat; PieceType::COUNT]>,
    /// Quiet moves after an earlier move: that move's piece and target; piece, target.
    continuation: PieceTo<PieceTo<MoveStat>>,
    /// Quiet moves in a pawn structure: low bits of the pawn key; piece, target.
    pawn: [PieceTo<MoveStat>; PAWN_SLOTS],
    /// How the evaluation errs.
    pub correction: Correction,
}

/// Where a quiet move's statistics are kept.
#[derive(Clone, Copy, Debug)]
pub struct QuietKey {
    /// The moving piece.
    pub piece: Piece,
    /// The move.
    pub mv: Move,
    /// What the opponent attacks.
    pub threats: Bitboard,
    /// The key of the pawns.
    pub pawn_key: Key,
}

impl Histories {
    /// Empty statistics: some MiB.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new() -> io::Result<Box<Self>> {
        // A literal would be built on the stack first.
        bytemuck::allocation::try_zeroed_box().map_err(|()| io::ErrorKind::OutOfMemory.into())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        bytemuck::write_zeroes(self);
    }

    /// The butterfly history of a quiet move, `-16384..=16384`.
    #[inline(always)]
    pub fn quiet(&self, key: &QuietKey) -> i32 {
        let (from, to) = (key.threats.contains(key.mv.from()), key.threats.contains(key.mv.to()));
        self.quiet[key.piece.color().index()][usize::from(from)][usize::from(to)][key.mv.from_to()].get()
    }

    /// The pawn-structure history of a quiet move, `-16384..=16384`.
    #[inline(always)]
    pub fn pawn(&self, key: &QuietKey) -> i32 {
        self.pawn[pawn_slot(key.pawn_key)][key.piece.index()][key.mv.to().index()].get()
    }

    /// The history of a quiet move after an earlier one, `-16384..=16384`; zero after none.
    #[inline(always)]
    pub fn continuation(&self, context: Context, piece: Piece, to: Square) -> i32 {
        let Some((earlier, square)) = context.0 else { return 0 };
        self.continuation[earlier.index()][square.index()][piece.index()][to.index()].get()
    }

    /// The history of a noisy move, `-16384..=16384`.
    #[inline(always)]
    pub fn noisy(&self, piece: Piece, to: Square, captured: Option<PieceType>) -> i32 {
        self.noisy[piece.index()][to.index()][captured.unwrap_or(PieceType::King).index()].get()
    }

    /// Rewards or punishes a quiet move.
    #[inline]
    pub fn update_quiet(&mut self, key: &QuietKey, bonus: i32) {
        let (from, to) = (key.threats.contains(key.mv.from()), key.threats.contains(key.mv.to()));
        let color = key.piece.color().index();
        self.quiet[color][usize::from(from)][usize::from(to)][key.mv.from_to()].update(bonus);
        self.pawn[pawn_slot(key.pawn_key)][key.piece.index()][key.mv.to().index()].update(bonus);
    }

    /// Rewards or punishes a quiet move after an earlier one.
    #[inline]
    pub fn update_continuation(&mut self, context: Context, piece: Piece, to: Square, bonus: i32) {
        if let Some((earlier, square)) = context.0
            && rules::continuation_history()
        {
            self.continuation[earlier.index()][square.index()][piece.index()][to.index()].update(bonus);
        }
    }

    /// Rewards or punishes a noisy move.
    #[inline]
    pub fn update_noisy(&mut self, piece: Piece, to: Square, captured: Option<PieceType>, bonus: i32) {
        self.noisy[piece.index()][to.index()][captured.unwrap_or(PieceType::King).index()].update(bonus);
    }
}

/// The tables that score the quiet moves of one position.
pub struct QuietHistories<'a> {
    quiet: &'a [[[MoveStat; 64 * 64]; 2]; 2],
    pawn: &'a PieceTo<MoveStat>,
    continuation: [Option<&'a PieceTo<MoveStat>>; 4],
    threats: Bitboard,
}

impl Histories {
    /// The tables for `side` to move, with what the opponent attacks and the moves 1, 2, 4 and 6 plies ago.
    #[inline]
    pub fn quiet_view(
        &self,
        side: Color,
        threats: Bitboard,
        pawn_key: Key,
        contexts: &[Context; 4],
    ) -> QuietHistories<'_> {
        let table = |context: Context| context.0.map(|(piece, to)| &self.continuation[piece.index()][to.index()]);
        QuietHistories {
            quiet: &self.quiet[side.index()],
            pawn: &self.pawn[pawn_slot(pawn_key)],
            continuation: contexts.map(table),
            threats,
        }
    }
}

impl QuietHistories<'_> {
    /// How promising a quiet move looks, by all the tables together.
    #[inline(always)]
    pub fn score(&self, piece: Piece, mv: Move) -> i32 {
        let (from, to) = (self.threats.contains(mv.from()), self.threats.contains(mv.to()));
        let at = |table: &PieceTo<MoveStat>| table[piece.index()][mv.to().index()].get();
        let after = |index: usize| self.continuation[index].map_or(0, at);
        (order_quiet() * self.quiet[usize::from(from)][usize::from(to)][mv.from_to()].get()
            + order_pawn() * at(self.pawn)
            + order_continuation_1() * after(0)
            + order_continuation_2() * after(1)
            + order_continuation_4() * after(2)
            + order_continuation_6() * after(3))
            / 8
    }
}

#[inline(always)]
fn pawn_slot(key: Key) -> usize {
    key as usize % PAWN_SLOTS
}
