//! The search stack: one entry for each ply of the line being searched.

use std::io;

use arrayvec::ArrayVec;

use crate::{
    history::ContinuationKey,
    types::{Bitboard, Depth, MAX_PLY, Move, Score},
};

/// A principal variation.
pub(super) type PvLine = ArrayVec<Move, MAX_PLY>;

/// Entries before the root, so that looking six plies back needs no special case at the root.
pub(super) const ROOT_OFFSET: usize = 8;

/// The search state of one ply.
#[derive(Clone, Debug, Default)]
pub(super) struct StackEntry {
    /// The move being searched; `None` for a null move.
    pub(super) mv: Option<Move>,
    /// Its piece and target square, the index of the continuation histories of the moves after it.
    pub(super) continuation: ContinuationKey,
    /// The corrected static evaluation; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The move excluded by a singular search at this ply.
    pub(super) excluded: Option<Move>,
    /// Squares attacked by the opponent, which index the butterfly history.
    pub(super) threats: Bitboard,
    /// The number of the move being searched, from 1.
    pub(super) move_count: usize,
    /// True if the move being searched is the TT move.
    pub(super) is_tt_move: bool,
    /// Late move reduction of the move being searched, in 1/1024 ply.
    pub(super) reduction: Depth,
    /// Fail highs of the nodes searched at this ply below the same parent.
    pub(super) cutoffs: i32,
    /// The principal variation from this ply on.
    pub(super) pv: PvLine,
}

/// The entries of all plies, with [`ROOT_OFFSET`] before the root.
pub(super) struct Stack(Box<[StackEntry]>);

impl Stack {
    pub(super) fn new() -> io::Result<Self> {
        let plies = ROOT_OFFSET + MAX_PLY + 4;
        let mut entries = Vec::new();
        entries.try_reserve_exact(plies).map_err(|_| io::ErrorKind::OutOfMemory)?;
        entries.resize(plies, StackEntry::default());
        Ok(Self(entries.into_boxed_slice()))
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(StackEntry::default());
    }

    /// The entry `back` plies before `ply`.
    #[inline(always)]
    pub(super) fn before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.0[ROOT_OFFSET + ply - back]
    }

    /// Sets the PV of `ply` to a move followed by the PV of the next ply.
    #[inline]
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (head, tail) = self.0.split_at_mut(ROOT_OFFSET + ply + 1);
        let pv = &mut head[ROOT_OFFSET + ply].pv;
        pv.clear();
        pv.push(mv);
        pv.extend(tail[0].pv.iter().copied().take(MAX_PLY - 1));
    }
}

impl std::ops::Index<usize> for Stack {
    type Output = StackEntry;

    #[inline(always)]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.0[ROOT_OFFSET + ply]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[ROOT_OFFSET + ply]
    }
}
