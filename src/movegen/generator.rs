//! The generator itself.

use std::marker::PhantomData;

use super::{
    GenType, Sink,
    sink::{PawnStep, SliderSets},
};
use crate::{
    attacks::{between, bishop_rays, king, knight, line, pawn, slider_attacks},
    position::{Board, CheckersAndPins},
    types::{Bitboard, Black, CastlingSide, Color, MoveKind, PieceType, Rank, Side, Square, White},
};

/// Passes the legal moves of type `K` to a sink. `checkers_and_pins` are those of `board`.
#[inline]
pub fn generate_into<K: GenType>(board: &Board, checkers_and_pins: &CheckersAndPins, sink: &mut impl Sink) {
    match board.side_to_move() {
        Color::White => generate_as::<K, White>(board, checkers_and_pins, sink),
        Color::Black => generate_as::<K, Black>(board, checkers_and_pins, sink),
    }
}

/// [`generate_into`] for a side to move `C` that is known at compile time.
#[inline(always)]
pub fn generate_as<K: GenType, C: Side>(board: &Board, checkers_and_pins: &CheckersAndPins, sink: &mut impl Sink) {
    let (ours, theirs) = (board.color(C::US), board.color(C::THEM));
    let CheckersAndPins { checkers, pinned } = *checkers_and_pins;
    let king = board.king(C::US);
    Generator::<C> { board, checkers, pinned, ours, theirs, king, side: PhantomData }.run::<K>(sink);
}

/// Generic over the side to move, so that pawn shifts and ranks are immediates.
struct Generator<'a, C> {
    board: &'a Board,
    checkers: Bitboard,
    pinned: Bitboard,
    ours: Bitboard,
    theirs: Bitboard,
    king: Square,
    side: PhantomData<C>,
}

