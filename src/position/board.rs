//! The rules' view of a position: eight bitboards and a few bytes.

use super::castling::CastlingSetup;
use crate::{
    attacks::{Sliders, between, bishop_rays, king, knight, pawn, rook_rays},
    types::{Bitboard, CastlingRights, Color, Move, MoveKind, Piece, PieceType, Rank, Square, Wing},
};

/// Who stands where, whose move it is, and the rights to castle and to capture en passant.
///
/// Playing a move makes a new board; there is no history in it. Perft needs nothing else, and
/// [`Position`](super::Position) builds on it, so that the effect of each kind of move is written down once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    kinds: [Bitboard; PieceType::COUNT],
    colors: [Bitboard; Color::COUNT],
    castling: CastlingSetup,
    side: Color,
    en_passant: Option<Square>,
}

impl Board {
    /// An empty board, for the FEN reader to fill.
    pub(super) fn empty() -> Self {
        Self {
            kinds: [Bitboard::EMPTY; PieceType::COUNT],
            colors: [Bitboard::EMPTY; Color::COUNT],
            castling: CastlingSetup::NONE,
            side: Color::White,
            en_passant: None,
        }
    }

    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind().index()] |= square.into();
        self.colors[piece.color().index()] |= square.into();
    }

    pub(super) fn set_side_to_move(&mut self, side: Color) {
        self.side = side;
    }

    pub(super) fn set_castling(&mut self, castling: CastlingSetup) {
        self.castling = castling;
    }

    pub(super) fn set_en_passant(&mut self, square: Option<Square>) {
        self.en_passant = square;
    }

    /// Whose move it is.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// All men of a color.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All men of a type.
    #[inline(always)]
    pub fn kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The men of one color and type.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// The rooks and queens of a color: what moves along ranks and files.
    #[inline(always)]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        (self.kind(PieceType::Rook) | self.kind(PieceType::Queen)) & self.color(color)
    }

    /// The bishops and queens of a color: what moves along diagonals.
    #[inline(always)]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        (self.kind(PieceType::Bishop) | self.kind(PieceType::Queen)) & self.color(color)
    }

    /// Every man on the board.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Where a king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceType::King).lowest()
    }

    /// The castling rights and the rooks they belong to.
    #[inline(always)]
    pub fn castling(&self) -> &CastlingSetup {
        &self.castling
    }

    /// Where a pawn can be captured en passant *legally* in this position; `None` when there is no such capture,
    /// even after a double step.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// What stands on a square, asked of the bitboards; [`Position`](super::Position) has a faster way.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let kind = PieceType::ALL.into_iter().find(|kind| self.kind(*kind).contains(square))?;
        let color = if self.color(Color::White).contains(square) { Color::White } else { Color::Black };
        Some(Piece::new(kind, color))
    }

    /// The rooks, bishops and queens of `by` that would attack `target` if exactly `occupied` were occupied.
    /// Geometry alone: no slider tables.
    #[inline]
    pub fn slider_attackers(&self, target: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let snipers = rook_rays(target) & self.straight_sliders(by) | bishop_rays(target) & self.diagonal_sliders(by);
        snipers.filter(|&sniper| !between(target, sniper).meets(occupied)).collect()
    }

    /// Every man of `by` that attacks `target`.
    #[inline]
    pub fn attackers(&self, target: Square, by: Color) -> Bitboard {
        self.attackers_through(target, by, self.occupied())
    }

    /// Every man of `by` that attacks `target` when exactly `occupied` is occupied.
    #[inline]
    pub fn attackers_through(&self, target: Square, by: Color, occupied: Bitboard) -> Bitboard {
        pawn(!by, target) & self.pieces(by, PieceType::Pawn)
            | knight(target) & self.pieces(by, PieceType::Knight)
            | king(target) & self.pieces(by, PieceType::King)
            | self.slider_attackers(target, by, occupied)
    }

    /// Every square that `by` attacks when exactly `occupied` is occupied; men of either color count as targets.
    #[inline]
    pub fn attacked_squares<S: Sliders>(&self, sliders: S, by: Color, occupied: Bitboard) -> Bitboard {
        let mut attacked = self.pieces(by, PieceType::Pawn).pawn_attacks(by)
            | self.pieces(by, PieceType::Knight).knight_attacks()
            | king(self.king(by));
        for square in self.straight_sliders(by) {
            attacked |= sliders.rook(square, occupied);
        }
        for square in self.diagonal_sliders(by) {
            attacked |= sliders.bishop(square, occupied);
        }
        attacked
    }

    /// Whether the pawn on `from` may capture en passant: its own king must not be left open to a slider, through
    /// the capturing pawn's line or through the rank from which two pawns vanish at once.
    #[inline]
    pub fn en_passant_is_legal(&self, from: Square, target: Square) -> bool {
        let king = self.king(self.side);
        let victim = target.en_passant_neighbour();
        let occupied = (self.occupied() ^ from.into() ^ victim.into()) | target.into();
        self.slider_attackers(king, !self.side, occupied).is_empty()
    }

    /// Whether any pawn may capture on the en-passant square.
    pub(super) fn en_passant_is_possible(&self) -> bool {
        self.en_passant.is_some_and(|target| {
            let mut capturers = pawn(!self.side, target) & self.pieces(self.side, PieceType::Pawn);
            capturers.any(|from| self.en_passant_is_legal(from, target)) && {
                // Only the pawn that has just moved can give check besides a slider; any other checker forbids it.
                let victim = target.en_passant_neighbour();
                let king = self.king(self.side);
                let leapers = pawn(self.side, king) & self.pieces(!self.side, PieceType::Pawn)
                    | knight(king) & self.pieces(!self.side, PieceType::Knight);
                leapers.without(victim.into()).is_empty()
            }
        })
    }

    /// The board after a legal move. What an illegal one gives is unspecified, but never unsafe.
    #[inline]
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        let mut next = *self;
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let touched = from.bitboard() | to.bitboard();
        next.en_passant = None;
        next.side = !us;
        next.castling.touch(touched);
        match mv.kind() {
            MoveKind::Castle => next.castle(us, from, to),
            MoveKind::Quiet | MoveKind::Capture => next.shift(us, from, to),
            MoveKind::DoublePush => {
                next.shift(us, from, to);
                let passed = to.en_passant_neighbour();
                if pawn(us, passed).meets(next.pieces(!us, PieceType::Pawn)) {
                    next.en_passant = Some(passed);
                    if !next.en_passant_is_possible() {
                        next.en_passant = None;
                    }
                }
            }
            MoveKind::EnPassant => {
                next.shift(us, from, to);
                let victim = to.en_passant_neighbour().bitboard();
                next.kinds[PieceType::Pawn.index()] ^= victim;
                next.colors[(!us).index()] ^= victim;
            }
            _ => {
                next.shift(us, from, to);
                next.kinds[PieceType::Pawn.index()] ^= to.into();
                if let Some(kind) = mv.promotion() {
                    next.kinds[kind.index()] ^= to.into();
                }
            }
        }
        next
    }

    /// The same board with the other side to move.
    #[inline]
    #[must_use]
    pub fn pass(&self) -> Self {
        Self { side: !self.side, en_passant: None, ..*self }
    }

    /// Moves whatever stands on `from` to `to`, taking what stands there, without asking what either is: for each
    /// type one bit is lifted out and set down again, which the compiler turns into a few vector instructions.
    #[inline(always)]
    fn shift(&mut self, us: Color, from: Square, to: Square) {
        let (from_bit, to_bit) = (from.bitboard().0, to.bitboard().0);
        let keep = !(from_bit | to_bit);
        for set in &mut self.kinds {
            let moving = set.0 >> from.index() & 1;
            set.0 = set.0 & keep | moving << to.index();
        }
        self.colors[us.index()].0 ^= from_bit | to_bit;
        self.colors[(!us).index()].0 &= !to_bit;
    }

    /// King and rook change places as castling wants it, in Chess960 too, where their squares may overlap.
    #[inline]
    fn castle(&mut self, us: Color, king: Square, rook: Square) {
        let wing = if rook > king { Wing::King } else { Wing::Queen };
        let (king_to, rook_to) = (wing.king_to(us).bitboard(), wing.rook_to(us).bitboard());
        let leaving = king.bitboard() | rook.bitboard();
        self.kinds[PieceType::King.index()] ^= king.bitboard() ^ king_to;
        self.kinds[PieceType::Rook.index()] ^= rook.bitboard() ^ rook_to;
        self.colors[us.index()] = self.colors[us.index()].without(leaving) | king_to | rook_to;
    }

    /// Whether colors and types cover the same squares, each once, with one king a side.
    pub(super) fn is_consistent(&self) -> bool {
        let union = self.kinds.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
        let count: usize = self.kinds.iter().map(|set| set.len()).sum();
        union == self.occupied()
            && count == union.len()
            && !self.colors[0].meets(self.colors[1])
            && Color::ALL.iter().all(|&color| self.pieces(color, PieceType::King).len() == 1)
    }

    /// Whether `color` may castle on `wing` now: the right is there, the squares that king and rook cross or reach
    /// are free, and the king crosses no square of `danger`. The caller answers for the king not being in check.
    #[inline]
    pub fn can_castle(&self, wing: Wing, danger: Bitboard) -> bool {
        let us = self.side;
        if !self.castling.rights().has(us, wing) {
            return false;
        }
        let (king, rook) = (self.king(us), self.castling.rook(us, wing));
        let (king_to, rook_to) = (wing.king_to(us), wing.rook_to(us));
        let king_path = between(king, king_to) | king_to.into();
        let path = king_path | between(rook, rook_to) | rook_to.into();
        let occupied = self.occupied() ^ king.into() ^ rook.into();
        if path.meets(occupied) || king_path.meets(danger) {
            return false;
        }
        // Chess960: the castling rook may have shielded its own king from a slider on the back rank.
        let back_rank = Rank::One.relative_to(us).bitboard();
        let hidden = self.straight_sliders(!us) & back_rank;
        hidden.is_empty() || {
            let after = occupied | rook_to.into();
            !hidden.into_iter().any(|slider| !between(king_to, slider).meets(after))
        }
    }

    /// The rights that are left; short for `castling().rights()`.
    #[inline(always)]
    pub fn castling_rights(&self) -> CastlingRights {
        self.castling.rights()
    }
}

const _: () = assert!(size_of::<Board>() <= 88, "perft copies a board per move");
