//! One search thread's belongings.

use std::{io, sync::Arc, time::Instant};

use super::{
    control::{Aborted, Shared},
    report::{SearchReport, SearchResult},
    root::RootMove,
    stack::Stack,
};
use crate::{
    attacks::Sliders,
    clock::{Clock, Limits},
    history::{ContinuationKey, Histories},
    movegen::legal_moves,
    nnue::Accumulators,
    position::Position,
    syzygy::{Tablebases, Wdl},
    types::{Color, Depth, MAX_PLY, Move, Piece, PieceType, Score},
};

/// What the user sets once and all searches obey.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How many of the best lines to find, at least 1.
    pub multi_pv: usize,
    /// Milliseconds that are lost between engine and opponent with each move.
    pub move_overhead: i64,
    /// The endgame tables, and when to ask them.
    pub syzygy: SyzygyOptions,
}

/// When the endgame tables are asked.
#[derive(Clone, Debug)]
pub struct SyzygyOptions {
    /// The tables; none when there are none.
    pub tables: Option<Arc<Tablebases>>,
    /// Least depth, in plies, at which positions with as many men as the largest table are looked up.
    pub probe_depth: Depth,
    /// Most men of a position that is looked up.
    pub probe_limit: usize,
    /// Whether a win that the fifty-move rule spoils is a draw.
    pub fifty_move_rule: bool,
}

impl Default for SyzygyOptions {
    fn default() -> Self {
        Self { tables: None, probe_depth: 1, probe_limit: 7, fifty_move_rule: true }
    }
}

/// The same tables, not just equal ones.
impl PartialEq for SyzygyOptions {
    fn eq(&self, other: &Self) -> bool {
        let tables = |options: &Self| options.tables.as_ref().map(Arc::as_ptr);
        let rest = |options: &Self| (options.probe_depth, options.probe_limit, options.fifty_move_rule);
        tables(self) == tables(other) && rest(self) == rest(other)
    }
}

impl Eq for SyzygyOptions {}

impl SyzygyOptions {
    /// The tables if they may be asked about a position of so many men.
    #[inline]
    pub(super) fn tablebases_for(&self, men: usize) -> Option<&Tablebases> {
        self.tables.as_deref().filter(|tables| men <= self.probe_limit.min(tables.max_pieces()))
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { multi_pv: 1, move_overhead: 10, syzygy: SyzygyOptions::default() }
    }
}

/// One search to be done.
#[derive(Clone, Debug)]
pub struct Job {
    /// The number of the search, from 1: see [`Control`](super::Control).
    pub search_id: u64,
    /// The position, with the game that led to it.
    pub position: Position,
    /// When to stop.
    pub limits: Limits,
    /// The user's settings.
    pub options: SearchOptions,
    /// When the command was read.
    pub started: Instant,
}

/// A search thread's position, statistics and stack.
pub struct Worker<S: Sliders> {
    pub(super) sliders: S,
    /// 0 is the main worker: it alone watches the clock and reports.
    pub(super) thread_id: usize,
    pub(super) shared: Arc<Shared>,
    pub(super) position: Position,
    pub(super) accumulators: Accumulators,
    pub(super) histories: Box<Histories>,
    pub(super) stack: Stack,
    pub(super) root_moves: Vec<RootMove>,
    /// The line of a multi-PV search that is being searched, from 0.
    pub(super) pv_index: usize,
    /// The iteration in progress.
    pub(super) root_depth: Depth,
    pub(super) seldepth: usize,
    pub(super) nodes: u64,
    /// Look at the flags when so many nodes are searched.
    pub(super) next_check: u64,
    /// No null moves before this ply, while one is being verified.
    pub(super) nmp_min_ply: usize,
    pub(super) search_id: u64,
    /// Positions this many plies from the root are evaluated, not searched: the stack, or a mate's length, ends there.
    pub(super) max_ply: usize,
    pub(super) limits: Limits,
    pub(super) clock: Clock,
    pub(super) multi_pv: usize,
    pub(super) syzygy: SyzygyOptions,
    /// What the tables say of the root, which then has only the moves that keep it.
    pub(super) root_result: Option<Wdl>,
    pub(super) tbhits: u64,
}

