//! The move loop of a node: pruning, extensions, reductions, and what is stored afterwards.

use super::{
    node::{Node, NodeKind, NonPv},
    picker::{MovePicker, Stage},
    prune,
    update::SearchedMoves,
    worker::Worker,
};
use crate::{
    attacks::Sliders,
    params::*,
    tt::{Bound, TtEntry},
    types::{Depth, Move, Score},
};

impl<S: Sliders> Worker<S> {
    /// Steps 10 to 16 of [`Worker::search_node`].
    pub(super) fn search_moves<N: NodeKind>(&mut self, mut node: Node, key: u64) -> Score {
        let ply = node.ply;
        let first_alpha = node.alpha;
        let mut picker = MovePicker::new(self, node.tt_move);
        let checks = self.position.check_squares(self.sliders);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut move_count = 0;
        let (mut quiets, mut noisies) = (SearchedMoves::new(), SearchedMoves::new());

        while let Some(mv) = picker.next(self, ply) {
            if Some(mv) == node.excluded || N::ROOT && !self.is_root_candidate(mv) {
                continue;
            }
            move_count += 1;
            if N::ROOT && self.thread_id == 0 {
                self.shared.set_current_move(mv, move_count + self.pv_index);
            }

            // Step 10. Move-level pruning: late move (LMP), history, futility, SEE.
            if !N::ROOT && !best.is_loss() {
                let gives_check = self.position.gives_check(&checks, mv);
                if self.is_prunable(&node, mv, gives_check, move_count, &mut picker, &mut best) {
                    continue;
                }
            }

            // Step 11. Singular extension, multicut, negative extension.
            let extension = match self.extension::<N>(&node, mv) {
                Ok(extension) => extension,
                Err(score) => return score,
            };

            // Step 12. Make the move; late move reduction (LMR); principal variation search (PVS).
            let nodes_before = self.nodes;
            let score = self.search_child::<N>(&node, mv, move_count, extension);
            if self.stopped {
                return Score::ZERO;
            }
            if N::ROOT {
                self.update_root_move(&node, mv, score, move_count, self.nodes - nodes_before);
            }

            // Step 13. New best move; raise alpha; beta cutoff.
            if score > best {
                best = score;
                if score > node.alpha {
                    best_move = Some(mv);
                    if self.raise_alpha::<N>(&mut node, mv, score) {
                        break;
                    }
                }
            }
            if Some(mv) != best_move {
                let list = if mv.is_quiet() { &mut quiets } else { &mut noisies };
                let _full = list.try_push(mv);
            }
        }

        // Step 14. Checkmate or stalemate.
        if move_count == 0 {
            return match node.excluded {
                Some(_) => node.alpha,
                None if node.in_check => Score::mated_in(ply),
                None => Score::ZERO,
            };
        }

        // Step 15. Update histories after a beta cutoff.
        if let Some(mv) = best_move.filter(|_| best >= node.beta) {
            self.update_histories(mv, node.depth, ply, &quiets, &noisies);
        }

        // Step 16. TT store; update correction history.
        if node.excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            self.store_result(&node, key, best, best_move, first_alpha);
        }
        best
    }

    /// Takes a move that beat alpha into the principal variation; whether it beats beta, which ends the node.
    fn raise_alpha<N: NodeKind>(&mut self, node: &mut Node, mv: Move, score: Score) -> bool {
        if N::PV && !N::ROOT {
            self.stack.extend_pv(node.ply, mv);
        }
        if score >= node.beta {
            self.stack[node.ply].cutoffs += 1;
            return true;
        }
        node.alpha = score;
        // The window is narrow now; later moves need less depth to be refuted.
        if node.depth > 2 && node.depth < 12 && !score.is_decisive() {
            node.depth -= 1;
        }
        false
    }

    fn store_result(&mut self, node: &Node, key: u64, best: Score, best_move: Option<Move>, first_alpha: Score) {
        let bound = if best >= node.beta {
            Bound::Lower
        } else if best > first_alpha && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = Some((best.to_table(node.ply), bound));
        // What lies beyond the last ply was not searched.
        let depth = node.depth.min((self.last_ply - node.ply) as Depth);
        let entry = TtEntry { mv: best_move, score, eval: node.raw, depth, pv: node.tt_pv };
        self.shared.tt.store(key, entry);

        let Some(eval) = node.eval else { return };
        if bound.refines(best, eval) && best_move.is_none_or(Move::is_quiet) && !best.is_decisive() {
            let keys = self.correction_keys(node.ply);
            self.histories.correction.update(&keys, node.depth, eval, best);
        }
    }

    /// Whether a move can be passed over. `best` is raised to what was hoped for, so that the bound stays honest.
    fn is_prunable(
        &self,
        node: &Node,
        mv: Move,
        gives_check: bool,
        count: usize,
        picker: &mut MovePicker,
        best: &mut Score,
    ) -> bool {
        let depth = node.depth;
        let reduced = (depth - prune::lmr_base_reduction(depth, count) / 1024).max(0);
        // A check is judged like a capture: what it forces does not show in the evaluation.
        let quiet = mv.is_quiet() && !gives_check;
        if mv.is_quiet() && count >= prune::lmp_limit(depth, node.improving) {
            picker.skip_quiets();
        }
        if quiet {
            let history = self.move_history(mv, node.ply);
            if rules::history_pruning() && depth <= 5 && history < -history_pruning_margin() * depth {
                return true;
            }
            // Above alpha there are only quicker mates when alpha is one: no evaluation tells of those.
            if let Some(eval) = node.eval.filter(|_| !node.alpha.is_win())
                && let Some(value) = prune::futility_value(reduced, eval)
                && value <= node.alpha
            {
                if !best.is_decisive() && *best < value {
                    *best = value;
                }
                return true;
            }
        } else if picker.stage() == Stage::BadNoisy
            && let Some(eval) = node.eval
            && let Some(value) = prune::bad_noisy_futility_value(depth, eval)
            && value <= node.alpha
        {
            if !best.is_decisive() && *best < value {
                *best = value;
            }
            return true;
        }
        let depth = if quiet { reduced } else { depth };
        rules::see_pruning()
            && depth <= 8
            && picker.stage() > Stage::GoodNoisy
            && !self.position.see_at_least(self.sliders, mv, prune::see_margin(depth, quiet))
    }

    /// The statistics that reductions and pruning of a quiet move go by.
    #[inline]
    fn move_history(&self, mv: Move, ply: usize) -> i32 {
        let Some(key) = self.quiet_key(mv, ply) else { return 0 };
        self.histories.butterfly(&key)
            + self.histories.continuation(self.stack.before(ply, 1).continuation, key.piece, mv.to())
            + self.histories.continuation(self.stack.before(ply, 2).continuation, key.piece, mv.to())
    }

    /// By how much to extend the table's move: the more the other moves fall short of its score, the more. `Err` is
    /// the score of the node when even without that move it fails high.
    fn extension<N: NodeKind>(&mut self, node: &Node, mv: Move) -> Result<Depth, Score> {
        let &Node { ply, depth, beta, .. } = node;
        let Some((tt_score, bound, tt_depth)) = node.tt_score else { return Ok(0) };
        if !rules::singular_extensions()
            || N::ROOT
            || Some(mv) != node.tt_move
            || node.excluded.is_some()
            || depth < 8
            || tt_depth < depth - 3
            || bound == Bound::Upper
            || tt_score.is_decisive()
            || ply >= 2 * self.root_depth as usize
        {
            return Ok(0);
        }
        let singular_beta = prune::singular_beta(tt_score, depth);
        self.stack[ply].excluded = Some(mv);
        let score = self.search_node::<NonPv>(singular_beta - 1, singular_beta, (depth - 1) / 2, ply, node.cut_node);
        self.stack[ply].excluded = None;
        if self.stopped {
            return Err(Score::ZERO);
        }
        if score < singular_beta {
            let by_far = |margin| !N::PV && score < singular_beta - margin;
            return Ok(1
                + Depth::from(by_far(double_extension_margin()))
                + Depth::from(mv.is_quiet() && by_far(triple_extension_margin())));
        }
        // Multicut: two moves at least reach beta, so the node will.
        if score >= beta && !score.is_decisive() {
            return Err(score);
        }
        Ok(if tt_score >= beta {
            -2
        } else if node.cut_node {
            -1
        } else {
            0
        })
    }

    fn search_child<N: NodeKind>(&mut self, node: &Node, mv: Move, move_count: usize, extension: Depth) -> Score {
        let &Node { ply, alpha, beta, .. } = node;
        let new_depth = node.depth - 1 + extension;
        let history = if mv.is_quiet() { self.move_history(mv, ply) } else { self.noisy_history(mv) };
        self.stack[ply].reduction = 0;
        self.make(mv, ply);
        let mut score = -Score::INFINITE;
        let mut zero_window = !N::PV || move_count > 1;

        if rules::late_move_reductions() && node.depth >= 2 && move_count > 1 + usize::from(N::ROOT) {
            let reduction = self.reduction::<N>(node, mv, move_count, history);
            let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1) + Depth::from(N::PV));
            self.stack[ply].reduction = reduction.max(0);
            score = -self.search_node::<NonPv>(-alpha - 1, -alpha, reduced, ply + 1, true);
            self.stack[ply].reduction = 0;
            zero_window = score > alpha && reduced < new_depth;
            if zero_window {
                // A surprise: the bigger it is, the deeper it deserves to be looked into.
                let deeper = Depth::from(score > alpha + lmr_deeper_margin() + 2 * new_depth);
                let full = new_depth + deeper;
                score = -self.search_node::<NonPv>(-alpha - 1, -alpha, full, ply + 1, !node.cut_node);
                zero_window = false;
            }
        }
        if zero_window {
            score = -self.search_node::<NonPv>(-alpha - 1, -alpha, new_depth, ply + 1, !node.cut_node);
        }
        if N::PV && (move_count == 1 || score > alpha) {
            score = -self.search_node::<N::Next>(-beta, -alpha, new_depth, ply + 1, false);
        }
        self.unmake();
        score
    }

    #[inline]
    fn noisy_history(&self, mv: Move) -> i32 {
        self.moved_piece(mv).map_or(0, |piece| self.histories.capture(piece, mv.to(), self.captured_type(mv)))
    }

    /// By how much less deeply a late move is searched first, in 1/1024 ply. The move has been made.
    fn reduction<N: NodeKind>(&self, node: &Node, mv: Move, move_count: usize, history: i32) -> Depth {
        let mut reduction = prune::lmr_base_reduction(node.depth, move_count);
        if mv.is_noisy() {
            reduction = reduction / 2 - lmr_noisy();
        }
        reduction -= history * 1024 / lmr_history();
        if node.cut_node {
            reduction += lmr_cut_node();
        }
        if !node.improving {
            reduction += lmr_not_improving();
        }
        if node.tt_pv {
            reduction -= lmr_tt_pv();
        }
        if N::PV {
            reduction -= lmr_pv();
        }
        if self.position.in_check() {
            reduction -= lmr_check();
        }
        if node.tt_move.is_some_and(Move::is_noisy) {
            reduction += lmr_noisy_tt_move();
        }
        if self.stack[node.ply + 1].cutoffs > 2 {
            reduction += lmr_cutoffs();
        }
        reduction
    }

    fn is_root_candidate(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root_move| root_move.mv == mv)
    }

    fn update_root_move(&mut self, node: &Node, mv: Move, score: Score, move_count: usize, nodes: u64) {
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        root_move.bound = if score <= node.alpha {
            Bound::Upper
        } else if score >= node.beta {
            Bound::Lower
        } else {
            Bound::Exact
        };
        root_move.score = if move_count == 1 || score > node.alpha { score } else { -Score::INFINITE };
        if root_move.bound != Bound::Upper {
            root_move.pv.clear();
            root_move.pv.push(mv);
            root_move.pv.extend(self.stack[1].pv.iter());
        }
    }
}
