//! Colors, pieces, squares, bitboards, moves, scores.

mod bitboard;
mod castling;
mod color;
mod moves;
mod piece;
mod score;
mod square;

pub use bitboard::{Bitboard, Subsets};
pub use castling::{CastlingRights, CastlingSide};
pub use color::{Black, Color, Side, White};
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Piece, PieceType};
pub use score::{Bound, MAX_PLY, Score};
pub use square::{File, ParseSquareError, Rank, Square};

/// A search depth, in plies.
pub type Depth = i32;

/// A 64-bit Zobrist key.
pub type Key = u64;
