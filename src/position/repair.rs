//! Repairs of harmless defects in a FEN.

use std::{fmt, ops::RangeInclusive};

use super::Setup;
use crate::types::{CastlingSide, Color, File, Square};

/// A harmless defect of a FEN that was repaired on reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenRepair {
    /// A castling right without its king or rook was dropped, or the second of two on the same side of the king.
    Castling(char),
    /// A castling right of Chess960 was dropped where standard chess is played.
    Chess960Castling(char),
    /// An en-passant square that no pawn has just passed was dropped.
    EnPassant(Square),
    /// A counter out of range was clamped.
    Counter(String),
}

impl fmt::Display for FenRepair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Castling(right) => write!(f, "castling right '{right}' has no king and rook of its own, dropped"),
            Self::Chess960Castling(right) => {
                write!(f, "castling right '{right}' is one of Chess960 and UCI_Chess960 is off, dropped")
            }
            Self::EnPassant(square) => write!(f, "no pawn has just passed {square}, en passant dropped"),
            Self::Counter(text) => write!(f, "counter '{text}' is out of range, clamped"),
        }
    }
}

/// Grants the right that a castling letter means, if king and rook are in place: the outermost rook for `K` and `Q`
/// (X-FEN), or the rook's file (Shredder-FEN). Without `chess960`, the king has to stand on the e-file and the rook in a
/// corner: many programs write rights that have expired, and a move by such a right is illegal in standard chess.
pub(super) fn grant_castling(setup: &mut Setup, letter: char, chess960: bool) -> Result<(), FenRepair> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let king = setup.king_on_back_rank(color).ok_or(FenRepair::Castling(letter))?;
    let mut rooks = File::ALL.into_iter().filter(|&file| setup.has_rook_on_back_rank(color, file));
    let rook = match letter.to_ascii_lowercase() {
        'k' => rooks.rfind(|&rook| rook > king),
        'q' => rooks.find(|&rook| rook < king),
        file => rooks.find(|rook| rook.letter() == file),
    };
    let rook = rook.ok_or(FenRepair::Castling(letter))?;
    let is_standard = king == File::E && matches!(rook, File::A | File::H);
    if !chess960 && !is_standard {
        return Err(FenRepair::Chess960Castling(letter));
    }
    // Two rooks on one side of the king: the first letter counts.
    let granted = &mut setup.castling_rooks[color.index()][CastlingSide::of(king, rook).index()];
    if *granted.get_or_insert(rook) == rook { Ok(()) } else { Err(FenRepair::Castling(letter)) }
}

/// Sets the en-passant file, if a pawn can have passed `square` just now.
pub(super) fn set_en_passant(setup: &mut Setup, square: Square) -> Result<(), FenRepair> {
    if setup.en_passant_square(square.file()) != Some(square) {
        return Err(FenRepair::EnPassant(square));
    }
    setup.en_passant = Some(square.file());
    Ok(())
}

/// The number of a counter, clamped to `range`. Zero is clamped without a repair, since many programs count moves from
/// it.
pub(super) fn clamp_counter(value: i64, text: &str, range: RangeInclusive<u16>, repairs: &mut Vec<FenRepair>) -> u16 {
    let clamped = value.clamp((*range.start()).into(), (*range.end()).into());
    if clamped != value && value != 0 {
        repairs.push(FenRepair::Counter(text.to_owned()));
    }
    clamped as u16
}
