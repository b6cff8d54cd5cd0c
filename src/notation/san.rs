//! Moves in Standard Algebraic Notation (SAN).

use std::str::FromStr;

use super::ParseMoveError;
use crate::{
    movegen::legal_moves,
    position::Position,
    types::{CastlingSide, Color, File, Move, MoveList, PieceType, Rank, Square},
};

/// A move in standard algebraic notation (SAN): `Nf3`, `exd5`, `Rae1`, `e8=Q+`, `O-O`. It is not tied to a position.
///
/// Parsing is lenient: marks of capture, check and annotation may be missing or wrong, castling may be written with
/// zeros or small letters, and a piece with a small letter unless that is a file.
///
/// ```
/// # use sleight::{notation::San, position::Position, types::Square};
/// let position = Position::startpos();
/// let knight: San = "Nf3".parse().unwrap();
/// assert_eq!(knight.find(&position)[..].len(), 1);
/// assert_eq!(knight.find(&position)[0].to(), Square::F3);
/// assert!("Nf6".parse::<San>().unwrap().find(&position).is_empty());
/// assert!("knight".parse::<San>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct San(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Castle(CastlingSide),
    Plain { piece: PieceType, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<PieceType> },
}

impl San {
    /// The legal moves that match: none, or several if the text does not disambiguate the piece or the promotion.
    pub fn find(self, position: &Position) -> MoveList {
        legal_moves(position).into_iter().filter(|&mv| self.matches(position, mv)).collect()
    }

    fn matches(self, position: &Position, mv: Move) -> bool {
        match self.0 {
            Kind::Castle(castling_side) => mv.castling_side() == Some(castling_side),
            Kind::Plain { piece, file, rank, to, promotion } => {
                // The capture of a pawn is written with its file.
                let file = file.or((piece == PieceType::Pawn).then_some(to.file()));
                mv.castling_side().is_none()
                    && kind_of(position, mv) == Some(piece)
                    && mv.to() == to
                    && file.is_none_or(|file| mv.from().file() == file)
                    && rank.is_none_or(|rank| mv.from().rank() == rank)
                    && promotion.is_none_or(|promotion| mv.promotion() == Some(promotion))
            }
        }
    }
}

fn kind_of(position: &Position, mv: Move) -> Option<PieceType> {
    position.piece_at(mv.from()).map(|piece| piece.piece_type())
}

/// The legal move `mv` in SAN, with the mark of check or mate.
///
/// ```
/// # use sleight::{notation::{San, san}, position::Position};
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
/// for text in ["O-O", "O-O-O", "Ra8+", "Rd1", "Ke2"] {
///     assert_eq!(san(&position, text.parse::<San>().unwrap().find(&position)[0]), text);
/// }
/// ```
pub fn san(position: &Position, mv: Move) -> String {
    let mut after = position.clone();
    after.make(mv);
    let mark = match (after.in_check(), legal_moves(&after).is_empty()) {
        (true, true) => "#",
        (true, false) => "+",
        (false, _) => "",
    };
    format!("{}{mark}", San(spelled(position, mv)).written(mv.is_capture()))
}

/// The shortest unambiguous notation of `mv`.
fn spelled(position: &Position, mv: Move) -> Kind {
    if let Some(castling_side) = mv.castling_side() {
        return Kind::Castle(castling_side);
    }
    let (from, to, promotion) = (mv.from(), mv.to(), mv.promotion());
    let piece = kind_of(position, mv).unwrap_or(PieceType::Pawn);
    if piece == PieceType::Pawn {
        return Kind::Plain { piece, file: mv.is_capture().then_some(from.file()), rank: None, to, promotion };
    }
    let plain = |file, rank| Kind::Plain { piece, file, rank, to, promotion };
    let file = Some(from.file());
    let rank = Some(from.rank());
    let spellings = [plain(None, None), plain(file, None), plain(None, rank)];
    let is_clear = |spelling: &Kind| San(*spelling).find(position).len() == 1;
    spellings.into_iter().find(is_clear).unwrap_or(plain(file, rank))
}

impl San {
    fn written(self, capture: bool) -> String {
        match self.0 {
            Kind::Castle(CastlingSide::KingSide) => "O-O".to_owned(),
            Kind::Castle(CastlingSide::QueenSide) => "O-O-O".to_owned(),
            Kind::Plain { piece, file, rank, to, promotion } => {
                let mut text = String::new();
                if piece != PieceType::Pawn {
                    text.push(piece.letter());
                }
                text.extend(file.map(File::letter));
                text.extend(rank.map(|rank| char::from(b'1' + rank.index() as u8)));
                text.extend(capture.then_some('x'));
                text += &to.to_string();
                text.extend(promotion.into_iter().flat_map(|piece_type| ['=', piece_type.letter()]));
                text
            }
        }
    }
}

