//! A position without history: eight bitboards, castling rights, en passant, side to move.

use super::castling::CastlingPaths;
use crate::{
    attacks::{attacked_by_sliders, between, bishop_rays, king, knight, pawn, rook_rays},
    types::{Bitboard, CastlingRights, CastlingSide, Color, Piece, PieceType, Rank, Square},
};

/// The pieces, the side to move, and the rights to castle and to capture en passant.
///
/// Copy-make: perft plays moves on copies of the board. [`Position`](super::Position) adds what a search needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pub(super) by_type: [Bitboard; PieceType::COUNT],
    pub(super) colors: [Bitboard; Color::COUNT],
    pub(super) castling: CastlingPaths,
    pub(super) side: Color,
    pub(super) en_passant: Option<Square>,
}

impl Board {
    /// A board without pieces, for [`Setup`](super::Setup) to fill.
    pub(super) fn empty() -> Self {
        Self {
            by_type: [Bitboard::EMPTY; PieceType::COUNT],
            colors: [Bitboard::EMPTY; Color::COUNT],
            castling: CastlingPaths::NONE,
            side: Color::White,
            en_passant: None,
        }
    }

    /// Puts a piece on an empty square, or takes it off its square.
    #[inline(always)]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        self.by_type[piece.piece_type().index()] ^= square.into();
        self.colors[piece.color().index()] ^= square.into();
    }

    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// All pieces of a color.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All pieces of a type, of both colors.
    #[inline(always)]
    pub fn of_type(&self, piece_type: PieceType) -> Bitboard {
        self.by_type[piece_type.index()]
    }

    /// The pieces of one color and type.
    #[inline(always)]
    pub fn pieces(&self, color: Color, piece_type: PieceType) -> Bitboard {
        self.color(color) & self.of_type(piece_type)
    }

    /// The rooks and queens of a color.
    #[inline(always)]
    pub fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        (self.of_type(PieceType::Rook) | self.of_type(PieceType::Queen)) & self.color(color)
    }

    /// The bishops and queens of a color.
    #[inline(always)]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        (self.of_type(PieceType::Bishop) | self.of_type(PieceType::Queen)) & self.color(color)
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The square of a king.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceType::King).lowest()
    }

    /// The castling rights with their rooks and paths.
    #[inline(always)]
    pub fn castling(&self) -> &CastlingPaths {
        &self.castling
    }

    /// The en-passant target square, if an en-passant capture is *legal* in this position; `None` otherwise, even after
    /// a double push.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The piece on a square, found by searching the bitboards; [`Position`](super::Position) looks it up in its
    /// mailbox.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let piece_type = PieceType::ALL.into_iter().find(|piece_type| self.of_type(*piece_type).contains(square))?;
        let color = if self.color(Color::White).contains(square) { Color::White } else { Color::Black };
        Some(Piece::new(piece_type, color))
    }

    /// The sliders of `by` that would attack `target` on an otherwise empty board.
    #[inline(always)]
    pub(super) fn snipers(&self, target: Square, by: Color) -> Bitboard {
        rook_rays(target) & self.orthogonal_sliders(by) | bishop_rays(target) & self.diagonal_sliders(by)
    }

    /// The rooks, bishops and queens of `by` that would attack `target` if exactly `occupied` were occupied.
    /// Found by geometry alone, without slider lookups.
    #[inline]
    fn slider_attackers(&self, target: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.snipers(target, by).filter(|&sniper| !between(target, sniper).intersects(occupied)).collect()
    }

    /// The pieces of `by` that attack `target`.
    #[inline]
    pub fn attackers(&self, target: Square, by: Color) -> Bitboard {
        self.attackers_through(target, by, self.occupied())
    }

    /// The pieces of `by` that attack `target` if exactly `occupied` is occupied.
    #[inline]
    pub fn attackers_through(&self, target: Square, by: Color, occupied: Bitboard) -> Bitboard {
        pawn(!by, target) & self.pieces(by, PieceType::Pawn)
            | knight(target) & self.pieces(by, PieceType::Knight)
            | king(target) & self.pieces(by, PieceType::King)
            | self.slider_attackers(target, by, occupied)
    }

    /// The squares attacked by `by` if exactly `occupied` is occupied, pieces of either color included.
    #[inline(always)]
    pub fn attacked_squares(&self, by: Color, occupied: Bitboard) -> Bitboard {
        let mut attacked = self.pieces(by, PieceType::Pawn).pawn_attacks(by);
        for square in self.pieces(by, PieceType::King) {
            attacked |= king(square);
        }
        for square in self.pieces(by, PieceType::Knight) {
            attacked |= knight(square);
        }
        attacked | attacked_by_sliders(self.orthogonal_sliders(by), self.diagonal_sliders(by), occupied)
    }

    /// Returns true if the en-passant capture by the pawn on `from` leaves its king open to no slider, neither on the
    /// line of the capturing pawn nor on the rank that two pawns leave at once.
    #[inline]
    pub fn en_passant_is_legal(&self, from: Square, target: Square) -> bool {
        let king = self.king(self.side);
        let victim = en_passant_victim(from, target);
        let occupied = (self.occupied() ^ from.into() ^ victim.into()) | target.into();
        self.slider_attackers(king, !self.side, occupied).is_empty()
    }

    /// The same board with the other side to move.
    #[inline]
    #[must_use]
    pub(super) fn pass(&self) -> Self {
        let mut next = *self;
        next.turn(self.side);
        next
    }

    /// Passes the turn from `us` to the other side, and the right to capture en passant expires.
    #[inline(always)]
    pub(super) fn turn(&mut self, us: Color) {
        self.side = !us;
        self.en_passant = None;
    }

    /// After a double push over `passed`: sets it as the en-passant square if a capture there is legal.
    #[inline(always)]
    pub(super) fn set_en_passant(&mut self, passed: Square) {
        let them = !self.side;
        if pawn(them, passed).intersects(self.pieces(self.side, PieceType::Pawn)) {
            self.en_passant = Some(passed);
            if !self.en_passant_is_possible() {
                self.en_passant = None;
            }
        }
    }

    /// Returns true if any en-passant capture is legal.
    pub(super) fn en_passant_is_possible(&self) -> bool {
        self.en_passant.is_some_and(|target| {
            let mut capturers = pawn(!self.side, target) & self.pieces(self.side, PieceType::Pawn);
            capturers.any(|from| self.en_passant_is_legal(from, target)) && {
                // A check by a knight or by another pawn than the captured one is not answered by the capture.
                let victim = target.backward(self.side);
                let king = self.king(self.side);
                let leapers = pawn(self.side, king) & self.pieces(!self.side, PieceType::Pawn)
                    | knight(king) & self.pieces(!self.side, PieceType::Knight);
                leapers.without(victim.into()).is_empty()
            }
        })
    }

    /// Returns true if colors and types cover the same squares, each once, with one king of each color.
    pub(super) fn is_consistent(&self) -> bool {
        let union = self.by_type.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
        let count: usize = self.by_type.iter().map(|set| set.len()).sum();
        union == self.occupied()
            && count == union.len()
            && !self.colors[0].intersects(self.colors[1])
            && Color::ALL.iter().all(|&color| self.pieces(color, PieceType::King).len() == 1)
    }

    /// Returns true if `us` has the right to castle on `castling_side`, and the squares that king and rook cross or
    /// reach are empty.
    #[inline(always)]
    pub fn has_clear_castling_path(&self, us: Color, castling_side: CastlingSide) -> bool {
        self.castling.is_path_clear(us, castling_side, self.occupied())
    }

    /// Returns true if castling on a clear path is legal: the king crosses no square of `danger`, and is not in check
    /// afterwards. The caller has tested for a check before.
    #[inline(always)]
    pub fn can_castle(&self, us: Color, castling_side: CastlingSide, danger: Bitboard) -> bool {
        let (king, rook) = (self.king(us), self.castling.rook(us, castling_side));
        let (king_to, rook_to) = (castling_side.king_to(us), castling_side.rook_to(us));
        if (between(king, king_to) | king_to.into()).intersects(danger) {
            return false;
        }
        // Chess960: the castling rook may have shielded its own king from a slider on the back rank.
        let back_rank = Rank::One.relative_to(us).bitboard();
        let sliders = self.orthogonal_sliders(!us) & back_rank;
        sliders.is_empty() || {
            let after = self.occupied() ^ king.into() ^ rook.into() | rook_to.into();
            !sliders.into_iter().any(|slider| !between(king_to, slider).intersects(after))
        }
    }

    /// The castling rights that are left.
    #[inline(always)]
    pub fn castling_rights(&self) -> CastlingRights {
        self.castling.rights()
    }
}

/// The square of the pawn that an en-passant capture takes.
#[inline(always)]
pub(super) const fn en_passant_victim(from: Square, to: Square) -> Square {
    Square::new(to.file(), from.rank())
}

const _: () = assert!(size_of::<Board>() <= 96, "perft copies a board per move");
