//! A list of moves with their move ordering scores.

use arrayvec::ArrayVec;

use crate::types::{Move, MoveList};

/// Scored moves, picked in descending order: a selection sort on demand.
// Score, index and check packed into one word are our own: with the generation out of line, 3684 instructions per node
// of bench became 2852 (docs/notes/performance.md).
pub(super) struct ScoredMoves {
    moves: MoveList,
    /// For each move its score, then 255 less its index, and in the lowest bit whether it gives check; so the greatest
    /// key is the best move's, and among equals the first one's. [`TAKEN`] for moves picked before.
    keys: ArrayVec<i32, 256>,
}

/// Bits of a key below the score.
const SCORE_SHIFT: u32 = 9;
/// The key of a picked move: below all others.
const TAKEN: i32 = i32::MIN;

/// A move of [`ScoredMoves`].
#[derive(Clone, Copy)]
pub(super) struct PickedMove {
    pub(super) mv: Move,
    pub(super) gives_check: bool,
}

impl ScoredMoves {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { moves: MoveList::new(), keys: ArrayVec::new() }
    }

    /// Removes all moves.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.keys.clear();
    }

    /// Adds a move. The absolute value of its score is below 2^22.
    #[inline(always)]
    pub(super) fn push(&mut self, mv: Move, score: i32, gives_check: bool) {
        debug_assert!(score.abs() < 1 << (31 - SCORE_SHIFT));
        let index = 255 - self.moves.len() as i32;
        // As with a list of generated moves, none is added to a full one.
        _ = self.keys.try_push(score << SCORE_SHIFT | index << 1 | i32::from(gives_check));
        _ = self.moves.try_push(mv);
    }

    /// Removes the moves that give no check.
    #[inline]
    pub(super) fn keep_checks(&mut self) {
        for key in &mut self.keys {
            if *key & 1 == 0 {
                *key = TAKEN;
            }
        }
    }

    /// The best move left. A scan of all keys costs less than keeping them sorted, as most nodes fail high early; and
    /// it vectorizes.
    #[inline]
    pub(super) fn pick(&mut self) -> Option<PickedMove> {
        let best = self.keys.iter().copied().fold(TAKEN, i32::max);
        if best == TAKEN {
            return None;
        }
        let index = 255 - (best >> 1 & 255) as usize;
        self.keys[index] = TAKEN;
        Some(PickedMove { mv: self.moves[index], gives_check: best & 1 != 0 })
    }
}
