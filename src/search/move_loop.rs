//! The move loop of a node, and the TT store after it.

use arrayvec::ArrayVec;

use super::{
    extensions::Extension,
    history_updates::SearchedMoves,
    node::{Node, NodeKind},
    picker::MovePicker,
    window::Window,
    worker::{Aborted, Worker},
};
use crate::{
    attacks::Sliders,
    params,
    tt::TtEntry,
    types::{Bound, Depth, Move, Score},
};

/// The progress of a node's move loop.
pub(super) struct MoveLoop {
    pub(super) picker: MovePicker,
    /// The number of the current move, from 1, counting pruned moves.
    pub(super) move_count: usize,
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
    fn new<S: Sliders>(worker: &Worker<S>, node: &Node) -> Self {
        Self {
            picker: MovePicker::new(worker, node.tt_move),
            move_count: 0,
            best: -Score::INFINITE,
            best_move: None,
            quiets: ArrayVec::new(),
            noisies: ArrayVec::new(),
        }
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

impl<S: Sliders> Worker<S> {
    /// Step 12 of [`Worker::search_node`].
    pub(super) fn search_moves<N: NodeKind>(&mut self, mut node: Node) -> Result<Score, Aborted> {
        let ply = node.ply;
        let window = node.window;
        if node.excluded.is_none() {
            self.update_threats(ply);
        }
        let mut moves = MoveLoop::new(self, &node);

        while let Some(mv) = moves.picker.next(self, ply) {
            if Some(mv) == node.excluded || N::ROOT && !self.is_root_candidate(mv) {
                continue;
            }
            moves.move_count += 1;
            if N::ROOT && self.thread_id == 0 {
                self.shared.set_current_move(mv, moves.move_count + self.root.pv_index, self.root.depth);
            }

            // The first move is neither pruned nor reduced.
            let history = if moves.move_count > 1 { self.move_history(mv, ply) } else { 0 };

            // Step 13. Move-level pruning: late move (LMP), history, futility, SEE.
            if !N::ROOT && !moves.best.is_loss() && self.prune_move(&node, &mut moves, mv, history) {
                continue;
            }

            // Step 14. Singular extension, multicut, negative extension.
            let extension = match self.singular_extension::<N>(&node, mv)? {
                Extension::By(plies) => plies,
                Extension::Cutoff(score) => return Ok(score),
            };

            // Step 15. Make the move; late move reduction (LMR); principal variation search (PVS).
            let nodes_before = self.counters.nodes;
            let score = self.search_move::<N>(&node, mv, moves.move_count, extension, history, moves.best)?;
            if N::ROOT {
                self.update_root_move(&node, mv, score, moves.move_count, self.counters.nodes - nodes_before);
            }

            // Step 16. New best move; raise alpha; beta cutoff.
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

    /// Steps 17 to 19: the score of the node, whose window was `window` before its moves, after updates of histories and TT.
    #[inline(always)]
    fn finish_node<N: NodeKind>(&mut self, node: &Node, window: Window, moves: &MoveLoop) -> Score {
        // Step 17. Checkmate or stalemate.
        if moves.move_count == 0 {
            return match node.excluded {
                Some(_) => window.alpha,
                None if node.in_check => Score::mated_in(node.ply),
                None => Score::ZERO,
            };
        }

        // Step 18. Update histories after a beta cutoff, or if all moves fail low.
        let (min_score, max_score) = node.tablebase_bounds;
        let best = moves.best.clamp(min_score, max_score);
        if let Some(mv) = moves.best_move.filter(|_| window.fails_high(best)) {
            self.update_histories(mv, node.depth, node.ply, &moves.quiets, &moves.noisies);
            self.update_refuted_first_move(node.ply, node.depth);
        }
        if window.fails_low(best) && node.excluded.is_none() {
            self.update_previous_move_after_fail_low(node, best);
        }

        // Step 19. TT store; update correction history.
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
        reduce_after_alpha_raise(node, score);
        false
    }

    /// Stores the result of a node in the TT, and the error of its static evaluation in the correction history.
    fn store_result(&mut self, node: &Node, bound: Bound, best: Score, best_move: Option<Move>) {
        // No line is searched beyond the maximum ply.
        let depth = node.depth.min((self.stop.max_ply - node.ply) as Depth);
        let score = Some((best.to_tt(node.ply), bound));
        let entry = TtEntry { mv: best_move, score, raw_eval: node.raw_eval, depth, pv: node.tt_pv };
        self.shared.tt.store(node.key, entry);

        let Some(eval) = node.static_eval else { return };
        if bound.refines(best, eval) && best_move.is_none_or(Move::is_quiet) && !best.is_decisive() {
            let keys = self.correction_keys(node.ply);
            self.histories.correction.update(&keys, node.depth, eval, best);
        }
    }

    /// Returns true for the root moves of the current PV.
    fn is_root_candidate(&self, mv: Move) -> bool {
        self.root.candidates().any(|root_move| root_move.mv == mv)
    }

    fn update_root_move(&mut self, node: &Node, mv: Move, score: Score, move_count: usize, nodes: u64) {
        let Some(root_move) = self.root.moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        let bound = node.window.bound(score);
        let score = if move_count == 1 || bound != Bound::Upper { score } else { -Score::INFINITE };
        root_move.update(score, bound, self.stack.pv(1), self.root.depth, self.counters.seldepth.max(1));
    }
}

/// A move that raised alpha is rarely improved upon: the later ones are searched a ply shallower.
// CITE: Stockfish. Not measured here.
#[inline(always)]
fn reduce_after_alpha_raise(node: &mut Node, score: Score) {
    let depths = params::alpha_raise_min_depth()..=params::alpha_raise_max_depth();
    if depths.contains(&node.depth) && !score.is_decisive() {
        node.depth -= 1;
    }
}
