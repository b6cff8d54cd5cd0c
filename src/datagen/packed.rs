//! The packed forms of a position and of a move: marlinformat's 32 bytes and viriformat's 16 bits.
//!
//! CITE: the specification in the README of the crate `viriformat` (Cosmo Bobak); the tests compare with that crate.

use std::fmt::Write;

use crate::{
    movegen::is_legal,
    position::{FenError, FenRepair, Position},
    types::{Bitboard, CastlingSide, Color, File, Move, MoveKind, Outcome, Piece, PieceType, Rank, Square},
};

/// The bytes of a packed position.
pub(super) const HEADER_BYTES: usize = 32;

/// The piece code of a rook with its castling right; other pieces have the index of their type.
const UNMOVED_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;

/// What is wrong with a game's bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// More than 32 pieces.
    #[error("there are {0} pieces on the board")]
    TooManyPieces(usize),
    /// An unused piece code.
    #[error("the piece on {0} has no type")]
    Piece(Square),
    /// A rook marked as unmoved that cannot have a castling right, or a second one on the same side of its king.
    #[error("a castling right is impossible")]
    Castling,
    /// An en-passant square that no pawn can have just passed, or a square off the board.
    #[error("no pawn can have just passed the en-passant square")]
    EnPassant,
    /// A result byte above 2.
    #[error("{0} is not a result")]
    Outcome(u8),
    /// The position is illegal.
    #[error(transparent)]
    Position(#[from] FenError),
    /// An illegal move.
    #[error("ply {ply}: {bits:#06x} is not a legal move in {fen}")]
    Move {
        /// The index of the move in the game.
        ply: usize,
        /// The move as stored.
        bits: u16,
        /// The position before the move.
        fen: String,
    },
    /// The game ends in checkmate, and its result is not a win of the mating side.
    #[error("the result contradicts the checkmate at the end of the game")]
    MateContradicted,
}

/// Packs a position and a result. The score field, which is used for single positions, stays zero.
pub(super) fn pack(position: &Position, outcome: Outcome) -> [u8; HEADER_BYTES] {
    let board = position.board();
    let mut bytes = [0; HEADER_BYTES];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (index, square) in board.occupied().enumerate() {
        let Some(piece) = position.piece_at(square) else { continue };
        let code = if may_castle(position, piece, square) { UNMOVED_ROOK } else { piece.kind() as u8 };
        bytes[8 + index / 2] |= (code | (piece.color() as u8) << 3) << (4 * (index % 2));
    }
    bytes[24] = (position.side_to_move() as u8) << 7 | board.en_passant().map_or(NO_SQUARE, |square| square as u8);
    bytes[25] = position.halfmove_clock().min(u8::MAX.into()) as u8;
    bytes[26..28].copy_from_slice(&(position.fullmove_number().min(u16::MAX.into()) as u16).to_le_bytes());
    bytes[30] = outcome as u8;
    bytes
}

fn may_castle(position: &Position, piece: Piece, square: Square) -> bool {
    let castling = position.board().castling();
    piece.kind() == PieceType::Rook
        && CastlingSide::ALL.into_iter().any(|castling_side| {
            castling.rights().has(piece.color(), castling_side) && castling.rook(piece.color(), castling_side) == square
        })
}

/// The inverse of [`pack`]. Works by way of a FEN, so that one reader judges all positions.
///
/// # Errors
/// What is wrong with the bytes.
pub(super) fn unpack(bytes: &[u8; HEADER_BYTES]) -> Result<(Position, Outcome), Defect> {
    let [o0, o1, o2, o3, o4, o5, o6, o7, .., flags, halfmoves, move_low, move_high, _, _, outcome, _] = *bytes;
    let occupied = Bitboard(u64::from_le_bytes([o0, o1, o2, o3, o4, o5, o6, o7]));
    let outcome = Outcome::from_byte(outcome).ok_or(Defect::Outcome(outcome))?;
    let (men, unmoved) = unpack_men(occupied, bytes)?;
    let fen = format!(
        "{} {} {} {} {halfmoves} {}",
        placement(&men),
        if flags & 0x80 == 0 { 'w' } else { 'b' },
        castling_letters(&unmoved)?,
        en_passant(flags & 0x7f)?,
        u16::from_le_bytes([move_low, move_high]),
    );
    let (position, repairs) = Position::from_fen_with_repairs(&fen)?;
    // Two rooks on one side of their king leave one right, and nobody could say whose it is.
    let rights = position.board().castling_rights().index().count_ones() as usize;
    if rights != unmoved.len() {
        return Err(Defect::Castling);
    }
    if repairs.iter().any(|repair| matches!(repair, FenRepair::EnPassant(_))) {
        return Err(Defect::EnPassant);
    }
    Ok((position, outcome))
}

