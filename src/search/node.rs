//! The node: one position of the tree, in numbered steps.

use super::{prune, worker::Worker};
use crate::{
    attacks::Sliders,
    eval::evaluate,
    movegen::{is_legal, legal_moves},
    params::rules,
    tt::{Bound, Entry},
    types::{Depth, Move, Score},
};

/// What kind of node is searched, known at compile time.
pub(super) trait NodeKind {
    /// Part of a principal variation: searched with an open window.
    const PV: bool;
    /// The root itself.
    const ROOT: bool;
    /// What the first child of such a node is.
    type Next: NodeKind;
}

pub(super) struct Root;
pub(super) struct Pv;
pub(super) struct Zero;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = Pv;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = Self;
}

impl NodeKind for Zero {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = Self;
}

/// What the steps of one node pass on to each other.
pub(super) struct Node {
    pub(super) ply: usize,
    pub(super) depth: Depth,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    /// A zero-window node whose parent expects it to fail high.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// The move that a singular search leaves out.
    pub(super) excluded: Option<Move>,
    pub(super) tt_move: Option<Move>,
    /// The table's score, counted from the root, with its bound and depth.
    pub(super) tt_score: Option<(Score, Bound, Depth)>,
    /// On a principal variation, now or before.
    pub(super) tt_pv: bool,
    /// What the evaluation says, uncorrected; none in check.
    pub(super) raw: Option<Score>,
    /// The corrected evaluation; none in check.
    pub(super) eval: Option<Score>,
    /// The best guess at the node's score; meaningless in check.
    pub(super) estimate: Score,
    /// The side to move stands better than at its last turn.
    pub(super) improving: bool,
}

impl<S: Sliders> Worker<S> {
    /// The score of the current position, `depth` plies deep, within the window `alpha`..`beta`.
    pub(super) fn search_node<N: NodeKind>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        debug_assert!(alpha < beta && (N::PV || alpha + 1 == beta));

        // Step 1. At the horizon, quiescence.
        if depth <= 0 {
            return self.quiesce::<N>(alpha, beta, ply);
        }
        if self.enter::<N>(ply) {
            return Score::ZERO;
        }

        // Step 2. Draws, the end of the stack, and mates too far to matter.
        if !N::ROOT
            && let Some(score) = self.settled(&mut alpha, &mut beta, ply)
        {
            return score;
        }

        // Step 3. The table.
        let excluded = self.stack[ply].excluded;
        let key = self.position.tt_key();
        let entry = if excluded.is_none() { self.shared.table.probe(key) } else { None };
        let mut node = self.describe::<N>(alpha, beta, depth, ply, cut_node, entry.as_ref());
        if !N::PV
            && excluded.is_none()
            && let Some(score) = self.table_cutoff(&node)
        {
            return score;
        }

        // Step 4. The endgame tables.
        let (mut floor, mut ceiling) = (-Score::INFINITE, Score::INFINITE);
        if !N::ROOT
            && excluded.is_none()
            && let Some((score, bound)) = self.ask_tables(depth, ply)
        {
            if bound.proves(score, beta) && (!N::PV || bound != Bound::Upper || score <= alpha) {
                self.remember_table_score(key, score, bound, depth, ply, node.tt_pv);
                return score;
            }
            match bound {
                Bound::Lower => floor = score,
                _ => ceiling = score,
            }
            node.alpha = alpha.max(floor);
        }

        // Step 5. The static evaluation.
        self.evaluate_node(&mut node, entry.as_ref(), key);

        // Step 6. Prune the whole node.
        if !N::PV
            && !node.in_check
            && excluded.is_none()
            && let Some(score) = self.prune_node(&mut node)
        {
            return score;
        }

        // Step 7. Without a move from the table, deep search is badly ordered: a ply less now, and the next visit has one.
        if rules::internal_reductions()
            && node.depth >= 4
            && node.tt_move.is_none()
            && excluded.is_none()
            && (N::PV || cut_node)
        {
            node.depth -= 1;
        }

