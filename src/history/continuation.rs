//! The index of continuation histories.

use crate::types::{Piece, Square};

/// Piece and target square of an earlier move: the first index of the continuation history.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ContinuationKey(pub(super) Option<(Piece, Square)>);

impl ContinuationKey {
    /// No move: before the root, or after a null move.
    pub(crate) const NONE: Self = Self(None);

    /// The piece that moved and its target square.
    #[inline(always)]
    pub(crate) const fn piece_to(self) -> Option<(Piece, Square)> {
        self.0
    }

    /// The key of a move of `piece` to the square `to`.
    #[inline(always)]
    pub(crate) const fn new(piece: Piece, to: Square) -> Self {
        Self(Some((piece, to)))
    }
}
