//! Zobrist hashing: a random number for each feature of a position, combined by exclusive or.
// CITE: Albert Zobrist, "A New Hashing Method with Application for Game Playing", 1970.

use super::Board;
use crate::{
    types::{CastlingRights, Color, File, Key, Piece, PieceType, Square},
    util::Rng,
};

struct Zobrist {
    pieces: [[Key; Square::COUNT]; Piece::COUNT],
    castling: [Key; 16],
    en_passant: [Key; File::COUNT],
    black_to_move: Key,
}

static ZOBRIST: Zobrist = Zobrist::new(0x5365_6967_6874_2032);

impl Zobrist {
    const fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut pieces = [[0; Square::COUNT]; Piece::COUNT];
        let mut index = 0;
        while index < Piece::COUNT * Square::COUNT {
            pieces[index / Square::COUNT][index % Square::COUNT] = rng.next_u64();
            index += 1;
        }
        let mut castling = [0; 16];
        let mut index = 1; // The key without rights stays 0.
        while index < 16 {
            castling[index] = rng.next_u64();
            index += 1;
        }
        let mut en_passant = [0; File::COUNT];
        let mut index = 0;
        while index < File::COUNT {
            en_passant[index] = rng.next_u64();
            index += 1;
        }
        Self { pieces, castling, en_passant, black_to_move: rng.next_u64() }
    }
}

/// The key of a piece on a square.
#[inline(always)]
pub(super) const fn piece_key(piece: Piece, square: Square) -> Key {
    ZOBRIST.pieces[piece.index()][square.index()]
}

/// The key of Black to move.
#[inline(always)]
pub(super) const fn side_key() -> Key {
    ZOBRIST.black_to_move
}

/// The key of a halfmove clock: 0 up to 23 plies, then one key for each eight plies.
#[inline(always)]
pub(super) const fn fifty_move_key(halfmoves: u16) -> Key {
    ((halfmoves.saturating_sub(16) / 8) as Key).wrapping_mul(0x9e6c_63d0_876a_3f6b)
}

/// The key of a set of castling rights; 0 without rights.
#[inline(always)]
pub(super) fn castling_key(rights: CastlingRights) -> Key {
    ZOBRIST.castling[rights.index()]
}

/// The key of an en-passant square, by its file; 0 without one.
#[inline(always)]
pub(super) fn en_passant_key(square: Option<Square>) -> Key {
    square.map_or(0, |square| ZOBRIST.en_passant[square.file().index()])
}

/// The Zobrist keys of a position: of the whole, and of the parts that index correction history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Keys {
    /// Pieces, side to move, castling rights, en passant.
    pub full: Key,
    /// The pawns of both sides.
    pub pawn: Key,
    /// Each side's pieces other than pawns.
    pub non_pawn: [Key; Color::COUNT],
}

impl Keys {
    /// The keys of a board, from scratch.
    pub fn of(board: &Board) -> Self {
        let mut keys = Self::default();
        for piece in Piece::ALL {
            for square in board.pieces(piece.color(), piece.piece_type()) {
                keys.toggle(piece, square);
            }
        }
        keys.full ^= castling_key(board.castling_rights()) ^ en_passant_key(board.en_passant());
        if board.side_to_move() == Color::Black {
            keys.full ^= side_key();
        }
        keys
    }

    /// Adds or removes a piece.
    #[inline(always)]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let key = piece_key(piece, square);
        self.full ^= key;
        if piece.piece_type() == PieceType::Pawn {
            self.pawn ^= key;
        } else {
            self.non_pawn[piece.color().index()] ^= key;
        }
    }
}