/// The first iteration makes the difference between a move and a blunder, so the clock waits for it for so many nodes:
/// four times what one line takes in any of the bench positions. With a dozen queens it may take millions.
const FIRST_ITERATION_NODES: u64 = 20_000;

/// Nodes between two looks at the flags and the clock: well under a millisecond.
const CHECK_INTERVAL: u64 = 512;

impl<S: Sliders> Worker<S> {
    /// Worker `thread_id` of those that share `shared`.
    ///
    /// # Errors
    /// When there is no memory for its statistics.
    pub fn new(sliders: S, shared: Arc<Shared>, thread_id: usize) -> io::Result<Self> {
        let position = Position::startpos();
        Ok(Self {
            sliders,
            thread_id,
            accumulators: Accumulators::new(shared.network.clone(), &position),
            shared,
            position,
            histories: Histories::new()?,
            stack: Stack::new()?,
            root_moves: Vec::new(),
            pv_index: 0,
            root_depth: 0,
            seldepth: 0,
            nodes: 0,
            next_check: 0,
            nmp_min_ply: 0,
            search_id: 0,
            max_ply: MAX_PLY - 1,
            limits: Limits::default(),
            clock: Clock::new(&Limits::default(), Color::White, 0, Instant::now()),
            multi_pv: 1,
            syzygy: SyzygyOptions::default(),
            root_result: None,
            tbhits: 0,
        })
    }

    /// Forgets what earlier games taught.
    pub fn new_game(&mut self) {
        self.histories.clear();
    }

    /// Shares another table and other counters from now on.
    pub fn set_shared(&mut self, shared: Arc<Shared>) {
        self.shared = shared;
    }

    /// Does a job to its end. The main worker passes what it finds to `report`, at least once when there is a
    /// legal move; it does not wait for the end of an infinite or pondering search, which is the caller's business.
    pub fn search(&mut self, job: &Job, report: Option<&mut dyn FnMut(SearchReport)>) -> SearchResult {
        self.prepare(job);
        if self.root_moves.is_empty() {
            let score = if self.position.in_check() { Score::mated_in(0) } else { Score::ZERO };
            self.shared.end(self.search_id);
            return SearchResult { worker: self.thread_id, pv: Vec::new(), score, depth: 0, seldepth: 0, nodes: 0 };
        }
        let depth = self.iterative_deepening(report);
        if self.thread_id == 0 {
            self.shared.end(self.search_id);
        }
        self.shared.publish(self.thread_id, self.nodes, self.tbhits);
        let best = &self.root_moves[0];
        let score = self.displayed_score(best.last_score().0);
        SearchResult {
            worker: self.thread_id,
            pv: best.pv.clone(),
            score,
            depth,
            seldepth: self.seldepth,
            nodes: self.nodes,
        }
    }

    fn prepare(&mut self, job: &Job) {
        self.position.clone_from(&job.position);
        self.accumulators.reset_with_network(&self.shared.network, &self.position);
        self.stack.clear();
        self.max_ply = job.limits.mate.map_or(MAX_PLY - 1, |moves| (2 * moves as usize).min(MAX_PLY - 1));
        let legal = legal_moves(&self.position);
        let wanted = |mv: &Move| job.limits.search_moves.contains(mv);
        let restricted = legal.iter().any(wanted);
        self.root_moves = legal.into_iter().filter(|mv| !restricted || wanted(mv)).map(RootMove::new).collect();
        self.syzygy.clone_from(&job.options.syzygy);
        self.tbhits = 0;
        self.probe_tablebases_at_root();
        self.multi_pv = job.options.multi_pv.clamp(1, self.root_moves.len().max(1));
        self.pv_index = 0;
        self.root_depth = 0;
        self.nodes = 0;
        self.next_check = 0;
        self.seldepth = 0;
        self.nmp_min_ply = 0;
        self.search_id = job.search_id;
        self.limits.clone_from(&job.limits);
        let side = self.position.side_to_move();
        self.clock = Clock::new(&job.limits, side, job.options.move_overhead, job.started);
    }

