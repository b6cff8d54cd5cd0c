//! The packed forms of a position and of a move: marlinformat's 32 bytes and viriformat's 16 bits.
// CITE: the specification in the README of the crate `viriformat` (Cosmo Bobak); the tests compare with that crate.

use arrayvec::ArrayVec;

use sleight::{
    movegen::is_legal,
    outcome::Outcome,
    position::{IllegalPosition, Position, Setup},
    types::{Bitboard, CastlingSide, Color, File, Move, MoveKind, Piece, PieceType, Rank, Square},
};

/// The bytes of a packed position.
pub(super) const HEADER_BYTES: usize = 32;

/// The piece code of a rook with its castling right; other pieces have the index of their type.
const UNMOVED_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;

/// A fault in a game's bytes.
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
    Position(#[from] IllegalPosition),
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
        let code = if may_castle(position, piece, square) { UNMOVED_ROOK } else { piece.piece_type() as u8 };
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
    piece.piece_type() == PieceType::Rook
        && CastlingSide::ALL.into_iter().any(|castling_side| {
            castling.rights().has(piece.color(), castling_side) && castling.rook(piece.color(), castling_side) == square
        })
}

/// The inverse of [`pack`].
///
/// # Errors
/// The first fault in the bytes.
pub(super) fn unpack(bytes: &[u8; HEADER_BYTES]) -> Result<(Position, Outcome), Defect> {
    let [o0, o1, o2, o3, o4, o5, o6, o7, .., flags, halfmove_clock, move_low, move_high, _, _, outcome, _] = *bytes;
    let occupied = Bitboard(u64::from_le_bytes([o0, o1, o2, o3, o4, o5, o6, o7]));
    let outcome = Outcome::from_byte(outcome).ok_or(Defect::Outcome(outcome))?;
    let mut setup = Setup {
        side_to_move: if flags & 0x80 == 0 { Color::White } else { Color::Black },
        halfmove_clock: halfmove_clock.into(),
        fullmove_number: u16::from_le_bytes([move_low, move_high]),
        ..Setup::empty()
    };
    setup.en_passant = en_passant(flags & 0x7f, setup.side_to_move)?;
    let unmoved_rooks = unpack_pieces(occupied, bytes, &mut setup)?;
    grant_castling(&mut setup, &unmoved_rooks)?;
    Ok((setup.position()?, outcome))
}

/// Places the pieces; returns the rooks that keep their castling right.
fn unpack_pieces(
    occupied: Bitboard,
    bytes: &[u8; HEADER_BYTES],
    setup: &mut Setup,
) -> Result<ArrayVec<(Color, Square), 32>, Defect> {
    if occupied.len() > 32 {
        return Err(Defect::TooManyPieces(occupied.len()));
    }
    let mut unmoved_rooks = ArrayVec::new();
    for (index, square) in occupied.enumerate() {
        let nibble = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if nibble & 8 == 0 { Color::White } else { Color::Black };
        let kind = match nibble & 7 {
            UNMOVED_ROOK => {
                unmoved_rooks.push((color, square));
                PieceType::Rook
            }
            code => PieceType::from_index(code.into()).ok_or(Defect::Piece(square))?,
        };
        setup.pieces[square.index()] = Some(Piece::new(kind, color));
    }
    Ok(unmoved_rooks)
}

/// Gives each unmoved rook the castling right on its side of the king.
fn grant_castling(setup: &mut Setup, unmoved_rooks: &[(Color, Square)]) -> Result<(), Defect> {
    for &(color, rook) in unmoved_rooks {
        let back_rank = Rank::One.relative_to(color);
        let is_king = |file: &File| {
            setup.pieces[Square::new(*file, back_rank).index()] == Some(Piece::new(PieceType::King, color))
        };
        let king = File::ALL.into_iter().find(is_king).filter(|_| rook.rank() == back_rank).ok_or(Defect::Castling)?;
        let right = &mut setup.castling_rooks[color.index()][CastlingSide::of(king, rook.file()).index()];
        // Two unmoved rooks on one side of the king are ambiguous.
        if right.replace(rook.file()).is_some() {
            return Err(Defect::Castling);
        }
    }
    Ok(())
}

/// The file of the en-passant square, which is on the sixth rank of the side to move.
fn en_passant(square: u8, side_to_move: Color) -> Result<Option<File>, Defect> {
    if square == NO_SQUARE {
        return Ok(None);
    }
    let square =
        Square::from_index(square.into()).filter(|square| square.rank() == Rank::Six.relative_to(side_to_move));
    square.map(|square| Some(square.file())).ok_or(Defect::EnPassant)
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
    position.piece_at(square).is_some_and(|piece| piece.piece_type() == PieceType::Pawn)
}
