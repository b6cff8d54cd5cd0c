//! The state that the steps of a node share: its kind, TT entry and evaluation, and the progress of its move loop.

use arrayvec::ArrayVec;

use crate::{
    eval::is_known_loss,
    search::{ordering::MovePicker, search_state::SearchState, stack::StackEntry, tree::Tree, window::Window},
    tt::TtEntry,
    types::{Bound, Depth, Key, Move, Score},
};

/// The kind of node, known at compile time.
// CITE: Viridithas - a trait whose associated type is the kind of the child.
pub(in crate::search) trait NodeKind {
    /// True for PV nodes: searched with an open window.
    const PV: bool;
    /// True for the root.
    const ROOT: bool;
    /// The kind of a child that is searched with the node's own window.
    type Next: NodeKind;
}

pub(in crate::search) struct RootNode;
pub(in crate::search) struct Pv;
pub(in crate::search) struct NonPv;

impl NodeKind for RootNode {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = Pv;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = Self;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = Self;
}

/// The TT entry of a node's position (Stockfish's `ttData`).
#[derive(Clone, Copy)]
pub(super) struct TtData {
    key: Key,
    ply: usize,
    /// True if the position has an entry.
    pub(super) hit: bool,
    /// The best move, at the root the one that the iteration begins with; may not be legal.
    pub(super) mv: Option<Move>,
    pub(super) score: Option<TtScore>,
    /// True for a node that is or once was a PV node (`tt_pv`).
    // CITE: Stockfish.
    pub(super) pv: bool,
    /// The uncorrected static evaluation; `None` in check.
    pub(super) raw_eval: Option<Score>,
}

/// A score from the TT, counted from the root.
#[derive(Clone, Copy)]
pub(super) struct TtScore {
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) depth: Depth,
}

impl TtData {
    /// Probes the TT for the current position. A singular search, which leaves out the move `excluded`, does not probe,
    /// because the entry's score includes that move.
    #[inline(always)]
    pub(super) fn probe<N: NodeKind>(tree: &Tree, state: &SearchState, ply: usize, excluded: Option<Move>) -> Self {
        let key = tree.position.tt_key();
        let entry = if excluded.is_none() { state.shared.tt.probe(key, ply) } else { None };
        Self {
            key,
            ply,
            hit: entry.is_some(),
            mv: if N::ROOT { Some(state.root.moves[state.root.pv_index].mv) } else { entry.and_then(|entry| entry.mv) },
            score: entry.and_then(|entry| {
                let (score, bound) = entry.score?;
                Some(TtScore { score, bound, depth: entry.depth })
            }),
            pv: N::PV || entry.is_some_and(|entry| entry.pv),
            raw_eval: entry.and_then(|entry| entry.raw_eval),
        }
    }

    /// Stores a result of the node.
    #[inline(always)]
    pub(super) fn store(
        &self,
        state: &SearchState,
        raw_eval: Option<Score>,
        mv: Option<Move>,
        score: Option<(Score, Bound)>,
        depth: Depth,
    ) {
        state.shared.tt.store(self.key, self.ply, TtEntry { mv, score, raw_eval, depth, pv: self.pv });
    }
}

/// The evaluation of a node.
#[derive(Clone, Copy)]
pub(super) struct Evaluation {
    /// The uncorrected static evaluation, as the TT keeps it; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// The corrected static evaluation; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The TT-adjusted evaluation (Stockfish's `eval`): the static one, or the TT score where its bound allows;
    /// `-INFINITE` in check.
    pub(super) adjusted_eval: Score,
}

/// The state of a node from its static evaluation on.
pub(super) struct Node {
    pub(super) ply: usize,
    /// The remaining depth, in plies.
    pub(super) depth: Depth,
    pub(super) window: Window,
    /// True for a null-window node that is expected to fail high.
    // CITE: Marsland and Popowich - cut nodes and all nodes; Stockfish - as a parameter of the search.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// The move that a singular search leaves out.
    pub(super) excluded: Option<Move>,
    pub(super) tt: TtData,
    pub(super) eval: Evaluation,
    /// True if the static evaluation is higher than at the last turn of the side to move.
    pub(super) improving: bool,
    /// The least and the greatest score that the tablebases leave open.
    pub(super) tablebase_bounds: (Score, Score),
}

impl Node {
    /// The guard that all pruning of whole nodes shares: no PV node, whose score has to be exact; not in check, where
    /// there is no static evaluation; no singular search, which asks about the node's moves and not about its score.
    #[inline(always)]
    pub(super) fn may_be_pruned<N: NodeKind>(&self) -> bool {
        !N::PV && !self.in_check && self.excluded.is_none()
    }

    /// The cost of the move before to the opponent: the sum of two evaluations from opposite sides. `None` if one of
    /// the sides was in check.
    #[inline(always)]
    pub(super) fn cost_of_previous_move(&self, previous: &StackEntry) -> Option<i32> {
        Some(self.eval.static_eval?.0 + previous.static_eval?.0)
    }
}

/// The moves of one kind, quiet or noisy, that a node searched; more than fit are left out.
pub(super) type SearchedMoves = ArrayVec<Move, 64>;

/// The progress of a node's move loop.
pub(super) struct MoveLoop {
    pub(super) picker: MovePicker,
    /// The number of the current move, from 1, counting pruned moves.
    pub(super) move_count: usize,
    /// The history of the current move, by which it is pruned and reduced; 0 for the first, which is neither.
    pub(super) history: i32,
    /// The best score so far, or that of a pruned move which might have been better.
    pub(super) best: Score,
    /// The move that raised alpha last.
    pub(super) best_move: Option<Move>,
    /// The quiet and noisy moves that were searched and did not raise alpha.
    pub(super) quiets: SearchedMoves,
    pub(super) noisies: SearchedMoves,
}

impl MoveLoop {
    #[inline(always)]
    pub(super) fn new(tree: &Tree, node: &Node) -> Self {
        Self {
            picker: MovePicker::new(tree, node.tt.mv),
            move_count: 0,
            history: 0,
            best: -Score::INFINITE,
            best_move: None,
            quiets: ArrayVec::new(),
            noisies: ArrayVec::new(),
        }
    }

    /// The guard that all pruning of single moves shares: not at the root, where a move is to be found, and not as long
    /// as all moves lose, since the next one may not.
    #[inline(always)]
    pub(super) fn may_prune_move<N: NodeKind>(&self) -> bool {
        !N::ROOT && !is_known_loss(self.best)
    }

    /// Raises the best score to the score that a pruned move might have reached, so that the node's bound stays sound.
    #[inline(always)]
    pub(super) fn raise_best(&mut self, score: Score) {
        if !self.best.is_decisive() && self.best < score {
            self.best = score;
        }
    }

    /// Adds a move to those that are penalized if a later move fails high.
    #[inline(always)]
    pub(super) fn add_searched(&mut self, mv: Move) {
        let list = if mv.is_quiet() { &mut self.quiets } else { &mut self.noisies };
        if !list.is_full() {
            list.push(mv);
        }
    }
}
