//! Principal variation search of one node, in numbered steps.

use super::{
    window::Window,
    worker::{Aborted, Worker},
};
use crate::{
    eval::evaluate,
    history::history_bonus,
    movegen::{is_legal, legal_moves},
    params,
    tt::TtEntry,
    types::{Bound, Depth, Key, Move, Score},
};

/// The kind of node, known at compile time.
// CITE: Viridithas - a trait whose associated type is the kind of the child.
pub(super) trait NodeKind {
    /// True for PV nodes: searched with an open window.
    const PV: bool;
    /// True for the root.
    const ROOT: bool;
    /// The kind of a child that is searched with the node's own window.
    type Next: NodeKind;
}

pub(super) struct RootNode;
pub(super) struct Pv;
pub(super) struct NonPv;

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

/// The state of a node that its steps share.
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
    pub(super) key: Key,
    pub(super) tt_hit: bool,
    pub(super) tt_move: Option<Move>,
    pub(super) tt_score: Option<TtScore>,
    /// True for a node that is or once was a PV node.
    // CITE: Stockfish.
    pub(super) tt_pv: bool,
    /// The uncorrected static evaluation, as the TT keeps it; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// The corrected static evaluation; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The TT-adjusted evaluation (Stockfish's `eval`): the static one, or the TT score where its bound allows;
    /// `-INFINITE` in check.
    pub(super) estimate: Score,
    /// True if the static evaluation is higher than at the last turn of the side to move.
    pub(super) improving: bool,
    /// The scores that the tablebases leave open.
    pub(super) tablebase_bounds: (Score, Score),
}

/// A score from the TT, counted from the root.
#[derive(Clone, Copy)]
pub(super) struct TtScore {
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) depth: Depth,
}

impl Node {
    /// The node of the current position, with its TT entry. A singular search, which leaves out a move, does not probe
    /// the TT, because the entry's score includes that move.
    #[inline(always)]
    pub(super) fn new<N: NodeKind>(
        worker: &Worker,
        window: Window,
        depth: Depth,
        ply: usize,
        cut_node: bool,
        excluded: Option<Move>,
    ) -> Self {
        let key = worker.position.tt_key();
        let entry = if excluded.is_none() { worker.shared.tt.probe(key, ply) } else { None };
        let tt_score = entry.and_then(|entry| {
            let (score, bound) = entry.score?;
            Some(TtScore { score, bound, depth: entry.depth })
        });
        let tt_move =
            if N::ROOT { Some(worker.root.moves[worker.root.pv_index].mv) } else { entry.and_then(|entry| entry.mv) };
        Self {
            ply,
            depth,
            window,
            cut_node,
            in_check: worker.position.in_check(),
            excluded,
            key,
            tt_hit: entry.is_some(),
            tt_move,
            tt_score,
            tt_pv: N::PV || entry.is_some_and(|entry| entry.pv),
            raw_eval: entry.and_then(|entry| entry.raw_eval),
            static_eval: None,
            estimate: -Score::INFINITE,
            improving: false,
            tablebase_bounds: (-Score::INFINITE, Score::INFINITE),
        }
    }

    /// The guard that all pruning of whole nodes shares: no PV node, whose score has to be exact; not in check, where
    /// there is no static evaluation; no singular search, which asks about the node's moves and not about its score.
    #[inline(always)]
    pub(super) fn may_be_pruned<N: NodeKind>(&self) -> bool {
        !N::PV && !self.in_check && self.excluded.is_none()
    }
}

