//! Perft: counting the leaves of the tree of all legal moves.

mod table;

pub use table::Table;

use std::marker::PhantomData;

use crate::{
    attacks::Sliders,
    movegen::{All, Counter, PawnStep, Sink, generate_as, generate_into},
    position::{Board, Keys, Masks},
    types::{Bitboard, Black, Color, Move, MoveKind, MoveList, PieceType, Side, Square, White},
};

/// Deeper walks would only run out of stack. Without a table, no one will live to see so many plies counted.
pub const MAX_DEPTH: u32 = 64;

/// The number of legal move sequences of length `depth`, up to [`MAX_DEPTH`]. The last ply is counted rather than played.
pub fn perft<S: Sliders>(sliders: S, board: &Board, depth: u32) -> u64 {
    match (depth, board.side_to_move()) {
        (0, _) => 1,
        (_, Color::White) => nodes::<S, White, true>(sliders, board, depth),
        (_, Color::Black) => nodes::<S, Black, true>(sliders, board, depth),
    }
}

/// [`perft`] that plays the last ply too, as a search has to.
pub fn perft_to_the_leaves<S: Sliders>(sliders: S, board: &Board, depth: u32) -> u64 {
    match (depth, board.side_to_move()) {
        (0, _) => 1,
        (_, Color::White) => nodes::<S, White, false>(sliders, board, depth),
        (_, Color::Black) => nodes::<S, Black, false>(sliders, board, depth),
    }
}

/// [`perft`] that gives up when `stopped` says so: it is asked before every few plies' worth of counting.
pub fn perft_unless<S: Sliders>(sliders: S, board: &Board, depth: u32, stopped: &impl Fn() -> bool) -> Option<u64> {
    const UNINTERRUPTED: u32 = 4;
    if depth <= UNINTERRUPTED {
        return (!stopped()).then(|| perft(sliders, board, depth));
    }
    let mut moves = MoveList::new();
    generate_into::<S, All>(sliders, board, &Masks::of(board), &mut moves);
    moves.iter().map(|&mv| perft_unless(sliders, &board.play(mv), depth - 1, stopped)).sum()
}

/// [`perft`] that looks in `table` for what was counted before, in another order of moves, and leaves there what it
/// counts. None if there are more than 2^64 - 1, which with few men on the board is not far.
pub fn perft_with_table<S: Sliders>(sliders: S, board: &Board, depth: u32, table: &Table) -> Option<u64> {
    /// Below, counting takes no longer than working out the key and waiting for memory.
    const LEAST_DEPTH: u32 = 3;
    if depth < LEAST_DEPTH {
        return Some(perft(sliders, board, depth));
    }
    let key = Keys::of(board).full;
    table.probe(key, depth).or_else(|| {
        let mut moves = MoveList::new();
        generate_into::<S, All>(sliders, board, &Masks::of(board), &mut moves);
        let count = |&mv: &Move| perft_with_table(sliders, &board.play(mv), depth - 1, table);
        let nodes = moves.iter().map(count).try_fold(0_u64, |sum, nodes| sum.checked_add(nodes?))?;
        table.store(key, depth, nodes);
        Some(nodes)
    })
}

/// [`perft`] split by first move, in generation order.
pub fn divide<S: Sliders>(sliders: S, board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = MoveList::new();
    generate_into::<S, All>(sliders, board, &Masks::of(board), &mut moves);
    moves.iter().map(|&mv| (mv, perft(sliders, &board.play(mv), depth.saturating_sub(1)))).collect()
}

#[inline(always)]
fn nodes<S: Sliders, C: Side, const BULK: bool>(sliders: S, board: &Board, depth: u32) -> u64 {
    if BULK && depth == 1 { count::<S, C>(sliders, board) } else { descend::<S, C, BULK>(sliders, board, depth) }
}

#[inline(never)]
fn count<S: Sliders, C: Side>(sliders: S, board: &Board) -> u64 {
    let mut counter = Counter::default();
    generate_as::<S, All, C>(sliders, board, &Masks::of_side(board, C::US), &mut counter);
    counter.0
}

/// Never inlined: what would be left of a leaf's board there, once the compiler saw that nobody looks at it?
#[inline(never)]
fn descend<S: Sliders, C: Side, const BULK: bool>(sliders: S, board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut walker = Walker::<S, C, BULK> { sliders, board, depth: depth - 1, nodes: 0, side: PhantomData };
    generate_as::<S, All, C>(sliders, board, &Masks::of_side(board, C::US), &mut walker);
    walker.nodes
}

/// Goes on from each move instead of listing it.
struct Walker<'a, S, C, const BULK: bool> {
    sliders: S,
    board: &'a Board,
    /// Plies left after the move.
    depth: u32,
    nodes: u64,
    side: PhantomData<C>,
}

/// A board whose bitboards fill one cache line, wherever the stack begins. Without it some runs of perft took a third more
/// cycles, probably to read back what was written as one vector across two lines.
#[repr(align(64))]
struct Aligned(Board);

impl<S: Sliders, C: Side, const BULK: bool> Walker<'_, S, C, BULK> {
    /// Goes on from the board after a move.
    #[inline(always)]
    fn visit(&mut self, apply: impl FnOnce(&mut Board)) {
        let mut next = Aligned(*self.board);
        apply(&mut next.0);
        self.nodes += nodes::<S, C::Them, BULK>(self.sliders, &next.0, self.depth);
    }
}

impl<S: Sliders, C: Side, const BULK: bool> Sink for Walker<'_, S, C, BULK> {
    #[inline(always)]
    fn piece(&mut self, kind: PieceType, from: Square, captures: Bitboard, quiets: Bitboard) {
        for to in captures {
            self.visit(|next| next.apply_capture(C::US, kind, from, to));
        }
        for to in quiets {
            self.visit(|next| next.apply_quiet(C::US, kind, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: PawnStep, kind: MoveKind) {
        for to in targets {
            let from = step.origin(to);
            self.visit(|next| match kind {
                MoveKind::Capture => next.apply_capture(C::US, PieceType::Pawn, from, to),
                MoveKind::DoublePush => next.apply_double_push(C::US, from, to),
                _ => next.apply_quiet(C::US, PieceType::Pawn, from, to),
            });
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: PawnStep, kind: PieceType) {
        for to in targets {
            self.visit(|next| next.apply_promotion(C::US, step.origin(to), to, kind));
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.visit(|next| next.apply_en_passant(C::US, from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.visit(|next| next.apply_castling(C::US, king, rook));
    }
}
