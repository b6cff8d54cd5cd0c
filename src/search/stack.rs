//! The search stack: one entry for each ply of the line being searched, and the principal variations.

use std::io;

use arrayvec::ArrayVec;

use crate::{
    history::ContinuationKey,
    types::{Bitboard, Depth, MAX_PLY, Move, Score},
};

/// A principal variation.
type PvLine = ArrayVec<Move, MAX_PLY>;

/// A reduction of the depth, in 1/1024 ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reduction(pub(super) i32);

impl Reduction {
    pub(super) const NONE: Self = Self(0);

    /// The whole plies of the reduction.
    #[inline(always)]
    pub(super) fn plies(self) -> Depth {
        self.0 / 1024
    }
}

/// Entries before the root, so that looking six plies back needs no special case at the root.
pub(super) const ROOT_OFFSET: usize = 8;

/// The search state of one ply: at most a cache line, since every node reads those of several earlier plies, and every
/// search begins by clearing them all.
#[derive(Clone, Debug, Default)]
pub(super) struct StackEntry {
    /// The move being searched; `None` for a null move.
    pub(super) mv: Option<Move>,
    /// Its piece and target square, the index of the continuation histories of the moves after it.
    pub(super) moved: ContinuationKey,
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
    /// Late move reduction of the move being searched.
    pub(super) reduction: Reduction,
    /// Fail highs of the nodes searched at this ply below the same parent.
    pub(super) cutoffs: i32,
}

const _: () = assert!(size_of::<StackEntry>() <= 64);

/// The entries of all plies, with [`ROOT_OFFSET`] before the root, and the principal variation from each ply on. Only
/// PV nodes have one, which is empty when the node begins.
pub(super) struct Stack {
    entries: Box<[StackEntry]>,
    pvs: Box<[PvLine]>,
}

impl Stack {
    pub(super) fn new() -> io::Result<Self> {
        let plies = MAX_PLY + 4;
        Ok(Self { entries: defaults(ROOT_OFFSET + plies)?, pvs: defaults(plies)? })
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(StackEntry::default());
    }

    /// The entry `back` plies before `ply`.
    #[inline(always)]
    pub(super) fn before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.entries[ROOT_OFFSET + ply - back]
    }

    /// The PV of `ply`.
    #[inline]
    pub(super) fn pv(&self, ply: usize) -> &[Move] {
        &self.pvs[ply]
    }

    /// Empties the PV of `ply`.
    #[inline]
    pub(super) fn clear_pv(&mut self, ply: usize) {
        self.pvs[ply].clear();
    }

    /// Sets the PV of `ply` to a move followed by the PV of the next ply.
    #[inline]
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (head, tail) = self.pvs.split_at_mut(ply + 1);
        let pv = &mut head[ply];
        pv.clear();
        pv.push(mv);
        pv.extend(tail[0].iter().copied().take(MAX_PLY - 1));
    }
}

/// A boxed slice of `len` default values.
fn defaults<T: Clone + Default>(len: usize) -> io::Result<Box<[T]>> {
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(|_| io::ErrorKind::OutOfMemory)?;
    values.resize(len, T::default());
    Ok(values.into_boxed_slice())
}

impl std::ops::Index<usize> for Stack {
    type Output = StackEntry;

    #[inline(always)]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.entries[ROOT_OFFSET + ply]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.entries[ROOT_OFFSET + ply]
    }
}
