//! The accumulator stack: efficiently updatable, lazily updated along the line that is being searched.

use std::sync::Arc;

use super::{
    accumulator::Accumulator,
    arch::{BUCKETS, HIDDEN},
    features::{Perspective, is_mirrored},
    kernels::Kernel,
    network::Network,
    refresh::RefreshTable,
};
use crate::{
    position::{Change, Observer, Position},
    types::{Color, MAX_PLY, Piece, PieceType},
};

/// The stack of accumulators of the positions from the root to the current node, and the network that evaluates them.
///
/// Updates are lazy: making a move only records it, and the accumulators are computed when an evaluation asks for
/// them, which after a beta cutoff is never.
///
/// CITE: NNUE (efficiently updatable neural network), Yu Nasu, 2018, for shogi; brought to chess by Stockfish. Lazy
/// updates: common practice; akimbo and Berserk report about +12 Elo each. Not measured here.
#[derive(Clone)]
pub struct Accumulators<const H: usize = HIDDEN, const B: usize = BUCKETS> {
    network: Arc<Network<H, B>>,
    kernel: Kernel,
    /// Grows as needed and never shrinks; entries above `top` are stale.
    stack: Vec<AccumulatorState<H>>,
    top: usize,
    refresh_table: Box<RefreshTable<H>>,
}

/// The accumulators of both perspectives after a move, computed or still pending.
#[derive(Clone)]
struct AccumulatorState<const H: usize> {
    /// Indexed by the color of the perspective.
    values: [Accumulator<H>; Color::COUNT],
    /// True for the perspectives whose values are up to date.
    computed: [bool; Color::COUNT],
    /// The move that led here; none at the bottom of the stack.
    change: Option<Change>,
}

impl<const H: usize> AccumulatorState<H> {
    fn new(change: Option<Change>) -> Self {
        Self { values: [Accumulator::ZERO; 2], computed: [false; 2], change }
    }

    /// Returns true if the accumulator of `color` cannot be updated incrementally: there was no move, or it took the
    /// king of that color across the middle, so that the perspective's mirroring changed.
    fn needs_refresh(&self, color: Color) -> bool {
        self.change.is_none_or(|change| {
            change.piece == Piece::new(PieceType::King, color) && is_mirrored(change.from) != is_mirrored(change.to)
        })
    }
}

impl<const H: usize, const B: usize> Accumulators<H, B> {
    /// Accumulators of a position, using the fastest kernel.
    pub fn new(network: Arc<Network<H, B>>, position: &Position) -> Self {
        Self::with_kernel(network, position, Kernel::detect())
    }

    /// Accumulators of a position, using the given kernel.
    pub fn with_kernel(network: Arc<Network<H, B>>, position: &Position, kernel: Kernel) -> Self {
        let refresh_table = RefreshTable::new(&network);
        let mut accumulators = Self { network, kernel, stack: Vec::with_capacity(MAX_PLY + 8), top: 0, refresh_table };
        accumulators.reset(position);
        accumulators
    }

    /// Clears the stack and refreshes from another root position.
    pub fn reset(&mut self, position: &Position) {
        self.top = 0;
        if self.stack.is_empty() {
            self.stack.push(AccumulatorState::new(None));
        }
        for color in Color::ALL {
            self.refresh(color, position);
        }
    }

    /// As [`Self::reset`], with a network that may be another one.
    pub fn reset_with_network(&mut self, network: &Arc<Network<H, B>>, position: &Position) {
        if !Arc::ptr_eq(network, &self.network) {
            self.refresh_table = RefreshTable::new(network);
            self.network = network.clone();
        }
        self.reset(position);
    }

    /// The network's output for the side to move, in internal units (see [`SCALE`](super::SCALE)). `position` is the
    /// one whose moves this stack observed.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        self.update(position);
        let [us, them] = self.top_pair(position.side_to_move());
        self.network.output(self.kernel, us, them, position.board().occupied().len())
    }

    /// The current accumulators: of the side to move, and of its opponent.
    pub fn pair(&mut self, position: &Position) -> [&Accumulator<H>; 2] {
        self.update(position);
        self.top_pair(position.side_to_move())
    }

    #[inline(always)]
    fn top_pair(&self, us: Color) -> [&Accumulator<H>; 2] {
        let state = &self.stack[self.top];
        [us, !us].map(|color| &state.values[color.index()])
    }

    /// Brings both perspectives of the top of the stack up to date.
    #[inline(always)]
    fn update(&mut self, position: &Position) {
        for color in Color::ALL {
            if !self.stack[self.top].computed[color.index()] {
                self.update_perspective(color, position);
            }
        }
    }

    /// Computes the top accumulator of `color`, with all pending ones below it, or by a refresh.
    fn update_perspective(&mut self, color: Color, position: &Position) {
        let mut base = self.top;
        while !self.stack[base].computed[color.index()] {
            if self.stack[base].needs_refresh(color) {
                return self.refresh(color, position);
            }
            base -= 1;
        }
        let perspective = Perspective::new(color, position.board().king(color));
        for ply in base + 1..=self.top {
            self.update_incrementally(perspective, ply);
        }
    }

    /// Computes the accumulator at `ply` from the one below it and the features that the move adds and removes.
    fn update_incrementally(&mut self, perspective: Perspective, ply: usize) {
        let (below, state) = self.stack.split_at_mut(ply);
        let (Some(previous), Some(state)) = (below.last(), state.first_mut()) else { return };
        let Some(change) = state.change else { return };
        let weights = |(piece, square)| self.network.feature_weights(perspective.feature(piece, square));
        let index = perspective.color().index();
        let (from, to) = (&previous.values[index], &mut state.values[index]);
        let (removed, added) = (weights((change.piece, change.from)), weights((change.becomes, change.to)));
        match (change.captured.map(weights), change.castled_rook) {
            (None, None) => self.kernel.update(to, from, [added], [removed]),
            (Some(captured), _) => self.kernel.update(to, from, [added], [removed, captured]),
            (None, Some((rook_from, rook_to))) => {
                let rook = Piece::new(PieceType::Rook, change.piece.color());
                self.kernel.update(to, from, [added, weights((rook, rook_to))], [removed, weights((rook, rook_from))]);
            }
        }
        state.computed[index] = true;
    }

    /// Computes the top accumulator of `color` from the board, by way of the refresh table.
    fn refresh(&mut self, color: Color, position: &Position) {
        let perspective = Perspective::new(color, position.board().king(color));
        let state = &mut self.stack[self.top];
        state.values[color.index()] =
            *self.refresh_table.refresh(&self.network, self.kernel, perspective, position.board());
        state.computed[color.index()] = true;
    }
}

impl<const H: usize, const B: usize> Observer for Accumulators<H, B> {
    #[inline]
    fn on_make(&mut self, _: &Position, change: &Change) {
        self.top += 1;
        match self.stack.get_mut(self.top) {
            Some(state) => {
                state.computed = [false; 2];
                state.change = Some(*change);
            }
            None => self.stack.push(AccumulatorState::new(Some(*change))),
        }
    }

    #[inline]
    fn on_unmake(&mut self) {
        debug_assert!(self.top > 0, "unmake without make");
        self.top = self.top.saturating_sub(1);
    }
}
