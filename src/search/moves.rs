//! The loop over a node's moves: which to skip, which to search deeper or less deep, what to remember.

use super::{
    node::{Node, NodeKind, Zero},
    picker::{MovePicker, Stage},
    prune,
    update::Tried,
    worker::Worker,
};
use crate::{
    attacks::Sliders,
    params::*,
    tt::{Bound, Entry},
    types::{Depth, Move, Score},
};

impl<S: Sliders> Worker<S> {
    /// Steps 9 to 15 of [`Worker::search_node`].
    pub(super) fn search_moves<N: NodeKind>(&mut self, mut node: Node, key: u64) -> Score {
        let ply = node.ply;
        let first_alpha = node.alpha;
        let mut picker = MovePicker::new(self, node.tt_move);
        let checks = self.position.check_squares(self.sliders);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut move_count = 0;
        let (mut quiets, mut noisies) = (Tried::new(), Tried::new());

        while let Some(mv) = picker.next(self, ply) {
            if Some(mv) == node.excluded || N::ROOT && !self.is_root_candidate(mv) {
                continue;
            }
            move_count += 1;
            if N::ROOT && self.thread_id == 0 {
                self.shared.set_current_move(mv, move_count + self.pv_index);
            }

            // Step 9. Skip moves that will not matter.
            if !N::ROOT && !best.is_loss() {
                let gives_check = self.position.gives_check(&checks, mv);
                if self.is_prunable(&node, mv, gives_check, move_count, &mut picker, &mut best) {
                    continue;
                }
            }

            // Step 10. Search a move deeper when all others are much worse.
            let extension = match self.extension::<N>(&node, mv) {
                Ok(extension) => extension,
                Err(score) => return score,
            };

            // Step 11. Play it and look.
            let nodes_before = self.nodes;
            let score = self.search_child::<N>(&node, mv, move_count, extension);
            if self.stopped {
                return Score::ZERO;
            }
            if N::ROOT {
                self.note_root_move(&node, mv, score, move_count, self.nodes - nodes_before);
            }

            // Step 12. Keep the best.
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

        // Step 13. No legal move: mate or stalemate.
        if move_count == 0 {
            return match node.excluded {
                Some(_) => node.alpha,
                None if node.in_check => Score::mated_in(ply),
                None => Score::ZERO,
            };
        }

        // Step 14. Learn from a cut.
        if let Some(mv) = best_move.filter(|_| best >= node.beta) {
            self.learn_cut(mv, node.depth, ply, &quiets, &noisies);
        }

        // Step 15. Remember the result.
        if node.excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            self.remember(&node, key, best, best_move, first_alpha);
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

    fn remember(&mut self, node: &Node, key: u64, best: Score, best_move: Option<Move>, first_alpha: Score) {
        let bound = if best >= node.beta {
            Bound::Lower
        } else if best > first_alpha && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = Some((best.to_tt(node.ply), bound));
        // What lies beyond the last ply was not searched.
        let depth = node.depth.min((self.last_ply - node.ply) as Depth);
        let entry = Entry { mv: best_move, score, eval: node.raw, depth, pv: node.tt_pv };
        self.shared.table.store(key, entry);

        let Some(eval) = node.eval else { return };
        if bound.agrees(best, eval) && best_move.is_none_or(Move::is_quiet) && !best.is_decisive() {
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
        let reduced = (depth - prune::base_reduction(depth, count) / 1024).max(0);
        // A check is judged like a capture: what it forces does not show in the evaluation.
        let quiet = mv.is_quiet() && !gives_check;
        if mv.is_quiet() && count >= prune::late_move_count(depth, node.improving) {
            picker.skip_quiets();
        }
        if quiet {
            let history = self.move_history(mv, node.ply);
            if rules::history_pruning() && depth <= 5 && history < -history_pruning() * depth {
                return true;
            }
            // Above alpha there are only quicker mates when alpha is one: no evaluation tells of those.
            if let Some(eval) = node.eval.filter(|_| !node.alpha.is_win())
                && let Some(hope) = prune::futility_score(reduced, eval)
                && hope <= node.alpha
            {
                if !best.is_decisive() && *best < hope {
                    *best = hope;
                }
                return true;
            }
        } else if picker.stage() == Stage::BadNoisy
            && let Some(eval) = node.eval
            && let Some(hope) = prune::noisy_futility_score(depth, eval)
            && hope <= node.alpha
        {
            if !best.is_decisive() && *best < hope {
                *best = hope;
            }
            return true;
        }
        let depth = if quiet { reduced } else { depth };
        rules::see_pruning()
            && depth <= 8
            && picker.stage() > Stage::GoodNoisy
            && !self.position.see_ge(self.sliders, mv, prune::exchange_limit(depth, quiet))
    }

    /// The statistics that reductions and pruning of a quiet move go by.
    #[inline]
    fn move_history(&self, mv: Move, ply: usize) -> i32 {
        let Some(key) = self.quiet_key(mv, ply) else { return 0 };
        self.histories.quiet(&key)
            + self.histories.continuation(self.stack.before(ply, 1).context, key.piece, mv.to())
            + self.histories.continuation(self.stack.before(ply, 2).context, key.piece, mv.to())
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
        let bar = prune::singular_beta(tt_score, depth);
        self.stack[ply].excluded = Some(mv);
        let score = self.search_node::<Zero>(bar - 1, bar, (depth - 1) / 2, ply, node.cut_node);
        self.stack[ply].excluded = None;
        if self.stopped {
            return Err(Score::ZERO);
        }
        if score < bar {
            let by_far = |margin| !N::PV && score < bar - margin;
            return Ok(1
                + Depth::from(by_far(double_extension()))
                + Depth::from(mv.is_quiet() && by_far(triple_extension())));
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
            score = -self.search_node::<Zero>(-alpha - 1, -alpha, reduced, ply + 1, true);
            self.stack[ply].reduction = 0;
            zero_window = score > alpha && reduced < new_depth;
            if zero_window {
                // A surprise: the bigger it is, the deeper it deserves to be looked into.
                let deeper = Depth::from(score > alpha + deeper_margin() + 2 * new_depth);
                let full = new_depth + deeper;
                score = -self.search_node::<Zero>(-alpha - 1, -alpha, full, ply + 1, !node.cut_node);
                zero_window = false;
            }
        }
        if zero_window {
            score = -self.search_node::<Zero>(-alpha - 1, -alpha, new_depth, ply + 1, !node.cut_node);
        }
        if N::PV && (move_count == 1 || score > alpha) {
            score = -self.search_node::<N::Next>(-beta, -alpha, new_depth, ply + 1, false);
        }
        self.unmake();
        score
    }

    #[inline]
    fn noisy_history(&self, mv: Move) -> i32 {
        self.moved_piece(mv).map_or(0, |piece| self.histories.noisy(piece, mv.to(), self.captured_kind(mv)))
    }

    /// By how much less deeply a late move is searched first, in 1/1024 ply. The move has been made.
    fn reduction<N: NodeKind>(&self, node: &Node, mv: Move, move_count: usize, history: i32) -> Depth {
        let mut reduction = prune::base_reduction(node.depth, move_count);
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

    fn note_root_move(&mut self, node: &Node, mv: Move, score: Score, move_count: usize, nodes: u64) {
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