    /// An error if the search has to stop. Cheap: the flags and the clock are looked at once in [`CHECK_INTERVAL`] nodes.
    #[inline(always)]
    pub(super) fn check_stop(&mut self) -> Result<(), Aborted> {
        if self.nodes >= self.next_check && self.check_limits() { Err(Aborted) } else { Ok(()) }
    }

    /// Publishes the counters, and returns true if the search has to stop.
    #[cold]
    fn check_limits(&mut self) -> bool {
        self.shared.publish(self.thread_id, self.nodes, self.tbhits);
        let mut stop = self.shared.control.is_stopped(self.search_id);
        stop |= match self.thread_id {
            0 => {
                let may_end = self.root_depth > 1 || self.nodes >= FIRST_ITERATION_NODES;
                may_end && !self.is_pondering() && self.clock.is_hard_limit_reached()
            }
            _ => self.shared.is_ended(self.search_id),
        };
        self.next_check = self.nodes + CHECK_INTERVAL;
        if let Some(limit) = self.limits.nodes {
            let total = self.shared.nodes();
            stop |= total >= limit;
            // With one thread, the limit is met to the node.
            self.next_check = self.next_check.min(self.nodes + limit.saturating_sub(total));
        }
        stop
    }

    /// Whether the opponent has not yet played the expected move.
    pub(super) fn is_pondering(&self) -> bool {
        self.limits.ponder && !self.shared.control.is_ponderhit(self.search_id)
    }

    /// The piece that a move of this position moves.
    #[inline(always)]
    pub(super) fn moved_piece(&self, mv: Move) -> Option<Piece> {
        self.position.piece_at(mv.from())
    }

    /// The type of what a move of this position takes.
    #[inline(always)]
    pub(super) fn captured_type(&self, mv: Move) -> Option<PieceType> {
        if mv.is_en_passant() {
            return Some(PieceType::Pawn);
        }
        if !mv.is_capture() {
            return None;
        }
        self.position.piece_at(mv.to()).map(Piece::kind)
    }

    /// Makes a move at `ply`, runs `search` on the child, and unmakes the move.
    #[inline(always)]
    pub(super) fn after_move<T>(&mut self, mv: Move, ply: usize, search: impl FnOnce(&mut Self) -> T) -> T {
        self.make(mv, ply);
        let result = search(self);
        self.position.unmake(&mut self.accumulators);
        result
    }

    #[inline]
    fn make(&mut self, mv: Move, ply: usize) {
        self.shared.tt.prefetch(self.position.key_after(mv));
        let continuation =
            self.moved_piece(mv).map_or(ContinuationKey::NONE, |piece| ContinuationKey::new(piece, mv.to()));
        let entry = &mut self.stack[ply];
        entry.mv = Some(mv);
        entry.continuation = continuation;
        self.position.make(mv, &mut self.accumulators);
        self.nodes += 1;
    }

    /// Whether the position is drawn by rule, at `ply` half-moves from the root.
    #[inline]
    pub(super) fn is_draw(&self, ply: usize) -> bool {
        self.position.is_repetition(ply)
            || self.position.is_insufficient_material()
            || self.position.is_fifty_move_draw()
                && (!self.position.in_check() || !legal_moves(&self.position).is_empty())
    }

    /// The score of a draw, alternating by a hair so that the search does not take all draws for one.
    #[inline]
    pub(super) fn draw_score(&self) -> Score {
        Score((self.nodes & 2) as i32 - 1)
    }

    /// The deepest iteration that the limits allow.
    pub(super) fn max_depth(&self) -> Depth {
        self.limits.depth.unwrap_or(MAX_PLY as Depth - 1).clamp(1, MAX_PLY as Depth - 1)
    }
}