type Men = [Option<Piece>; Square::COUNT];

/// Who stands where, and the rooks that may castle.
fn unpack_men(occupied: Bitboard, bytes: &[u8; HEADER_BYTES]) -> Result<(Men, Vec<(Color, Square)>), Defect> {
    if occupied.len() > 32 {
        return Err(Defect::TooManyPieces(occupied.len()));
    }
    let mut men = [None; Square::COUNT];
    let mut unmoved = Vec::new();
    for (index, square) in occupied.enumerate() {
        let nibble = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if nibble & 8 == 0 { Color::White } else { Color::Black };
        let kind = match nibble & 7 {
            UNMOVED_ROOK => {
                unmoved.push((color, square));
                PieceType::Rook
            }
            code => PieceType::from_index(code.into()).ok_or(Defect::Piece(square))?,
        };
        men[square.index()] = Some(Piece::new(kind, color));
    }
    Ok((men, unmoved))
}

/// The first field of a FEN.
fn placement(men: &Men) -> String {
    let mut text = String::with_capacity(80);
    for rank in Rank::ALL.into_iter().rev() {
        if rank != Rank::Eight {
            text.push('/');
        }
        for file in File::ALL {
            // Eight ones are as good as an eight.
            text.push(men[Square::new(file, rank).index()].map_or('1', Piece::letter));
        }
    }
    text
}

/// The third field of a FEN, rooks named by their files.
fn castling_letters(unmoved: &[(Color, Square)]) -> Result<String, Defect> {
    let mut text = String::new();
    for &(color, square) in unmoved {
        if square.rank() != Rank::One.relative_to(color) {
            return Err(Defect::Castling);
        }
        let letter = square.file().letter();
        text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
    }
    Ok(if text.is_empty() { "-".to_owned() } else { text })
}

/// The fourth field of a FEN.
fn en_passant(square: u8) -> Result<String, Defect> {
    let mut text = String::new();
    match Square::from_index(square.into()) {
        Some(square) => write!(text, "{square}").map_err(|_| Defect::EnPassant)?,
        None if square == NO_SQUARE => text.push('-'),
        None => return Err(Defect::EnPassant),
    }
    Ok(text)
}

const EN_PASSANT: u16 = 1;
const CASTLE: u16 = 2;
const PROMOTION: u16 = 3;

/// A move as stored: from (bits 0-5), to (6-11), promotion piece (12-13), kind (14-15). Never zero.
pub(super) fn encode_move(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, |kind| (kind.index() - PieceType::Knight.index()) as u16);
    let kind = match mv.kind() {
        MoveKind::EnPassant => EN_PASSANT,
        MoveKind::Castle => CASTLE,
        _ if mv.is_promotion() => PROMOTION,
        _ => 0,
    };
    mv.from() as u16 | (mv.to() as u16) << 6 | promotion << 12 | kind << 14
}

/// The legal move of `position` that is stored as `bits`; none if it is not legal.
pub(super) fn decode_move(position: &Position, bits: u16) -> Option<Move> {
    let (from, to) = (Square::from_low_bits(bits.into()), Square::from_low_bits((bits >> 6).into()));
    let capture = position.piece_at(to).is_some();
    let piece = bits >> 12 & 3;
    let kind = match bits >> 14 {
        PROMOTION => {
            MoveKind::promotion(PieceType::from_index(PieceType::Knight.index() + usize::from(piece))?, capture)
        }
        _ if piece != 0 => return None,
        EN_PASSANT => MoveKind::EnPassant,
        CASTLE => MoveKind::Castle,
        _ if capture => MoveKind::Capture,
        _ if from.index().abs_diff(to.index()) == 16 && is_pawn(position, from) => MoveKind::DoublePush,
        _ => MoveKind::Quiet,
    };
    let mv = Move::new(from, to, kind);
    is_legal(position, mv).then_some(mv)
}

fn is_pawn(position: &Position, square: Square) -> bool {
    position.piece_at(square).is_some_and(|piece| piece.kind() == PieceType::Pawn)
}
