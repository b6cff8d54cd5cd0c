//! The rules' view of a position: eight bitboards and a few bytes.

use super::castling::CastlingSetup;
use crate::{
    attacks::{Sliders, between, bishop_rays, king, knight, pawn, rook_rays},
    types::{Bitboard, CastlingRights, CastlingSide, Color, Piece, PieceType, Rank, Square},
};

/// Who stands where, whose move it is, and the rights to castle and to capture en passant.
///
/// Playing a move makes a new board; there is no history in it. Perft needs nothing else, and
/// [`Position`](super::Position) builds on it, so that the effect of each kind of move is written down once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pub(super) kinds: [Bitboard; PieceType::COUNT],
    pub(super) colors: [Bitboard; Color::COUNT],
    pub(super) castling: CastlingSetup,
    pub(super) side: Color,
    pub(super) en_passant: Option<Square>,
}

impl Board {
    /// A board without pieces, for [`Setup`](super::Setup) to fill.
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
    pub fn orthogonal_sliders(&self, color: Color) -> Bitboard {
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

    /// The sliders of `by` that would attack `target` on an otherwise empty board.
    #[inline(always)]
    pub(super) fn snipers(&self, target: Square, by: Color) -> Bitboard {
        rook_rays(target) & self.orthogonal_sliders(by) | bishop_rays(target) & self.diagonal_sliders(by)
    }

    /// The rooks, bishops and queens of `by` that would attack `target` if exactly `occupied` were occupied.
    /// Geometry alone: no slider tables.
    #[inline]
    pub fn slider_attackers(&self, target: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.snipers(target, by).filter(|&sniper| !between(target, sniper).meets(occupied)).collect()
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
    #[inline(always)]
    pub fn attacked_squares<S: Sliders>(&self, sliders: S, by: Color, occupied: Bitboard) -> Bitboard {
        let mut attacked = self.pieces(by, PieceType::Pawn).pawn_attacks(by) | king(self.king(by));
        for square in self.pieces(by, PieceType::Knight) {
            attacked |= knight(square);
        }
        attacked | sliders.attacked(self.orthogonal_sliders(by), self.diagonal_sliders(by), occupied)
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

    /// Whether colors and types cover the same squares, each once, with one king a side.
    pub(super) fn is_consistent(&self) -> bool {
        let union = self.kinds.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
        let count: usize = self.kinds.iter().map(|set| set.len()).sum();
        union == self.occupied()
            && count == union.len()
            && !self.colors[0].meets(self.colors[1])
            && Color::ALL.iter().all(|&color| self.pieces(color, PieceType::King).len() == 1)
    }

    /// Whether `us` has the right to castle on `castling_side`, and the squares that king and rook cross or reach are free.
    #[inline(always)]
    pub fn has_way_to_castle(&self, us: Color, castling_side: CastlingSide) -> bool {
        self.castling.is_way_free(us, castling_side, self.occupied())
    }

    /// Whether `us` may castle on `castling_side` now, where the way is free: the king crosses no square of `danger`. The caller
    /// answers for the king not being in check.
    #[inline(always)]
    pub fn can_castle(&self, us: Color, castling_side: CastlingSide, danger: Bitboard) -> bool {
        let (king, rook) = (self.king(us), self.castling.rook(us, castling_side));
        let (king_to, rook_to) = (castling_side.king_to(us), castling_side.rook_to(us));
        if (between(king, king_to) | king_to.into()).meets(danger) {
            return false;
        }
        // Chess960: the castling rook may have shielded its own king from a slider on the back rank.
        let back_rank = Rank::One.relative_to(us).bitboard();
        let hidden = self.orthogonal_sliders(!us) & back_rank;
        hidden.is_empty() || {
            let after = self.occupied() ^ king.into() ^ rook.into() | rook_to.into();
            !hidden.into_iter().any(|slider| !between(king_to, slider).meets(after))
        }
    }

    /// The rights that are left; short for `castling().rights()`.
    #[inline(always)]
    pub fn castling_rights(&self) -> CastlingRights {
        self.castling.rights()
    }
}

const _: () = assert!(size_of::<Board>() <= 96, "perft copies a board per move");
