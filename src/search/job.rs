//! The input of a search: position, limits and options.

use std::{sync::Arc, time::Instant};

use super::{
    limits::Limits,
    strength::{Strength, known_win_nodes},
};
use crate::{position::Position, syzygy::Tablebases, types::Depth};

/// One search to be done.
#[derive(Clone, Debug)]
pub struct Job {
    /// The number of the search, from 1: see [`Control`](super::Control). A search with helpers needs a higher one than
    /// those before, or they end at once.
    pub search_id: u64,
    /// The root position, with the game that led to it.
    pub position: Position,
    /// The limits that `go` gave.
    pub limits: Limits,
    /// The user's options.
    pub options: SearchOptions,
    /// The time at which `go` was read.
    pub started: Instant,
}

impl Job {
    /// A search that begins now, with default options, and is number 1.
    pub fn new(position: Position, limits: Limits) -> Self {
        Self { search_id: 1, position, limits, options: SearchOptions::default(), started: Instant::now() }
    }

    /// The strength to play at; `None` for full strength.
    pub(crate) fn strength(&self) -> Option<Strength> {
        self.options.strength.map(|strength| strength.in_position(&self.position))
    }

    /// Number of PVs to search: those that are wanted, or as many as limited strength chooses from.
    pub(crate) fn pv_count(&self) -> usize {
        self.strength().map_or(1, |strength| strength.candidates).max(self.options.multi_pv)
    }

    /// The soft node limit of limited strength, or of full strength in a won ending.
    pub(super) fn soft_nodes(&self) -> Option<u64> {
        // Whoever asks for a depth, a mate or several lines wants more than a move.
        let wants_a_move = self.options.is_play
            && self.options.multi_pv == 1
            && self.limits.depth.is_none()
            && self.limits.mate.is_none();
        let known_win = || known_win_nodes(&self.position).filter(|_| wants_a_move);
        self.strength().map(|strength| strength.nodes).or_else(known_win)
    }
}

/// The UCI options that a search depends on.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Number of PVs, at least 1.
    pub multi_pv: usize,
    /// True to play, so that a move is enough: a won elementary ending is searched no further than it takes to win it.
    pub is_play: bool,
    /// Limited strength; `None` for full strength.
    pub strength: Option<Strength>,
    /// Communication delay with the GUI, in milliseconds per move.
    pub move_overhead: i64,
    /// The tablebases, and when to probe them.
    pub syzygy: SyzygyOptions,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { multi_pv: 1, is_play: false, strength: None, move_overhead: 10, syzygy: SyzygyOptions::default() }
    }
}

/// The tablebases, and when to probe them.
#[derive(Clone, Debug)]
pub struct SyzygyOptions {
    /// The tablebases, if there are any.
    pub tables: Option<Arc<Tablebases>>,
    /// Least depth, in plies, at which positions with as many pieces as the largest tablebase are probed.
    pub probe_depth: Depth,
    /// Most pieces of a position that is probed.
    pub probe_limit: usize,
    /// True if the fifty-move rule turns cursed wins into draws.
    pub fifty_move_rule: bool,
}

impl Default for SyzygyOptions {
    fn default() -> Self {
        Self { tables: None, probe_depth: 1, probe_limit: 7, fifty_move_rule: true }
    }
}

impl SyzygyOptions {
    /// The tablebases, if they may be probed for a position of `pieces` pieces.
    #[inline]
    pub(super) fn tablebases_for(&self, pieces: usize) -> Option<&Tablebases> {
        self.tables.as_deref().filter(|tables| pieces <= self.most_pieces(tables))
    }

    /// The most pieces of a position that is probed.
    #[inline]
    pub(super) fn most_pieces(&self, tables: &Tablebases) -> usize {
        self.probe_limit.min(tables.max_pieces())
    }
}
