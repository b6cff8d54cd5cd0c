//! What the search keeps for each ply of the line that it follows.

use std::io;

use arrayvec::ArrayVec;

use crate::{
    history::Context,
    types::{Bitboard, Depth, MAX_PLY, Move, Score},
};

/// A principal variation.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// Frames below the root, so that "four plies ago" needs no thought near it.
pub(super) const BEFORE_ROOT: usize = 8;

/// One ply.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// The move being searched, none for a null move.
    pub(super) mv: Option<Move>,
    /// The same, as a context for the moves that follow.
    pub(super) context: Context,
    /// The corrected static evaluation; none in check.
    pub(super) eval: Option<Score>,
    /// The move that a singular search leaves out.
    pub(super) excluded: Option<Move>,
    /// What the opponent attacks.
    pub(super) threats: Bitboard,
    /// By how much the move being searched was reduced, in 1/1024 ply.
    pub(super) reduction: Depth,
    /// How many children of this ply have failed high.
    pub(super) cutoffs: u32,
    /// The best line found so far.
    pub(super) pv: Line,
}

/// The frames of all plies, with a few before the root.
pub(super) struct Stack(Box<[Frame]>);

impl Stack {
    pub(super) fn new() -> io::Result<Self> {
        let plies = BEFORE_ROOT + MAX_PLY + 4;
        let mut frames = Vec::new();
        frames.try_reserve_exact(plies).map_err(|_| io::ErrorKind::OutOfMemory)?;
        frames.resize(plies, Frame::default());
        Ok(Self(frames.into_boxed_slice()))
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(Frame::default());
    }

    /// The frame `back` plies before `ply`.
    #[inline(always)]
    pub(super) fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.0[BEFORE_ROOT + ply - back]
    }

    /// Makes the line of `ply` a move followed by the line of the next ply.
    #[inline]
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (head, tail) = self.0.split_at_mut(BEFORE_ROOT + ply + 1);
        let line = &mut head[BEFORE_ROOT + ply].pv;
        line.clear();
        line.push(mv);
        line.extend(tail[0].pv.iter().copied().take(MAX_PLY - 1));
    }
}

impl std::ops::Index<usize> for Stack {
    type Output = Frame;

    #[inline(always)]
    fn index(&self, ply: usize) -> &Frame {
        &self.0[BEFORE_ROOT + ply]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[BEFORE_ROOT + ply]
    }
}