        // Step 8. The moves.
        self.search_moves::<N>(node, key).clamp(floor, ceiling)
    }

    /// Begins a node. Whether the search is to be broken off instead.
    #[inline(always)]
    pub(super) fn enter<N: NodeKind>(&mut self, ply: usize) -> bool {
        if N::PV {
            self.stack[ply].pv.clear();
            self.seldepth = self.seldepth.max(ply);
        }
        self.must_stop()
    }

    /// Draws by rule or at hand, and windows that no mate from here can reach.
    pub(super) fn settled(&mut self, alpha: &mut Score, beta: &mut Score, ply: usize) -> Option<Score> {
        if self.is_draw(ply) {
            return Some(self.draw_score());
        }
        if ply >= self.last_ply {
            let mated = self.position.in_check() && legal_moves(&self.position).is_empty();
            return Some(if mated { Score::mated_in(ply) } else { evaluate(&self.position, &mut self.accumulators) });
        }
        if *alpha < Score::ZERO && self.position.has_upcoming_repetition(ply) {
            *alpha = self.draw_score();
            if *alpha >= *beta {
                return Some(*alpha);
            }
        }
        *alpha = (*alpha).max(Score::mated_in(ply));
        *beta = (*beta).min(Score::mate_in(ply + 1));
        (*alpha >= *beta).then_some(*alpha)
    }

    fn describe<N: NodeKind>(
        &self,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
        cut_node: bool,
        entry: Option<&Entry>,
    ) -> Node {
        let tt_move = if N::ROOT { Some(self.root_moves[self.pv_index].mv) } else { entry.and_then(|entry| entry.mv) };
        Node {
            ply,
            depth,
            alpha,
            beta,
            cut_node,
            in_check: self.position.in_check(),
            excluded: self.stack[ply].excluded,
            tt_move,
            tt_score: entry.and_then(|entry| entry.score.map(|(s, bound)| (s.from_tt(ply), bound, entry.depth))),
            tt_pv: N::PV || entry.is_some_and(|entry| entry.pv),
            raw: None,
            eval: None,
            estimate: Score::ZERO,
            improving: false,
        }
    }

    /// A stored score that settles the node. Not when the fifty-move rule is near, which the key does not show well.
    fn table_cutoff(&mut self, node: &Node) -> Option<Score> {
        let (score, bound, depth) = node.tt_score?;
        if depth < node.depth || !bound.proves(score, node.beta) || self.position.halfmove_clock() >= 90 {
            return None;
        }
        if score >= node.beta
            && let Some(mv) = node.tt_move.filter(|mv| mv.is_quiet())
            && is_legal(&self.position, mv)
        {
            self.find_threats(node.ply);
            self.learn_quiet(mv, node.ply, prune::bonus(node.depth));
        }
        Some(score)
    }

    /// The evaluation before any correction: the table's, or a fresh one; none in check.
    pub(super) fn raw_evaluation(&mut self, in_check: bool, entry: Option<&Entry>) -> Option<Score> {
        if in_check {
            return None;
        }
        entry.and_then(|entry| entry.eval).or_else(|| Some(evaluate(&self.position, &mut self.accumulators)))
    }

    /// Notes what the opponent attacks, which the statistics of quiet moves depend on.
    #[inline]
    pub(super) fn find_threats(&mut self, ply: usize) {
        let board = self.position.board();
        self.stack[ply].threats = board.attacked_squares(self.sliders, !board.side_to_move(), board.occupied());
    }

    fn evaluate_node(&mut self, node: &mut Node, entry: Option<&Entry>, key: u64) {
        let ply = node.ply;
        self.find_threats(ply);
        self.stack[ply + 1].cutoffs = 0;
        if node.excluded.is_some() {
            // The same position as the search around this one: nothing has changed.
            node.eval = self.stack[ply].eval;
            node.estimate = node.eval.unwrap_or_default();
        } else if let Some(raw) = self.raw_evaluation(node.in_check, entry) {
            let eval = self.corrected(raw, ply);
            node.raw = Some(raw);
            node.eval = Some(eval);
            node.estimate = match node.tt_score {
                Some((score, bound, _)) if !score.is_decisive() && bound.agrees(score, eval) => score,
                _ => eval,
            };
            if entry.is_none() {
                let early = Entry { mv: None, score: None, eval: Some(raw), depth: -1, pv: node.tt_pv };
                self.shared.table.store(key, early);
            }
        }
        self.stack[ply].eval = node.eval;
        if let Some(eval) = node.eval {
            let earlier = self.stack.before(ply, 2).eval.or(self.stack.before(ply, 4).eval);
            node.improving = earlier.is_some_and(|earlier| eval > earlier);
        }
    }
}