impl FromStr for San {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        castling(text).or_else(|| plain(text)).map(Self).ok_or(ParseMoveError)
    }
}

fn castling(text: &str) -> Option<Kind> {
    let steps = text.split('-').collect::<Vec<_>>();
    let castles = steps.iter().all(|step| matches!(*step, "O" | "o" | "0"));
    match steps.len() {
        2 if castles => Some(Kind::Castle(CastlingSide::KingSide)),
        3 if castles => Some(Kind::Castle(CastlingSide::QueenSide)),
        _ => None,
    }
}

fn plain(text: &str) -> Option<Kind> {
    let mut letters: Vec<char> = text.chars().filter(|letter| !matches!(letter, 'x' | '-' | ':' | '=')).collect();
    let piece = match letters.first()? {
        'N' | 'n' => PieceType::Knight,
        'R' | 'r' => PieceType::Rook,
        'Q' | 'q' => PieceType::Queen,
        'K' | 'k' => PieceType::King,
        'B' => PieceType::Bishop,
        _ => PieceType::Pawn,
    };
    if piece != PieceType::Pawn {
        letters.remove(0);
    }
    let promotion = match letters.last()? {
        'N' | 'n' => Some(PieceType::Knight),
        'B' | 'b' => Some(PieceType::Bishop),
        'R' | 'r' => Some(PieceType::Rook),
        'Q' | 'q' => Some(PieceType::Queen),
        _ => None,
    };
    if promotion.is_some() {
        letters.pop();
    }
    let rank = |letter: char| Rank::from_index(usize::try_from(letter.to_digit(10)?.checked_sub(1)?).ok()?);
    let to = Square::new(File::from_letter(*letters.iter().rev().nth(1)?)?, rank(letters.pop()?)?);
    letters.pop();
    let (file, from_rank) = match letters[..] {
        [] => (None, None),
        [one] => match File::from_letter(one) {
            Some(file) => (Some(file), None),
            None => (None, Some(rank(one)?)),
        },
        [file, from] => (Some(File::from_letter(file)?), Some(rank(from)?)),
        _ => return None,
    };
    let fits = promotion.is_none() || piece == PieceType::Pawn;
    fits.then_some(Kind::Plain { piece, file, rank: from_rank, to, promotion })
}

/// Legal moves in SAN with move numbers: `1. e4 e5 2. Nf3`, or `1... e5` at the beginning.
pub fn numbered(position: &Position, line: &[Move]) -> String {
    let mut position = position.clone();
    let mut texts = Vec::with_capacity(line.len());
    for (at, &mv) in line.iter().enumerate() {
        let number = position.fullmove_number();
        let text = san(&position, mv);
        texts.push(match position.side_to_move() {
            Color::White => format!("{number}. {text}"),
            Color::Black if at == 0 => format!("{number}... {text}"),
            Color::Black => text,
        });
        position.make(mv);
    }
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(fen: &str, text: &str) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        text.parse::<San>().unwrap().find(&position).iter().map(|&mv| san(&position, mv)).collect()
    }

    #[test]
    fn reading_is_lenient() {
        let fen = "r3k2r/pPppqpb1/bn2pnp1/3PN3/4P3/2N2Q1p/PPPBBPP1/R3K2R w KQkq - 0 1";
        for (text, meant) in [
            ("dxe6", "dxe6"),
            ("de6!?", "dxe6"),
            ("nb5", "Nb5"),
            ("Nxd7#", "Nxd7"),
            ("0-0", "O-O"),
            ("o-o-o", "O-O-O"),
            ("bxa8q", "bxa8=Q+"),
            ("b8N", "b8=N"),
            ("Nc3-b1", "Nb1"),
        ] {
            assert_eq!(found(fen, text), [meant], "{text}");
        }
    }

    #[test]
    fn ambiguous_texts_match_several_moves() {
        assert_eq!(found("4k3/8/8/8/8/8/3N4/1N2K3 w - - 0 1", "Nf3"), ["Nf3"]);
        assert_eq!(found("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2"), ["Nbd2", "Nfd2"]);
        assert_eq!(found("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8").len(), 4);
        assert_eq!(found("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5"), [""; 0], "the capture of a pawn needs its file");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "e", "e9", "i4", "Nf", "N", "hello", "Nf3f4g5", "O-O-O-O", "Ke8=Q", "é4", "go", "d", "bench"]
        {
            assert!(text.parse::<San>().is_err(), "{text}");
        }
    }
}
