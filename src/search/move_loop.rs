//! The move loop of a node, principal variation search (PVS) of each move, and the TT store after the loop.

use arrayvec::ArrayVec;

use super::{
    extensions::SingularOutcome,
    history_updates::SearchedMoves,
    node::{Node, NodeKind, NonPv},
    picker::MovePicker,
    stack::Reduction,
    window::Window,
    worker::{Aborted, Worker},
};
use crate::{
    eval::is_lost,
    types::{Bound, Depth, Move, Score},
};

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
    best_move: Option<Move>,
    /// The quiet and noisy moves that were searched and did not raise alpha.
    quiets: SearchedMoves,
    noisies: SearchedMoves,
}

impl MoveLoop {
    #[inline(always)]
    fn new(worker: &Worker, node: &Node) -> Self {
        Self {
            picker: MovePicker::new(worker, node.tt_move),
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
        !N::ROOT && !is_lost(self.best)
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
    fn add_searched(&mut self, mv: Move) {
        let list = if mv.is_quiet() { &mut self.quiets } else { &mut self.noisies };
        if !list.is_full() {
            list.push(mv);
        }
    }
}

impl Worker {
    /// The score of a node by the search of its moves.
    #[inline(always)]
    pub(super) fn move_loop<N: NodeKind>(&mut self, mut node: Node) -> Result<Score, Aborted> {
        let ply = node.ply;
        let window = node.window;
        if node.excluded.is_none() {
            self.update_threats(ply);
        }
        let mut moves = MoveLoop::new(self, &node);

        while let Some(mv) = moves.picker.next(self, ply) {
            if Some(mv) == node.excluded || N::ROOT && !self.root.candidates().any(|root_move| root_move.mv == mv) {
                continue;
            }
            moves.move_count += 1;
            if N::ROOT && self.thread_id == 0 {
                self.shared.set_current_move(mv, moves.move_count + self.root.pv_index, self.root.depth);
            }

            // The first move is neither pruned nor reduced.
            if moves.move_count > 1 {
                moves.history = self.move_history(mv, ply);

                // Step 12. Pruning of the move: late move (LMP), history, futility (FP), SEE.
                if self.prune_move::<N>(&node, &mut moves, mv) {
                    continue;
                }
            }

            // Step 13. Singular extension, multicut, negative extension.
            let extension = match self.singular_extension::<N>(&node, mv)? {
                SingularOutcome::Extend(plies) => plies,
                SingularOutcome::Multicut(score) => return Ok(score),
            };

            // Step 14. Make the move; late move reduction (LMR); principal variation search (PVS).
            let nodes_before = self.counters.nodes;
            let score = self.search_move::<N>(&node, &moves, mv, extension)?;
            if N::ROOT {
                self.update_root_move(&node, &moves, mv, score, self.counters.nodes - nodes_before);
            }

            // Step 15. New best move; raise alpha; beta cutoff.
            if score > moves.best {
                moves.best = score;
                if score > node.window.alpha {
                    moves.best_move = Some(mv);
                    if self.raise_alpha::<N>(&mut node, mv, score) {
                        break;
                    }
                }
            }
            if Some(mv) != moves.best_move {
                moves.add_searched(mv);
            }
        }
        Ok(self.finish_node::<N>(&node, window, &moves))
    }

    /// The score of a move. Late moves are searched to a reduced depth first, and again if they beat alpha; all but the
    /// first move of a PV node are searched with a null window first, and again with the full one if they beat alpha.
    // CITE: Marsland and Campbell - principal variation search.
    fn search_move<N: NodeKind>(
        &mut self,
        node: &Node,
        moves: &MoveLoop,
        mv: Move,
        extension: Depth,
    ) -> Result<Score, Aborted> {
        let entry = &mut self.stack[node.ply];
        entry.reduction = Reduction::NONE;
        entry.move_count = moves.move_count;
        entry.is_tt_move = Some(mv) == node.tt_move;
        self.after_move(mv, node.ply, |worker| {
            let &Node { ply, window, .. } = node;
            let null_window = Window::null_above(window.alpha);
            let new_depth = node.depth - 1 + extension;
            let mut score = -Score::INFINITE;
            let mut needs_null_window = !N::PV || moves.move_count > 1;

            // Late move reduction (LMR).
            if let Some(reduction) = worker.late_move_reduction::<N>(node, moves, mv) {
                // At least a ply, so not by quiescence search; where the reduction is negative, no deeper than
                // unreduced, but by a ply in PV nodes.
                let deepest = new_depth.max(1) + Depth::from(N::PV);
                let reduced = (new_depth - reduction.plies()).clamp(1, deepest);
                worker.stack[ply].reduction = reduction.max(Reduction::NONE);
                score = worker.search_child::<NonPv>(null_window, reduced, ply, true)?;
                worker.stack[ply].reduction = Reduction::NONE;
                needs_null_window = false;
                if score > window.alpha && reduced < new_depth {
                    if mv.is_quiet() {
                        worker.update_after_reduced_search(ply, new_depth);
                    }
                    let depth = node.depth_after_fail_high::<N>(new_depth, score, moves.best);
                    if depth > reduced {
                        score = worker.search_child::<NonPv>(null_window, depth, ply, !node.cut_node)?;
                    }
                }
            }

            // Principal variation search (PVS).
            if needs_null_window {
                score = worker.search_child::<NonPv>(null_window, new_depth, ply, !node.cut_node)?;
            }
            if N::PV && (moves.move_count == 1 || score > window.alpha) {
                score = worker.search_child::<N::Next>(window, new_depth, ply, false)?;
            }
            Ok(score)
        })
    }

    /// The score of the node, whose window was `window` before its moves, after updates of histories and TT.
    #[inline(always)]
    fn finish_node<N: NodeKind>(&mut self, node: &Node, window: Window, moves: &MoveLoop) -> Score {
        // Step 16. Checkmate or stalemate.
        if moves.move_count == 0 {
            return match node.excluded {
                Some(_) => window.alpha,
                None if node.in_check => Score::mated_in(node.ply),
                None => Score::ZERO,
            };
        }

        // Step 17. Update histories after a beta cutoff, or if all moves fail low.
        let (min_score, max_score) = node.tablebase_bounds;
        let best = moves.best.clamp(min_score, max_score);
        if let Some(mv) = moves.best_move.filter(|_| window.fails_high(best)) {
            self.update_histories(mv, node.depth, node.ply, &moves.quiets, &moves.noisies);
            self.update_refuted_first_move(node.ply, node.depth);
        }
        if window.fails_low(best) && node.excluded.is_none() {
            self.update_previous_move_after_fail_low(node, best);
        }

        // Step 18. TT store; update correction history.
        if node.excluded.is_none() && !(N::ROOT && self.root.pv_index > 0) {
            self.store_result(node, window.bound(best), best, moves.best_move);
        }
        best
    }

    /// Adds a move that beat alpha to the PV and raises alpha. Returns true on a beta cutoff.
    fn raise_alpha<N: NodeKind>(&mut self, node: &mut Node, mv: Move, score: Score) -> bool {
        if N::PV && !N::ROOT {
            self.stack.extend_pv(node.ply, mv);
        }
        if node.window.fails_high(score) {
            self.stack[node.ply].cutoffs += 1;
            return true;
        }
        node.window.alpha = score;
        node.reduce_after_alpha_raise(score);
        false
    }

    /// Stores the result of a node in the TT, and the error of its static evaluation in the correction history.
    fn store_result(&mut self, node: &Node, bound: Bound, best: Score, best_move: Option<Move>) {
        // No line is searched beyond the maximum ply.
        let depth = node.depth.min((self.stop.max_ply - node.ply) as Depth);
        self.store(node, best_move, Some((best, bound)), depth);

        let Some(eval) = node.static_eval else { return };
        if bound.refines(best, eval) && best_move.is_none_or(Move::is_quiet) && !best.is_decisive() {
            let keys = self.correction_keys(node.ply);
            self.histories.correction.update(&keys, node.depth, eval, best);
        }
    }

    /// Takes in the score of a root move, and the nodes that its search took. Of the moves after the first, a score
    /// that fails low says nothing but that they are no better.
    fn update_root_move(&mut self, node: &Node, moves: &MoveLoop, mv: Move, score: Score, nodes: u64) {
        let depth = self.root.depth;
        let Some(root_move) = self.root.moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        let bound = node.window.bound(score);
        let score = if moves.move_count == 1 || bound != Bound::Upper { score } else { -Score::INFINITE };
        root_move.update(score, bound, self.stack.pv(1), depth, self.counters.seldepth.max(1));
    }
}
