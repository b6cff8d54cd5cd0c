//! The accumulators along the line that is being searched: efficiently updatable, and lazily updated.

use std::sync::Arc;

use super::{
    accumulator::Accumulator,
    architecture::{BUCKETS, HIDDEN},
    features::Perspective,
    kernels::Kernel,
    network::Network,
    refresh::RefreshTable,
};
use crate::{
    position::{Change, Position},
    types::{Color, Key, Piece, PieceType},
};

/// Accumulators that are kept: those of the last plies of the line.
const ENTRIES: usize = 256;

/// The accumulators of the positions on the way to the one that was evaluated last, and their network.
///
/// Updates are lazy: a position knows the moves that led to it, and its accumulators are computed only if it is
/// evaluated; after a beta cutoff they never are. So nothing has to be told of moves, and any position may come next:
/// what an entry holds is told by the key of its position.
// CITE: NNUE (efficiently updatable neural network), Yu Nasu, 2018, for shogi; brought to chess by Stockfish. Lazy
// updates: common practice; akimbo and Berserk report about +12 Elo each. Not measured here.
#[derive(Clone)]
pub struct AccumulatorStack<const H: usize = HIDDEN, const B: usize = BUCKETS> {
    network: Arc<Network<H, B>>,
    kernel: Kernel,
    /// Indexed by the ply, modulo their number.
    entries: Box<[Entry<H>]>,
    refresh_table: Box<RefreshTable<H>>,
}

/// The accumulators of both perspectives, indexed by color.
#[derive(Clone)]
struct Entry<const H: usize> {
    values: [Accumulator<H>; Color::COUNT],
    /// The keys of the positions that the values belong to.
    keys: [Option<Key>; Color::COUNT],
}

/// Returns true if no accumulator of `color` can be updated by this change: the king of that color crosses the middle,
/// so that the perspective's mirroring changes, or enters another king bucket.
#[inline(always)]
fn needs_refresh(change: &Change, color: Color) -> bool {
    let ((piece, from), (_, to)) = (change.from, change.to);
    piece == Piece::new(PieceType::King, color) && Perspective::new(color, from) != Perspective::new(color, to)
}

impl<const H: usize, const B: usize> AccumulatorStack<H, B> {
    /// Accumulators for a network, using the fastest kernel.
    pub fn new(network: Arc<Network<H, B>>) -> Self {
        Self::with_kernel(network, Kernel::detect())
    }

    /// Accumulators for a network, using the given kernel.
    pub fn with_kernel(network: Arc<Network<H, B>>, kernel: Kernel) -> Self {
        let refresh_table = RefreshTable::new(&network);
        let entry = Entry { values: [Accumulator::ZERO; 2], keys: [None; 2] };
        Self { network, kernel, entries: vec![entry; ENTRIES].into(), refresh_table }
    }

    /// Goes on with a network that may be another one.
    pub fn set_network(&mut self, network: &Arc<Network<H, B>>) {
        if !Arc::ptr_eq(network, &self.network) {
            *self = Self::with_kernel(network.clone(), self.kernel);
        }
    }

    /// The network's output for the side to move, in internal units (see [`SCALE`](super::SCALE)).
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let ply = self.update(position);
        let [us, them] = self.pair_at(ply, position.side_to_move());
        self.network.output(self.kernel, us, them, position.board().occupied().len())
    }

    /// The accumulators of a position: of the side to move, and of its opponent.
    pub fn pair(&mut self, position: &Position) -> [&Accumulator<H>; 2] {
        let ply = self.update(position);
        self.pair_at(ply, position.side_to_move())
    }

    #[inline(always)]
    fn pair_at(&self, ply: usize, us: Color) -> [&Accumulator<H>; 2] {
        let entry = &self.entries[ply % ENTRIES];
        [us, !us].map(|color| &entry.values[color.index()])
    }

    /// Brings both perspectives up to date. Returns the ply of their entry.
    #[inline(always)]
    fn update(&mut self, position: &Position) -> usize {
        let mut ply = position.plies();
        // A null move changes no piece.
        while ply > 0 && position.change_at(ply).is_none() {
            ply -= 1;
        }
        for color in Color::ALL {
            if !self.holds(position, ply, color) {
                self.update_perspective(color, position, ply);
            }
        }
        ply
    }

    /// Returns true if the accumulator of `color` at `ply` is that of the position there.
    #[inline(always)]
    fn holds(&self, position: &Position, ply: usize, color: Color) -> bool {
        self.entries[ply % ENTRIES].keys[color.index()] == Some(position.key_at(ply))
    }

    /// Computes the accumulator of `color` at `top`, with all that are missing below it, or by a refresh.
    fn update_perspective(&mut self, color: Color, position: &Position, top: usize) {
        let mut base = top;
        while !self.holds(position, base, color) {
            let needs_refresh = position.change_at(base).is_some_and(|change| needs_refresh(change, color));
            if needs_refresh || base == 0 || top - base == ENTRIES - 1 {
                return self.refresh(color, position, top);
            }
            base -= 1;
        }
        let perspective = Perspective::new(color, position.board().king(color));
        for ply in base + 1..=top {
            if let Some(change) = position.change_at(ply) {
                self.update_incrementally(perspective, change, [base, ply]);
                self.entries[ply % ENTRIES].keys[color.index()] = Some(position.key_at(ply));
                base = ply;
            }
        }
    }

    /// Computes the accumulator at `to` from that at `from` and the features that the moves between add and remove.
    fn update_incrementally(&mut self, perspective: Perspective, change: &Change, [from, to]: [usize; 2]) {
        let Ok([from, to]) = self.entries.get_disjoint_mut([from % ENTRIES, to % ENTRIES]) else { return };
        let weights = |(piece, square)| self.network.feature_weights(perspective.feature(piece, square));
        let index = perspective.color().index();
        let (from, to) = (&from.values[index], &mut to.values[index]);
        let (removed, added) = (weights(change.from), weights(change.to));
        match (change.other_from.map(weights), change.other_to.map(weights)) {
            (None, _) => self.kernel.update(to, from, [added], [removed]),
            (Some(captured), None) => self.kernel.update(to, from, [added], [removed, captured]),
            (Some(rook_from), Some(rook_to)) => self.kernel.update(to, from, [added, rook_to], [removed, rook_from]),
        }
    }

    /// Computes the accumulator of `color` at `ply` from the board, by way of the refresh table.
    fn refresh(&mut self, color: Color, position: &Position, ply: usize) {
        let perspective = Perspective::new(color, position.board().king(color));
        let entry = &mut self.entries[ply % ENTRIES];
        entry.values[color.index()] =
            *self.refresh_table.refresh(&self.network, self.kernel, perspective, position.board());
        entry.keys[color.index()] = Some(position.key_at(ply));
    }
}
