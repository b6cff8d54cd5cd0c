//! A position as the features see it: pieces, and what each attacks.

use sleight::{
    attacks::{king, knight, pawn, slider_attacks},
    position::Position,
    types::{Bitboard, Color, Piece, PieceType, Square},
};

use crate::record::Record;

/// No piece, in the mailbox.
const NONE: u8 = Piece::COUNT as u8;

/// The pieces by [`Piece::index`], and for each the occupied squares that it attacks.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pieces: [u64; Piece::COUNT],
    mailbox: [u8; Square::COUNT],
    attacks: [u64; Square::COUNT],
    side_to_move: Color,
}

impl Board {
    /// The board without pieces.
    pub(super) const EMPTY: Self = Self {
        pieces: [0; Piece::COUNT],
        mailbox: [NONE; Square::COUNT],
        attacks: [0; Square::COUNT],
        side_to_move: Color::White,
    };

    pub(super) fn from_position(position: &Position) -> Self {
        let board = position.board();
        let pieces = Piece::ALL.map(|piece| board.pieces(piece.color(), piece.piece_type()).0);
        Self::new(pieces, position.side_to_move())
    }

    /// The board of a record, in which White is to move.
    pub(super) fn from_record(record: &Record) -> Self {
        let mut pieces = [0; Piece::COUNT];
        for (square, code) in record.pieces() {
            let index = usize::from(code & 7) * 2 + usize::from(code >> 3);
            pieces[index % Piece::COUNT] |= square.bitboard().0;
        }
        Self::new(pieces, Color::White)
    }

    #[inline(always)]
    fn new(pieces: [u64; Piece::COUNT], side_to_move: Color) -> Self {
        let mut board = Self { pieces, side_to_move, ..Self::EMPTY };
        let occupied = Bitboard(pieces.iter().fold(0, |all, set| all | set));
        for piece in Piece::ALL {
            for square in Bitboard(pieces[piece.index()]) {
                board.mailbox[square.index()] = piece as u8;
                board.attacks[square.index()] = (attacks(piece, square, occupied) & occupied).0;
            }
        }
        board
    }

    pub(super) fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    #[inline(always)]
    pub(super) fn pieces(&self, piece: Piece) -> u64 {
        self.pieces[piece.index()]
    }

    /// The index of the piece on a square; [`Piece::COUNT`] for none.
    #[inline(always)]
    pub(super) fn piece_at(&self, square: usize) -> usize {
        self.mailbox[square % Square::COUNT].into()
    }

    /// The occupied squares that the piece on a square attacks.
    #[inline(always)]
    pub(super) fn attacks(&self, square: usize) -> u64 {
        self.attacks[square % Square::COUNT]
    }

    pub(super) fn occupied(&self) -> u64 {
        self.pieces.iter().fold(0, |all, set| all | set)
    }

    /// The squares on which two boards have different pieces.
    #[inline(always)]
    pub(super) fn changed_squares(&self, other: &Self) -> u64 {
        self.pieces.iter().zip(&other.pieces).fold(0, |changed, (a, b)| changed | (a ^ b))
    }

    /// The index of a king's square.
    #[inline(always)]
    pub(super) fn king(&self, color: Color) -> usize {
        self.pieces[Piece::new(PieceType::King, color).index()].trailing_zeros() as usize % Square::COUNT
    }

    /// The number of both sides' pieces of a type.
    pub(super) fn count(&self, piece_type: PieceType) -> i32 {
        Color::ALL.into_iter().map(|color| self.count_of(piece_type, color)).sum()
    }

    /// The side to move's pieces of a type less the opponent's.
    pub(super) fn balance(&self, piece_type: PieceType) -> i32 {
        self.count_of(piece_type, self.side_to_move) - self.count_of(piece_type, !self.side_to_move)
    }

    fn count_of(&self, piece_type: PieceType, color: Color) -> i32 {
        self.pieces(Piece::new(piece_type, color)).count_ones() as i32
    }

    /// Returns true if the side to move is in check.
    pub(super) fn in_check(&self) -> bool {
        let king = 1 << self.king(self.side_to_move);
        let theirs = PieceType::ALL.map(|piece_type| self.pieces(Piece::new(piece_type, !self.side_to_move)));
        theirs.into_iter().flat_map(Bitboard).any(|square| self.attacks(square.index()) & king != 0)
    }
}

#[inline(always)]
fn attacks(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.piece_type() {
        PieceType::Pawn => pawn(piece.color(), square),
        PieceType::Knight => knight(square),
        PieceType::King => king(square),
        slider => slider_attacks(slider, square, occupied),
    }
}
