//! Perft: the number of leaves of the tree of legal moves.

mod counter;
mod divide;
mod quiets;
mod table;

pub use divide::{Divide, DivideError};
pub use table::PerftTable;

use std::marker::PhantomData;

use self::{
    counter::Counter,
    quiets::{Aligned, count_replies},
};
use crate::{
    movegen::{All, GenType, PawnStep, Sink, board_moves, generate_as},
    position::{Board, CheckersAndPins, Keys},
    types::{Bitboard, Black, Color, MoveKind, PieceType, Side, Square, White},
};

/// The deepest perft that is accepted, in plies. The recursion is as deep.
pub const MAX_DEPTH: u32 = 64;

/// The number of legal move sequences of length `depth`, up to [`MAX_DEPTH`], with bulk counting: the moves of the last
/// ply are counted, not played.
pub fn perft(board: &Board, depth: u32) -> u64 {
    match (depth, board.side_to_move()) {
        (0, _) => 1,
        (_, Color::White) => nodes::<All, White, true>(board, depth),
        (_, Color::Black) => nodes::<All, Black, true>(board, depth),
    }
}

/// [`perft`] without bulk counting: every move is played, as in a search.
pub fn perft_no_bulk(board: &Board, depth: u32) -> u64 {
    match (depth, board.side_to_move()) {
        (0, _) => 1,
        (_, Color::White) => nodes::<All, White, false>(board, depth),
        (_, Color::Black) => nodes::<All, Black, false>(board, depth),
    }
}

/// A perft with an optional hash table that can be stopped.
///
/// ```
/// # use sleight::{perft::Perft, position::Position};
/// let position = Position::startpos();
/// let perft = Perft { board: position.board(), depth: 4, table: None, stopped: &|| false };
/// assert_eq!(perft.run(), Some(197_281));
/// ```
#[derive(Clone, Copy)]
pub struct Perft<'a> {
    /// The root.
    pub board: &'a Board,
    /// Plies below the root, up to [`MAX_DEPTH`].
    pub depth: u32,
    /// Counts of positions that are reached by more than one order of moves.
    pub table: Option<&'a PerftTable>,
    /// Asked before each subtree of a few plies; the count ends when it returns true.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

impl Perft<'_> {
    /// The number of leaves. None if stopped, or if there are more than 2^64 - 1, which only a table makes possible in
    /// any time.
    pub fn run(self) -> Option<u64> {
        /// Without a table, this many plies are counted at once.
        const PLAIN_DEPTH: u32 = 4;
        /// With a table: fewer plies are counted faster than the key is computed and memory answers.
        const PLAIN_DEPTH_WITH_TABLE: u32 = 2;

        if (self.stopped)() {
            return None;
        }
        let plain = if self.table.is_some() { PLAIN_DEPTH_WITH_TABLE } else { PLAIN_DEPTH };
        if self.depth <= plain {
            return Some(perft(self.board, self.depth));
        }
        let key = self.table.map(|table| (table, Keys::of(self.board).full));
        if let Some(known) = key.and_then(|(table, key)| table.probe(key, self.depth)) {
            return Some(known);
        }
        let mut nodes = 0_u64;
        for &mv in &board_moves(self.board) {
            let board = self.board.after(mv);
            let subtree = Perft { board: &board, depth: self.depth - 1, ..self };
            nodes = nodes.checked_add(subtree.run()?)?;
        }
        if let Some((table, key)) = key {
            table.store(key, self.depth, nodes);
        }
        Some(nodes)
    }
}

/// All legal moves of a board without castling rights.
struct AllWithoutCastling;

impl GenType for AllWithoutCastling {
    const NOISY: bool = true;
    const QUIET: bool = true;
    const CASTLING: bool = false;
}

/// `K` is [`All`], or [`AllWithoutCastling`] once the last castling right is lost, as it is for most of a deep tree.
#[inline(always)]
fn nodes<K: GenType, C: Side, const BULK: bool>(board: &Board, depth: u32) -> u64 {
    if BULK && depth == 1 { count::<K, C>(board) } else { descend::<K, C, BULK>(board, depth) }
}

#[inline(never)]
fn count<K: GenType, C: Side>(board: &Board) -> u64 {
    let mut counter = Counter::default();
    generate_as::<K, C>(board, &CheckersAndPins::of_side(board, C::US), &mut counter);
    counter.moves
}

/// Never inlined, so that the leaves' boards are really made when they are not counted in bulk.
#[inline(never)]
fn descend<K: GenType, C: Side, const BULK: bool>(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if K::CASTLING && board.castling_rights().is_empty() {
        return descend::<AllWithoutCastling, C, BULK>(board, depth);
    }
    let mut walker = Walker::<K, C, BULK> { board, depth: depth - 1, nodes: 0, kinds: PhantomData };
    generate_as::<K, C>(board, &CheckersAndPins::of_side(board, C::US), &mut walker);
    walker.nodes
}

/// Recurses into each move instead of listing it.
struct Walker<'a, K, C, const BULK: bool> {
    board: &'a Board,
    /// Plies left after the move.
    depth: u32,
    nodes: u64,
    kinds: PhantomData<(K, C)>,
}

impl<K: GenType, C: Side, const BULK: bool> Walker<'_, K, C, BULK> {
    /// Counts the leaves below the board after a move.
    #[inline(always)]
    fn visit(&mut self, apply: impl FnOnce(&mut Board)) {
        let mut next = Aligned(*self.board);
        apply(&mut next.0);
        self.nodes += nodes::<K, C::Them, BULK>(&next.0, self.depth);
    }
}

impl<K: GenType, C: Side, const BULK: bool> Sink for Walker<'_, K, C, BULK> {
    #[inline(always)]
    fn piece(&mut self, piece_type: PieceType, from: Square, captures: Bitboard, quiets: Bitboard) {
        for to in captures {
            self.visit(|next| next.apply_capture(C::US, piece_type, from, to));
        }
        let mut played = quiets;
        if BULK && self.depth == 1 && quiets.more_than_one() {
            let counted;
            (counted, played) = count_replies::<K, C>(self.board, piece_type, from, quiets);
            self.nodes += counted;
        }
        for to in played {
            self.visit(|next| next.apply_quiet(C::US, piece_type, from, to));
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
    fn promotions(&mut self, targets: Bitboard, step: PawnStep, piece_type: PieceType) {
        for to in targets {
            self.visit(|next| next.apply_promotion(C::US, step.origin(to), to, piece_type));
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
