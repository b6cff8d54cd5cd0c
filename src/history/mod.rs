//! History heuristics: statistics of moves that failed high (move ordering, pruning, reductions), and of the errors of
//! the static evaluation (correction history). Butterfly, capture and pawn history are here, one table each.

mod continuation;
mod correction;
mod stat;

pub(crate) use continuation::{CONTINUATION_PLIES, ContinuationHistory, ContinuationKey, ContinuationKeys};
pub(crate) use correction::{CorrectionHistory, CorrectionKeys};
pub(crate) use stat::{MoveStat, PieceTo};

use std::io;

use bytemuck::Zeroable;

use crate::{
    params,
    types::{Bitboard, Color, Depth, Key, Move, Piece, PieceType, Square},
};

/// The butterfly history of one side, by [`butterfly_index`].
type Butterfly = [MoveStat; 4 * 64 * 64];

/// Entries of the pawn history, indexed by the low bits of the pawn key.
const PAWN_SLOTS: usize = 1024;

/// The history bonus of a move that failed high at this depth.
// CITE: Reckless, akimbo - a linear bonus with an upper limit, and a malus of its own for moves searched in vain.
#[inline]
pub(crate) fn history_bonus(depth: Depth) -> i32 {
    (params::history_bonus_factor() * depth - params::history_bonus_offset()).min(params::history_bonus_max())
}

/// The history malus of a move searched before the one that failed high at this depth.
#[inline]
pub(crate) fn history_malus(depth: Depth) -> i32 {
    (params::history_malus_factor() * depth - params::history_malus_offset()).min(params::history_malus_max())
}

/// The histories of one search thread. They persist from one search to the next within a game; the butterfly history is
/// [aged](Histories::age) in between.
// CITE: Jonathan Schaeffer - history heuristic; Dap Hartmann - butterfly boards; akimbo, Berserk - butterfly history by
// threats; Stockfish, by way of Reckless - capture history and pawn history.
#[derive(Zeroable)]
#[repr(C)]
pub(crate) struct Histories {
    /// Butterfly history of quiet moves: `[color][butterfly index]`
    butterfly: [Butterfly; Color::COUNT],
    /// Capture history of noisy moves: `[piece][target][captured type]`, a king's index standing for a promotion
    /// without capture.
    capture: PieceTo<[MoveStat; PieceType::COUNT]>,
    /// Continuation history of quiet moves.
    pub continuation: ContinuationHistory,
    /// Pawn history of quiet moves: `[pawn key][piece][target]`
    pawn: [PieceTo<MoveStat>; PAWN_SLOTS],
    /// Correction history: errors of the static evaluation.
    pub correction: CorrectionHistory,
}

/// The index of a quiet move's butterfly history.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ButterflyKey {
    /// The side that moves.
    pub side: Color,
    /// The quiet move.
    pub mv: Move,
    /// Squares attacked by the opponent.
    pub threats: Bitboard,
}

