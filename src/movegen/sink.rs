//! Where the generator's moves go.

use crate::{
    attacks::Sliders,
    types::{Bitboard, Color, Move, MoveKind, MoveList, PieceType, Square},
};

/// Receives moves in sets, so that those who only count need not look at each. The kinds of men and moves are
/// constants wherever the generator calls.
pub trait Sink {
    /// Moves of one man other than a pawn, to each of `captures` and each of `quiets`.
    fn piece(&mut self, kind: PieceType, from: Square, captures: Bitboard, quiets: Bitboard);

    /// Moves of each of the sliders, to those of `captures` and `quiets` that it attacks.
    #[inline(always)]
    fn sliders<S: Sliders>(
        &mut self,
        sliders: S,
        men: SliderSets,
        occupied: Bitboard,
        captures: Bitboard,
        quiets: Bitboard,
    ) {
        let SliderSets { bishops, rooks, queens } = men;
        for (kind, set) in [(PieceType::Bishop, bishops), (PieceType::Rook, rooks), (PieceType::Queen, queens)] {
            for from in set {
                let attacked = sliders.of_kind(kind, from, occupied);
                self.piece(kind, from, attacked & captures, attacked & quiets);
            }
        }
    }

    /// One pawn move to each of `targets`, each from the square that lies `step` back.
    fn pawns(&mut self, targets: Bitboard, step: PawnStep, kind: MoveKind);

    /// One promotion to each of `targets`.
    fn promotions(&mut self, targets: Bitboard, step: PawnStep, to: PieceType);

    /// One pawn takes en passant.
    fn en_passant(&mut self, from: Square, to: Square);

    /// The king castles with the rook on `rook`.
    fn castling(&mut self, king: Square, rook: Square);
}

/// Sliders of one color.
#[derive(Clone, Copy, Debug)]
pub struct SliderSets {
    /// Its bishops.
    pub bishops: Bitboard,
    /// Its rooks.
    pub rooks: Bitboard,
    /// Its queens.
    pub queens: Bitboard,
}

/// How far and which way pawns go.
#[derive(Clone, Copy, Debug)]
pub struct PawnStep {
    /// Target index minus origin index.
    offset: i8,
    capture: bool,
}

impl PawnStep {
    /// `ranks` forward.
    #[inline(always)]
    pub(super) const fn push(color: Color, ranks: i8) -> Self {
        Self { offset: Self::up(color) * ranks, capture: false }
    }

    /// One forward and `files` to the right (-1: to the left).
    #[inline(always)]
    pub(super) const fn capture(color: Color, files: i8) -> Self {
        Self { offset: Self::up(color) + files, capture: true }
    }

    const fn up(color: Color) -> i8 {
        match color {
            Color::White => 8,
            Color::Black => -8,
        }
    }

    /// Where the pawn that reaches `to` comes from.
    #[inline(always)]
    pub fn origin(self, to: Square) -> Square {
        Square::from_low_bits((to as i8 - self.offset) as usize)
    }

    /// The kind of a promotion by this step.
    #[inline(always)]
    pub const fn promotion(self, to: PieceType) -> MoveKind {
        MoveKind::promotion(to, self.capture)
    }
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, _: PieceType, from: Square, captures: Bitboard, quiets: Bitboard) {
        for to in captures {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in quiets {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: PawnStep, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(step.origin(to), to, kind));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: PawnStep, kind: PieceType) {
        self.pawns(targets, step, step.promotion(kind));
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(Move::new(from, to, MoveKind::EnPassant));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.push(Move::new(king, rook, MoveKind::Castle));
    }
}

/// Counts moves without looking at them.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counter(pub u64);

impl Counter {
    #[inline(always)]
    fn add(&mut self, targets: Bitboard) {
        self.0 += targets.len() as u64;
    }
}

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: PieceType, _: Square, captures: Bitboard, quiets: Bitboard) {
        self.add(captures | quiets);
    }

    #[inline(always)]
    fn sliders<S: Sliders>(
        &mut self,
        sliders: S,
        men: SliderSets,
        occupied: Bitboard,
        captures: Bitboard,
        quiets: Bitboard,
    ) {
        let SliderSets { bishops, rooks, queens } = men;
        self.0 += sliders.count(rooks | queens, bishops | queens, occupied, captures | quiets) as u64;
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: PawnStep, _: MoveKind) {
        self.add(targets);
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: PawnStep, _: PieceType) {
        self.add(targets);
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}
