//! The walk over the board.

use super::{Sink, Stage, sink::PawnStep};
use crate::{
    attacks::{Sliders, between, king, knight, line, pawn},
    position::{Board, Masks},
    types::{Bitboard, Color, Move, MoveKind, PieceType, Rank, Square, Wing},
};

/// Hands the legal moves of stage `K` to a sink. `masks` are those of `board`.
#[inline]
pub fn generate_into<S: Sliders, K: Stage>(sliders: S, board: &Board, masks: &Masks, sink: &mut impl Sink) {
    match board.side_to_move() {
        Color::White => Generator::<S, true>::new(sliders, board, masks).run::<K>(sink),
        Color::Black => Generator::<S, false>::new(sliders, board, masks).run::<K>(sink),
    }
}

/// The color to move is a constant: every shift and rank below folds into an immediate.
struct Generator<'a, S, const WHITE: bool> {
    sliders: S,
    board: &'a Board,
    checkers: Bitboard,
    pinned: Bitboard,
    ours: Bitboard,
    theirs: Bitboard,
    king: Square,
}

impl<'a, S: Sliders, const WHITE: bool> Generator<'a, S, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = if WHITE { Color::Black } else { Color::White };

    #[inline(always)]
    fn new(sliders: S, board: &'a Board, masks: &Masks) -> Self {
        let (ours, theirs) = (board.color(Self::US), board.color(Self::THEM));
        let Masks { checkers, pinned } = *masks;
        Self { sliders, board, checkers, pinned, ours, theirs, king: board.king(Self::US) }
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.ours | self.theirs
    }

    #[inline(always)]
    fn our(&self, kind: PieceType) -> Bitboard {
        self.board.kind(kind) & self.ours
    }

    #[inline(always)]
    fn run<K: Stage>(&self, sink: &mut impl Sink) {
        if K::EVASIONS && self.checkers.is_empty() {
            return;
        }
        self.king_moves::<K>(sink);
        if self.checkers.has_many() {
            return;
        }
        // In check, everyone but the king has to take the checker or step between.
        let useful = if self.checkers.is_empty() {
            Bitboard::ALL
        } else {
            between(self.king, self.checkers.lowest()) | self.checkers
        };
        self.piece_moves::<K>(useful, sink);
        self.pawn_moves::<K>(useful, sink);
        if K::NOISY {
            self.en_passant(sink);
        }
    }

    /// Emits the part of `targets` that belongs to the stage.
    #[inline(always)]
    fn emit<K: Stage>(&self, from: Square, targets: Bitboard, sink: &mut impl Sink) {
        if K::NOISY {
            sink.piece(from, targets & self.theirs, MoveKind::Capture);
        }
        if K::QUIET {
            sink.piece(from, targets.without(self.theirs), MoveKind::Quiet);
        }
    }

    #[inline(always)]
    fn king_moves<K: Stage>(&self, sink: &mut impl Sink) {
        let mut targets = king(self.king).without(self.ours);
        if !K::QUIET {
            targets &= self.theirs;
        }
        let castling = K::QUIET && self.checkers.is_empty() && {
            let rights = self.board.castling_rights();
            rights.has(Self::US, Wing::King) || rights.has(Self::US, Wing::Queen)
        };
        if targets.is_empty() && !castling {
            return;
        }
        let danger = Masks::king_danger(self.board, self.sliders);
        self.emit::<K>(self.king, targets.without(danger), sink);
        if castling {
            for wing in Wing::ALL {
                if self.board.can_castle(wing, danger) {
                    let rook = self.board.castling().rook(Self::US, wing);
                    sink.single(Move::new(self.king, rook, MoveKind::Castle));
                }
            }
        }
    }

    #[inline(always)]
    fn piece_moves<K: Stage>(&self, useful: Bitboard, sink: &mut impl Sink) {
        let useful = useful.without(self.ours);
        let free = !self.pinned;
        for from in self.our(PieceType::Knight) & free {
            self.emit::<K>(from, knight(from) & useful, sink);
        }
        let occupied = self.occupied();
        let (diagonal, straight) = (self.board.diagonal_sliders(Self::US), self.board.straight_sliders(Self::US));
        for from in diagonal & free {
            self.emit::<K>(from, self.sliders.bishop(from, occupied) & useful, sink);
        }
        for from in straight & free {
            self.emit::<K>(from, self.sliders.rook(from, occupied) & useful, sink);
        }
        for from in diagonal & self.pinned {
            self.emit::<K>(from, self.sliders.bishop(from, occupied) & useful & line(self.king, from), sink);
        }
        for from in straight & self.pinned {
            self.emit::<K>(from, self.sliders.rook(from, occupied) & useful & line(self.king, from), sink);
        }
    }

    #[inline(always)]
    fn pawn_moves<K: Stage>(&self, useful: Bitboard, sink: &mut impl Sink) {
        let pawns = self.our(PieceType::Pawn);
        let free = pawns.without(self.pinned);
        let last_rank = Rank::Eight.relative_to(Self::US).bitboard();
        self.pawn_captures::<K>(free, useful, last_rank, sink);
        // A pinned pawn may still advance on its king's file, or take along the diagonal of the pin.
        let pinned = pawns & self.pinned;
        for from in pinned {
            let targets = useful & line(self.king, from);
            self.pawn_captures::<K>(from.into(), targets, last_rank, sink);
        }
        let movable = free | pinned & self.king.file().bitboard();
        self.pawn_pushes::<K>(movable, useful, last_rank, sink);
    }

    #[inline(always)]
    fn pawn_captures<K: Stage>(&self, pawns: Bitboard, useful: Bitboard, last_rank: Bitboard, sink: &mut impl Sink) {
        if !K::NOISY {
            return;
        }
        let ahead = pawns.forward(Self::US);
        for (files, attacked) in [(-1, ahead.left()), (1, ahead.right())] {
            let targets = attacked & self.theirs & useful;
            let step = PawnStep::capture(Self::US, files);
            sink.pawns(targets.without(last_rank), step, MoveKind::Capture);
            let promotions = targets & last_rank;
            if !promotions.is_empty() {
                for kind in [PieceType::Queen, PieceType::Knight, PieceType::Rook, PieceType::Bishop] {
                    sink.promotions(promotions, step, kind);
                }
            }
        }
    }

    #[inline(always)]
    fn pawn_pushes<K: Stage>(&self, pawns: Bitboard, useful: Bitboard, last_rank: Bitboard, sink: &mut impl Sink) {
        let empty = !self.occupied();
        let one = pawns.forward(Self::US) & empty;
        let step = PawnStep::push(Self::US, 1);
        if K::QUIET {
            let third_rank = Rank::Three.relative_to(Self::US).bitboard();
            let two = (one & third_rank).forward(Self::US) & empty;
            sink.pawns((one & useful).without(last_rank), step, MoveKind::Quiet);
            sink.pawns(two & useful, PawnStep::push(Self::US, 2), MoveKind::DoublePush);
        }
        let promotions = one & useful & last_rank;
        if promotions.is_empty() {
            return;
        }
        if K::NOISY {
            sink.promotions(promotions, step, PieceType::Queen);
        }
        if K::QUIET {
            for kind in [PieceType::Knight, PieceType::Rook, PieceType::Bishop] {
                sink.promotions(promotions, step, kind);
            }
        }
    }

    /// The board has made sure that one capture at least is legal when it shows an en-passant square.
    #[inline(always)]
    fn en_passant(&self, sink: &mut impl Sink) {
        let Some(target) = self.board.en_passant() else { return };
        for from in pawn(Self::THEM, target) & self.our(PieceType::Pawn) {
            if self.board.en_passant_is_legal(from, target) {
                sink.single(Move::new(from, target, MoveKind::EnPassant));
            }
        }
    }
}