impl Histories {
    /// Creates empty histories, about 4 MiB.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn new() -> io::Result<Box<Self>> {
        // On the heap from the start: a literal would be built on the stack first.
        bytemuck::allocation::try_zeroed_box().map_err(|()| io::ErrorKind::OutOfMemory.into())
    }

    /// Clears all histories, for a new game.
    pub(crate) fn clear(&mut self) {
        bytemuck::write_zeroes(self);
    }

    /// Ages the butterfly history at the start of a search, since what earlier searches found says less about another
    /// position.
    // CITE: Stockfish - a factor of 3/4. Measured here at 30,000 nodes a move: +5 ± 5 Elo, on the clock +2 ± 8.
    pub(crate) fn age(&mut self) {
        for stat in self.butterfly.as_flattened_mut() {
            stat.scale(params::history_ageing());
        }
    }

    /// The butterfly history of a quiet move, `-16384..=16384`.
    #[inline(always)]
    pub(crate) fn butterfly(&self, key: ButterflyKey) -> i32 {
        self.butterfly[key.side.index()][butterfly_index(key.threats, key.mv)].get()
    }

    /// The capture history of a noisy move, `-16384..=16384`.
    #[inline(always)]
    pub(crate) fn capture(&self, piece: Piece, to: Square, captured: Option<PieceType>) -> i32 {
        self.capture[piece.index()][to.index()][captured.unwrap_or(PieceType::King).index()].get()
    }

    /// Adds a bonus, or a negative malus, to the butterfly history of a quiet move.
    #[inline]
    pub(crate) fn update_butterfly(&mut self, key: ButterflyKey, bonus: i32) {
        self.butterfly[key.side.index()][butterfly_index(key.threats, key.mv)].update(bonus);
    }

    /// Adds a bonus or malus to the pawn history of a quiet move.
    #[inline]
    pub(crate) fn update_pawn(&mut self, pawn_key: Key, piece: Piece, to: Square, bonus: i32) {
        self.pawn[pawn_slot(pawn_key)][piece.index()][to.index()].update(bonus);
    }

    /// Adds a bonus or malus to the capture history of a noisy move.
    #[inline]
    pub(crate) fn update_capture(&mut self, piece: Piece, to: Square, captured: Option<PieceType>, bonus: i32) {
        self.capture[piece.index()][to.index()][captured.unwrap_or(PieceType::King).index()].update(bonus);
    }
}

/// The histories that order the quiet moves of one position.
pub(crate) struct QuietHistories<'a> {
    butterfly: &'a Butterfly,
    pawn: &'a PieceTo<MoveStat>,
    continuation: [&'a PieceTo<MoveStat>; CONTINUATION_PLIES.len()],
    threats: Bitboard,
}

/// The histories that order the quiet moves of one piece: those of [`QuietHistories`], looked up for the piece.
pub(crate) struct PieceHistories<'a> {
    butterfly: &'a Butterfly,
    pawn: &'a [MoveStat; Square::COUNT],
    continuation: [&'a [MoveStat; Square::COUNT]; CONTINUATION_PLIES.len()],
    threats: Bitboard,
}

impl Histories {
    /// The histories for `side` to move, given the opponent's threats, the pawn key, and the moves before.
    #[inline]
    pub(crate) fn quiet_histories(
        &self,
        side: Color,
        threats: Bitboard,
        pawn_key: Key,
        keys: &ContinuationKeys,
    ) -> QuietHistories<'_> {
        QuietHistories {
            butterfly: &self.butterfly[side.index()],
            pawn: &self.pawn[pawn_slot(pawn_key)],
            continuation: keys.map(|key| self.continuation.after(key)),
            threats,
        }
    }
}

impl<'a> QuietHistories<'a> {
    /// The histories of the moves of one piece.
    #[inline(always)]
    pub(crate) fn of(&self, piece: Piece) -> PieceHistories<'a> {
        PieceHistories {
            butterfly: self.butterfly,
            pawn: &self.pawn[piece.index()],
            continuation: self.continuation.map(|table| &table[piece.index()]),
            threats: self.threats,
        }
    }
}

impl PieceHistories<'_> {
    /// The move ordering score of a quiet move of the piece: the weighted sum of its histories.
    #[inline(always)]
    pub(crate) fn score(&self, mv: Move) -> i32 {
        let after = |index: usize| self.continuation[index][mv.to().index()].get();
        (params::order_butterfly() * self.butterfly[butterfly_index(self.threats, mv)].get()
            + params::order_pawn() * self.pawn[mv.to().index()].get()
            + params::order_continuation_1() * after(0)
            + params::order_continuation_2() * after(1)
            + params::order_continuation_4() * after(2)
            + params::order_continuation_6() * after(3))
            / 8
    }
}

/// The index of a quiet move: whether its origin and its target are attacked, then origin and target.
#[inline(always)]
fn butterfly_index(threats: Bitboard, mv: Move) -> usize {
    let [from, to] = [mv.from(), mv.to()].map(|square| usize::from(threats.contains(square)));
    (2 * from + to) * 64 * 64 + mv.from_to()
}

#[inline(always)]
fn pawn_slot(key: Key) -> usize {
    key as usize % PAWN_SLOTS
}