impl<C: Side> Generator<'_, C> {
    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.ours | self.theirs
    }

    #[inline(always)]
    fn our(&self, piece_type: PieceType) -> Bitboard {
        self.board.of_type(piece_type) & self.ours
    }

    #[inline(always)]
    fn run<K: GenType>(&self, sink: &mut impl Sink) {
        self.king_moves::<K>(sink);
        if self.checkers.more_than_one() {
            return;
        }
        // In check, a piece other than the king has to capture the checker or block.
        let check_mask = if self.checkers.is_empty() {
            Bitboard::ALL
        } else {
            between(self.king, self.checkers.lowest()) | self.checkers
        };
        self.piece_moves::<K>(check_mask, sink);
        self.pawn_moves::<K>(check_mask, sink);
        if K::NOISY {
            self.en_passant(sink);
        }
    }

    /// Emits the moves to `targets` that are of the type `K`.
    #[inline(always)]
    fn emit<K: GenType>(&self, piece_type: PieceType, from: Square, targets: Bitboard, sink: &mut impl Sink) {
        let (captures, quiets) = self.split::<K>(targets);
        sink.piece(piece_type, from, captures, quiets);
    }

    /// The `targets` of captures and of quiet moves, as far as they are of the type `K`.
    #[inline(always)]
    fn split<K: GenType>(&self, targets: Bitboard) -> (Bitboard, Bitboard) {
        let captures = if K::NOISY { targets & self.theirs } else { Bitboard::EMPTY };
        let quiets = if K::QUIET { targets.without(self.occupied()) } else { Bitboard::EMPTY };
        (captures, quiets)
    }

    #[inline(always)]
    fn king_moves<K: GenType>(&self, sink: &mut impl Sink) {
        let mut targets = king(self.king).without(self.ours);
        if !K::QUIET {
            targets &= self.theirs;
        }
        if !K::NOISY {
            targets = targets.without(self.theirs);
        }
        let castling = CastlingSide::ALL.map(|castling_side| {
            K::CASTLING && self.checkers.is_empty() && self.board.has_clear_castling_path(C::US, castling_side)
        });
        if targets.is_empty() && castling == [false; 2] {
            return;
        }
        let danger = self.danger();
        self.emit::<K>(PieceType::King, self.king, targets.without(danger), sink);
        for castling_side in CastlingSide::ALL {
            if castling[castling_side.index()] && self.board.can_castle(C::US, castling_side, danger) {
                sink.castling(self.king, self.board.castling().rook(C::US, castling_side));
            }
        }
    }

    /// King danger squares: those attacked by the opponent once our king is lifted off the board, since it does not
    /// shield the squares behind it.
    #[inline(always)]
    fn danger(&self) -> Bitboard {
        self.board.attacked_squares(C::THEM, self.occupied() ^ self.king.into())
    }

    #[inline(always)]
    fn piece_moves<K: GenType>(&self, check_mask: Bitboard, sink: &mut impl Sink) {
        for from in self.our(PieceType::Knight).without(self.pinned) {
            self.emit::<K>(PieceType::Knight, from, knight(from) & check_mask, sink);
        }
        let free = SliderSets {
            bishops: self.our(PieceType::Bishop).without(self.pinned),
            rooks: self.our(PieceType::Rook).without(self.pinned),
            queens: self.our(PieceType::Queen).without(self.pinned),
        };
        let (captures, quiets) = self.split::<K>(check_mask);
        sink.sliders(free, self.occupied(), captures, quiets);
        if self.pinned.without(self.board.of_type(PieceType::Pawn)).is_empty() {
            return;
        }
        for piece_type in [PieceType::Bishop, PieceType::Rook, PieceType::Queen] {
            for from in self.our(piece_type) & self.pinned {
                let targets = slider_attacks(piece_type, from, self.occupied());
                self.emit::<K>(piece_type, from, targets & check_mask & line(self.king, from), sink);
            }
        }
    }

    /// The code for promotions is skipped as a whole while no pawn is about to promote.
    #[inline(always)]
    fn pawn_moves<K: GenType>(&self, check_mask: Bitboard, sink: &mut impl Sink) {
        if self.our(PieceType::Pawn).intersects(Rank::Seven.relative_to(C::US).bitboard()) {
            self.pawn_moves_promoting::<K, true>(check_mask, sink);
        } else {
            self.pawn_moves_promoting::<K, false>(check_mask, sink);
        }
    }

    #[inline(always)]
    fn pawn_moves_promoting<K: GenType, const PROMOTE: bool>(&self, check_mask: Bitboard, sink: &mut impl Sink) {
        let pawns = self.our(PieceType::Pawn);
        let free = pawns.without(self.pinned);
        self.pawn_captures::<K, PROMOTE>(free, check_mask, sink);
        // A pinned pawn may still advance on its king's file, or take along the diagonal of the pin.
        for from in pawns & self.pinned & bishop_rays(self.king) {
            self.pawn_captures::<K, PROMOTE>(from.into(), check_mask & line(self.king, from), sink);
        }
        let on_file = self.king.file().bitboard();
        self.pawn_pushes::<K, PROMOTE>(pawns & (!self.pinned | on_file), check_mask, sink);
    }

    #[inline(always)]
    fn pawn_captures<K: GenType, const PROMOTE: bool>(
        &self,
        pawns: Bitboard,
        check_mask: Bitboard,
        sink: &mut impl Sink,
    ) {
        if !K::NOISY {
            return;
        }
        let last_rank = Rank::Eight.relative_to(C::US).bitboard();
        let ahead = pawns.forward(C::US);
        for (files, attacked) in [(-1, ahead.left()), (1, ahead.right())] {
            let targets = attacked & self.theirs & check_mask;
            let step = PawnStep::capture(C::US, files);
            if !PROMOTE {
                sink.pawns(targets, step, MoveKind::Capture);
                continue;
            }
            sink.pawns(targets.without(last_rank), step, MoveKind::Capture);
            let promotions = targets & last_rank;
            if !promotions.is_empty() {
                for piece_type in [PieceType::Queen, PieceType::Knight, PieceType::Rook, PieceType::Bishop] {
                    sink.promotions(promotions, step, piece_type);
                }
            }
        }
    }

    #[inline(always)]
    fn pawn_pushes<K: GenType, const PROMOTE: bool>(
        &self,
        pawns: Bitboard,
        check_mask: Bitboard,
        sink: &mut impl Sink,
    ) {
        let empty = !self.occupied();
        let one = pawns.forward(C::US) & empty;
        let step = PawnStep::push(C::US, 1);
        let promotions =
            if PROMOTE { one & check_mask & Rank::Eight.relative_to(C::US).bitboard() } else { Bitboard::EMPTY };
        if K::QUIET {
            let third_rank = Rank::Three.relative_to(C::US).bitboard();
            let two = (one & third_rank).forward(C::US) & empty;
            sink.pawns((one & check_mask).without(promotions), step, MoveKind::Quiet);
            sink.pawns(two & check_mask, PawnStep::push(C::US, 2), MoveKind::DoublePush);
        }
        if promotions.is_empty() {
            return;
        }
        if K::NOISY {
            sink.promotions(promotions, step, PieceType::Queen);
        }
        if K::QUIET {
            for piece_type in [PieceType::Knight, PieceType::Rook, PieceType::Bishop] {
                sink.promotions(promotions, step, piece_type);
            }
        }
    }

    /// The board has an en-passant square only if at least one capture there is legal.
    #[inline(always)]
    fn en_passant(&self, sink: &mut impl Sink) {
        let Some(target) = self.board.en_passant() else { return };
        for from in pawn(C::THEM, target) & self.our(PieceType::Pawn) {
            if self.board.en_passant_is_legal(from, target) {
                sink.en_passant(from, target);
            }
        }
    }
}
