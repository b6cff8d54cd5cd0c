//! Root moves, and the state of iterative deepening.

use std::cmp::Reverse;

use super::{limits::Limits, report::Line};
use crate::{
    movegen::legal_moves,
    position::Position,
    syzygy::MoveRank,
    types::{Bound, Depth, Move, MoveList, Score},
};

/// The moves to search: those that `searchmoves` names, or all legal ones if it names none of them.
pub(crate) fn wanted_moves(position: &Position, limits: &Limits) -> MoveList {
    let mut moves = legal_moves(position);
    let wanted = |mv: &Move| limits.search_moves.contains(mv);
    if moves.iter().any(wanted) {
        moves.retain(|mv| wanted(mv));
    }
    moves
}

/// The state of iterative deepening at the root.
#[derive(Default)]
pub(super) struct Root {
    /// The moves to search. The first [`Self::pv_count`] are the lines of the search, the best first: those that this
    /// iteration has searched, then the others in the order of the iteration before.
    // CITE: Stockfish - one sorted list of root moves, from which every report is made.
    pub(super) moves: Vec<RootMove>,
    /// Number of PVs to search: those of MultiPV, or more for limited strength to choose from.
    pub(super) pv_count: usize,
    /// The PV being searched, from 0.
    pub(super) pv_index: usize,
    /// The depth of the current iteration, in plies.
    pub(super) depth: Depth,
    /// The last completed iteration; 0 if there is none.
    pub(super) completed_depth: Depth,
    /// True if the game is drawn by the rules, so that no search changes the score to report.
    pub(super) is_draw: bool,
}

impl Root {
    /// Begins a search of `moves` for at most `pv_count` PVs.
    pub(super) fn new(moves: Vec<RootMove>, pv_count: usize, is_draw: bool) -> Self {
        let pv_count = pv_count.clamp(1, moves.len().max(1));
        Self { moves, pv_count, pv_index: 0, depth: 0, completed_depth: 0, is_draw }
    }

    /// Returns true if the current PV may begin with the move: with any but the best moves of earlier PVs, and none
    /// that the tablebases rank lower than another.
    // CITE: Stockfish - a MultiPV search goes through the moves of one tablebase rank before those of the next.
    pub(super) fn is_candidate(&self, mv: Move) -> bool {
        let rest = &self.moves[self.pv_index..];
        let mut candidates =
            rest.iter().take_while(|candidate| candidate.tablebase_order() == rest[0].tablebase_order());
        candidates.any(|candidate| candidate.mv == mv)
    }

    /// Begins an iteration: the scores become those of the iteration before.
    pub(super) fn begin_iteration(&mut self, depth: Depth) {
        self.depth = depth;
        for root_move in &mut self.moves {
            root_move.previous = root_move.score;
            root_move.score = -Score::INFINITE;
            root_move.bound = Bound::Upper;
        }
    }

    /// Sorts the moves that compete for the current PV.
    pub(super) fn sort_candidates(&mut self) {
        let key = |root_move: &RootMove| (root_move.tablebase_order(), root_move.score, root_move.previous);
        self.moves[self.pv_index..].sort_by_key(|root_move| Reverse(key(root_move)));
    }

    /// Puts the move of the current PV in its place among the PVs before it. If the search of the PV was aborted, an
    /// upper bound does not show that the move is better than they are.
    pub(super) fn sort_searched(&mut self) {
        self.moves[..=self.pv_index].sort_by_key(|root_move| {
            let score = if root_move.bound == Bound::Upper { -Score::INFINITE } else { root_move.score };
            Reverse((root_move.tablebase_order(), score))
        });
    }
}

/// One move of the root position.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The rank by the tablebases, if the root is in them. Moves are sorted by it first.
    pub(super) tablebase_rank: Option<MoveRank>,
    /// The score of the current iteration; `-INFINITE` if it has none, or failed low and was not the first move.
    pub(super) score: Score,
    /// The bound that this score is.
    pub(super) bound: Bound,
    /// The score of the previous iteration, the center of the aspiration window.
    pub(super) previous: Score,
    /// Nodes searched below the move, over all iterations: time management depends on the best move's share.
    pub(super) nodes: u64,
    /// The PV that begins with the move, from the last time that it did not fail low.
    pub(super) pv: Vec<Move>,
    /// The last exact score, with its own PV.
    pub(super) exact: Option<Line>,
}

impl RootMove {
    pub(super) fn new(mv: Move, tablebase_rank: Option<MoveRank>) -> Self {
        Self {
            mv,
            tablebase_rank,
            score: -Score::INFINITE,
            bound: Bound::Upper,
            previous: -Score::INFINITE,
            nodes: 0,
            pv: vec![mv],
            exact: None,
        }
    }

    /// The order by the tablebases; 0 without.
    pub(super) fn tablebase_order(&self) -> i32 {
        self.tablebase_rank.map_or(0, |rank| rank.order)
    }

    /// The score after an aborted iteration: the previous one if the move has only failed low since, because the PV
    /// does not belong to an upper bound.
    pub(super) fn last_score(&self) -> (Score, Bound) {
        if self.bound == Bound::Upper { (self.previous, Bound::Exact) } else { (self.score, self.bound) }
    }

    /// Takes in the result of a search of the move in this iteration. `reply` is the PV after it.
    pub(super) fn update(&mut self, score: Score, bound: Bound, reply: &[Move], depth: Depth, seldepth: usize) {
        self.score = score;
        self.bound = bound;
        if bound != Bound::Upper {
            self.pv.truncate(1);
            self.pv.extend_from_slice(reply);
        }
        if bound == Bound::Exact {
            let mut pv = self.exact.take().map(|line| line.pv).unwrap_or_default();
            pv.clone_from(&self.pv);
            self.exact = Some(Line::new(depth, seldepth, score, bound, pv));
        }
    }
}
