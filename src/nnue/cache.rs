//! What an accumulator was when it was last computed from the board.

use arrayvec::ArrayVec;

use super::{Kernel, Network, View, network::Row};
use crate::{
    position::Board,
    types::{Bitboard, Color, Piece},
};

/// For each side, and for each half of the board that its king can stand on, the last accumulator that was computed
/// from a board, together with that board: the next one differs by a few men only. Found by Luecx (Koivisto), known
/// as "Finny tables".
#[derive(Clone)]
pub(super) struct Cache<const H: usize> {
    entries: [[Entry<H>; 2]; Color::COUNT],
}

#[derive(Clone, Copy)]
struct Entry<const H: usize> {
    row: Row<H>,
    pieces: [Bitboard; Piece::COUNT],
}

impl<const H: usize> Cache<H> {
    /// A cache for that network, as if the board had always been empty.
    pub(super) fn new<const B: usize>(network: &Network<H, B>) -> Box<Self> {
        let empty = Entry { row: *network.bias(), pieces: [Bitboard::EMPTY; Piece::COUNT] };
        Box::new(Self { entries: [[empty; 2]; Color::COUNT] })
    }

    /// The accumulator of a board, as seen by one side.
    pub(super) fn refresh<const B: usize>(
        &mut self,
        network: &Network<H, B>,
        kernel: Kernel,
        view: View,
        board: &Board,
    ) -> &Row<H> {
        let entry = &mut self.entries[view.color().index()][usize::from(view.mirrored())];
        let mut add = ArrayVec::<&Row<H>, 64>::new();
        let mut sub = ArrayVec::<&Row<H>, 64>::new();
        for piece in Piece::ALL {
            let now = board.pieces(piece.color(), piece.kind());
            let before = std::mem::replace(&mut entry.pieces[piece.index()], now);
            add.extend(now.without(before).map(|square| network.feature(view.feature(piece, square))));
            sub.extend(before.without(now).map(|square| network.feature(view.feature(piece, square))));
        }
        kernel.update_many(&mut entry.row, &add, &sub);
        &entry.row
    }
}
