//! The hidden layer along the line that is being searched.

use std::sync::Arc;

use super::{BUCKETS, HIDDEN, Kernel, Network, View, cache::Cache, features::is_mirrored, network::Row};
use crate::{
    position::{Change, Observer, Position},
    types::{Color, MAX_PLY, Piece, PieceType},
};

/// Follows a position and evaluates it.
///
/// A move is only written down; its effect is computed when an evaluation needs it, which after a cutoff is never.
#[derive(Clone)]
pub struct Accumulators<const H: usize = HIDDEN, const B: usize = BUCKETS> {
    network: Arc<Network<H, B>>,
    kernel: Kernel,
    /// Grows as needed and never shrinks; what lies above `top` is of no meaning.
    stack: Vec<Level<H>>,
    top: usize,
    cache: Box<Cache<H>>,
}

/// The hidden layer after a move.
#[derive(Clone)]
struct Level<const H: usize> {
    /// As each side sees it.
    rows: [Row<H>; Color::COUNT],
    /// Whether the row has been computed.
    ready: [bool; Color::COUNT],
    /// The move that led here; none at the bottom of the stack.
    change: Option<Change>,
}

impl<const H: usize> Level<H> {
    fn new(change: Option<Change>) -> Self {
        Self { rows: [Row::ZERO; 2], ready: [false; 2], change }
    }

    /// Whether the row must be computed from the board, because the move took the king of `color` through the mirror
    /// or there was none.
    fn starts_again(&self, color: Color) -> bool {
        self.change.is_none_or(|change| {
            change.piece == Piece::new(PieceType::King, color) && is_mirrored(change.from) != is_mirrored(change.to)
        })
    }
}

impl<const H: usize, const B: usize> Accumulators<H, B> {
    /// Accumulators at a position, using the fastest kernel.
    pub fn new(network: Arc<Network<H, B>>, position: &Position) -> Self {
        Self::with_kernel(network, position, Kernel::chosen())
    }

    /// Accumulators at a position, using that kernel.
    pub fn with_kernel(network: Arc<Network<H, B>>, position: &Position, kernel: Kernel) -> Self {
        let cache = Cache::new(&network);
        let mut accumulators = Self { network, kernel, stack: Vec::with_capacity(MAX_PLY + 8), top: 0, cache };
        accumulators.reset(position);
        accumulators
    }

    /// Starts again from another position.
    pub fn reset(&mut self, position: &Position) {
        self.top = 0;
        if self.stack.is_empty() {
            self.stack.push(Level::new(None));
        }
        for color in Color::ALL {
            self.refresh(color, position);
        }
    }

    /// Starts again from another position, with a network that may be another one.
    pub fn restart(&mut self, network: &Arc<Network<H, B>>, position: &Position) {
        if !Arc::ptr_eq(network, &self.network) {
            self.cache = Cache::new(network);
            self.network = network.clone();
        }
        self.reset(position);
    }

    /// The network's opinion, in centipawns for the side to move. `position` is the one that was followed.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        self.prepare(position);
        let [ours, theirs] = self.topmost(position.side_to_move());
        self.network.output(self.kernel, ours, theirs, position.board().occupied().len())
    }

    /// The hidden layer as the side to move sees it, and as the other side does.
    pub fn rows(&mut self, position: &Position) -> [&Row<H>; 2] {
        self.prepare(position);
        self.topmost(position.side_to_move())
    }

    #[inline(always)]
    fn topmost(&self, us: Color) -> [&Row<H>; 2] {
        let level = &self.stack[self.top];
        [us, !us].map(|color| &level.rows[color.index()])
    }

    /// Computes the topmost rows.
    #[inline(always)]
    fn prepare(&mut self, position: &Position) {
        for color in Color::ALL {
            if !self.stack[self.top].ready[color.index()] {
                self.catch_up(color, position);
            }
        }
    }

    /// Computes the topmost row of `color`, and those below it that it takes.
    fn catch_up(&mut self, color: Color, position: &Position) {
        let mut base = self.top;
        while !self.stack[base].ready[color.index()] {
            if self.stack[base].starts_again(color) {
                return self.refresh(color, position);
            }
            base -= 1;
        }
        let view = View::new(color, position.board().king(color));
        for above in base + 1..=self.top {
            self.apply(view, above);
        }
    }

    /// Computes a row from the one below it and the move between.
    fn apply(&mut self, view: View, above: usize) {
        let (below, level) = self.stack.split_at_mut(above);
        let (Some(below), Some(level)) = (below.last(), level.first_mut()) else { return };
        let Some(change) = level.change else { return };
        let row = |(piece, square)| self.network.feature(view.feature(piece, square));
        let index = view.color().index();
        let (from, to) = (&below.rows[index], &mut level.rows[index]);
        let (leaves, arrives) = (row((change.piece, change.from)), row((change.becomes, change.to)));
        match (change.captured.map(row), change.castled_rook) {
            (None, None) => self.kernel.update(to, from, [arrives], [leaves]),
            (Some(captured), _) => self.kernel.update(to, from, [arrives], [leaves, captured]),
            (None, Some((rook_from, rook_to))) => {
                let rook = Piece::new(PieceType::Rook, change.piece.color());
                self.kernel.update(to, from, [arrives, row((rook, rook_to))], [leaves, row((rook, rook_from))]);
            }
        }
        level.ready[index] = true;
    }

    /// Computes the topmost row of `color` from the board.
    fn refresh(&mut self, color: Color, position: &Position) {
        let view = View::new(color, position.board().king(color));
        let level = &mut self.stack[self.top];
        level.rows[color.index()] = *self.cache.refresh(&self.network, self.kernel, view, position.board());
        level.ready[color.index()] = true;
    }
}

impl<const H: usize, const B: usize> Observer for Accumulators<H, B> {
    #[inline]
    fn on_make(&mut self, _: &Position, change: &Change) {
        self.top += 1;
        match self.stack.get_mut(self.top) {
            Some(level) => {
                level.ready = [false; 2];
                level.change = Some(*change);
            }
            None => self.stack.push(Level::new(Some(*change))),
        }
    }

    #[inline]
    fn on_unmake(&mut self) {
        debug_assert!(self.top > 0, "nothing to take back");
        self.top = self.top.saturating_sub(1);
    }
}
