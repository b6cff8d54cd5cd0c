//! The refresh table ("Finny table"), which makes accumulator refreshes cheap.

use arrayvec::ArrayVec;

use super::{
    accumulator::Accumulator, architecture::INPUT_BUCKETS, features::Perspective, kernels::Kernel, network::Network,
};
use crate::{
    position::Board,
    types::{Bitboard, Color, Piece},
};

/// For each perspective, each half of the board that its king can be on and each king bucket, the accumulator of the
/// last refresh and the pieces that it was computed from. The next refresh adds and removes only the pieces that
/// differ.
// CITE: Finny tables, Luecx (Koivisto). Reckless reports +16 Elo, Ethereal and Berserk +7 to +9; not measured here.
#[derive(Clone)]
pub(super) struct RefreshTable<const H: usize> {
    /// `[color of the perspective][mirrored][king bucket]`
    entries: [[[RefreshEntry<H>; INPUT_BUCKETS]; 2]; Color::COUNT],
}

#[derive(Clone, Copy)]
struct RefreshEntry<const H: usize> {
    accumulator: Accumulator<H>,
    pieces: [Bitboard; Piece::COUNT],
}

impl<const H: usize> RefreshTable<H> {
    /// A table whose entries are those of the empty board.
    pub(super) fn new<const B: usize>(network: &Network<H, B>) -> Box<Self> {
        let empty = RefreshEntry { accumulator: *network.feature_bias(), pieces: [Bitboard::EMPTY; Piece::COUNT] };
        Box::new(Self { entries: [[[empty; INPUT_BUCKETS]; 2]; Color::COUNT] })
    }

    /// The accumulator of a board, as seen from one perspective.
    pub(super) fn refresh<const B: usize>(
        &mut self,
        network: &Network<H, B>,
        kernel: Kernel,
        perspective: Perspective,
        board: &Board,
    ) -> &Accumulator<H> {
        let entries = &mut self.entries[perspective.color().index()][usize::from(perspective.mirrored())];
        let entry = &mut entries[perspective.bucket()];
        let mut add = ArrayVec::<&Accumulator<H>, 64>::new();
        let mut sub = ArrayVec::<&Accumulator<H>, 64>::new();
        for piece in Piece::ALL {
            let now = board.pieces(piece.color(), piece.piece_type());
            let before = std::mem::replace(&mut entry.pieces[piece.index()], now);
            let weights = |square| network.feature_weights(perspective.feature(piece, square));
            add.extend(now.without(before).map(weights));
            sub.extend(before.without(now).map(weights));
        }
        kernel.update_many(&mut entry.accumulator, &add, &sub);
        &entry.accumulator
    }
}