impl Worker {
    /// The score of the current position, at `ply` plies from the root, by a search of `depth` plies: fail-soft, so the
    /// score may lie outside the window.
    pub(super) fn search_node<N: NodeKind>(
        &mut self,
        mut window: Window,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Result<Score, Aborted> {
        debug_assert!(!window.is_empty() && (N::PV || window.is_null()));

        // Step 1. Drop into quiescence search at the horizon.
        if depth <= 0 {
            return self.qsearch::<N>(window, ply);
        }
        self.enter_node::<N>(ply)?;

        // Step 2. Draw detection, maximum ply; upcoming repetition, mate distance pruning.
        if let Some(score) = self.draw_or_max_ply(ply).or_else(|| self.narrow_window(&mut window, ply)) {
            return Ok(score);
        }

        // Step 3. Transposition table (TT) probe and cutoff.
        let mut node = Node::new::<N>(self, window, depth, ply, cut_node, self.stack[ply].excluded);
        if let Some(score) = self.tt_cutoff::<N>(&node) {
            return Ok(score);
        }

        // Step 4. Tablebase (Syzygy) probe.
        if let Some(score) = self.tablebase_cutoff::<N>(&mut node) {
            return Ok(score);
        }

        // Step 5. Static evaluation, `improving`; history of the move before. The children's fail highs, for LMR, are
        // counted from here on, that of the null move included.
        self.evaluate_node(&mut node);
        self.update_history_by_evaluation(&node);
        self.stack[ply + 1].cutoffs = 0;

        // Step 6. Hindsight depth adjustment.
        node.depth += self.hindsight_adjustment::<N>(&node);

        // Step 7. Reverse futility pruning (RFP).
        if let Some(score) = self.reverse_futility_pruning::<N>(&node) {
            return Ok(score);
        }

        // Step 8. Null move pruning (NMP).
        if let Some(score) = self.null_move_pruning::<N>(&node)? {
            return Ok(score);
        }

        // Step 9. ProbCut.
        if let Some(score) = self.probcut::<N>(&node)? {
            return Ok(score);
        }

        // Step 10. Internal iterative reduction (IIR).
        node.depth -= self.internal_iterative_reduction::<N>(&node);

        // Step 11. Move loop.
        self.move_loop::<N>(node)
    }

    /// The score of a child of the node at `ply`, after its move was made. Window and score are the parent's.
    #[inline(always)]
    pub(super) fn search_child<N: NodeKind>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Result<Score, Aborted> {
        Ok(-self.search_node::<N>(-window, depth, ply + 1, cut_node)?)
    }

    /// Begins a node, unless the search has to stop.
    #[inline(always)]
    pub(super) fn enter_node<N: NodeKind>(&mut self, ply: usize) -> Result<(), Aborted> {
        if N::PV {
            self.stack.clear_pv(ply);
            self.counters.seldepth = self.counters.seldepth.max(ply);
        }
        self.check_stop()
    }

    /// The score of a draw by the rules, unless it is checkmate, or of a node at the maximum ply.
    pub(super) fn draw_or_max_ply(&mut self, ply: usize) -> Option<Score> {
        let is_mated = || self.position.in_check() && legal_moves(&self.position).is_empty();
        // The root has to have a move.
        if ply == 0 {
            None
        } else if self.position.is_draw(ply) && !is_mated() {
            Some(self.draw_score())
        } else if ply < self.stop.max_ply {
            None
        } else if is_mated() {
            Some(Score::mated_in(ply))
        } else {
            Some(evaluate(&self.position, &mut self.accumulators))
        }
    }

    /// Narrows the window to the scores that are possible: the draw that an upcoming repetition gives at least; mated
    /// in `ply` plies at worst, mate in `ply + 1` plies at best (mate distance pruning). The score, if only one is
    /// left.
    // CITE: Stockfish, by way of Reckless, Stash and Berserk - alpha is raised to a draw by an upcoming repetition;
    // mate distance pruning. Not measured here.
    pub(super) fn narrow_window(&mut self, window: &mut Window, ply: usize) -> Option<Score> {
        if ply == 0 {
            return None;
        }
        if window.alpha < Score::ZERO && self.position.has_upcoming_repetition(ply) {
            window.alpha = self.draw_score();
            if window.is_empty() {
                return Some(window.alpha);
            }
        }
        window.alpha = window.alpha.max(Score::mated_in(ply));
        window.beta = window.beta.min(Score::mate_in(ply + 1));
        window.is_empty().then_some(window.alpha)
    }

    /// The TT score of a non-PV node, if the entry is deep enough and its bound fails high or low; a singular search
    /// has none. No cutoff close to the fifty-move rule, which the position's key shows only roughly.
    // CITE: Stockfish, by way of Reckless - cutoffs in non-PV nodes only, none from a halfmove clock of 90, and the
    // bonus for a quiet TT move that fails high. Not measured here.
    fn tt_cutoff<N: NodeKind>(&mut self, node: &Node) -> Option<Score> {
        let TtScore { score, bound, depth } = node.tt_score?;
        let beta = node.window.beta;
        if N::PV
            || depth < node.depth
            || !bound.allows_cutoff(score, beta)
            || i32::from(self.position.halfmove_clock()) >= params::tt_cutoff_max_clock()
        {
            return None;
        }
        if score >= beta
            && let Some(mv) = node.tt_move.filter(|mv| mv.is_quiet())
            && is_legal(&self.position, mv)
        {
            self.update_threats(node.ply);
            self.update_quiet_histories(mv, node.ply, history_bonus(node.depth));
        }
        Some(score)
    }

    /// Stores a result of the node in the TT.
    #[inline(always)]
    pub(super) fn store(&self, node: &Node, mv: Option<Move>, score: Option<(Score, Bound)>, depth: Depth) {
        let entry = TtEntry { mv, score, raw_eval: node.raw_eval, depth, pv: node.tt_pv };
        self.shared.tt.store(node.key, node.ply, entry);
    }
}
