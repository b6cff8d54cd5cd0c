//! Forsyth-Edwards notation: standard FEN, X-FEN and Shredder-FEN in, X-FEN or Shredder-FEN out.

use std::ops::RangeInclusive;

use super::{
    Board, Position, Setup,
    fen_error::{FenError, FenRepair},
};
use crate::{
    types::{CastlingSide, Color, File, Piece, PieceType, Rank, Square},
    util::excerpt,
};

/// The start of every standard game.
pub const STARTPOS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The counters are clamped to this, when they are read and when they are written.
const MAX_COUNTER: u16 = 9_999;

impl Position {
    /// The start of a standard game.
    pub fn startpos() -> Self {
        match Self::from_fen(STARTPOS) {
            Ok(position) => position,
            Err(error) => unreachable!("{error}"),
        }
    }

    /// Reads a FEN and repairs harmless defects.
    ///
    /// # Errors
    /// [`FenError`], with the place of the fault.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        Ok(Self::from_fen_with_repairs(fen)?.0)
    }

    /// Reads a FEN and lists the defects that were repaired: see [`Setup::from_fen`].
    ///
    /// # Errors
    /// [`FenError`], with the place of the fault.
    pub fn from_fen_with_repairs(fen: &str) -> Result<(Self, Vec<FenRepair>), FenError> {
        let (setup, repairs) = Setup::from_fen(fen)?;
        Ok((setup.position()?, repairs))
    }

    /// [`Self::from_fen_with_repairs`] for standard chess: castling rights of Chess960, whose king or rook is not on
    /// its square of the initial position, are dropped.
    ///
    /// # Errors
    /// As there.
    pub fn from_standard_fen_with_repairs(fen: &str) -> Result<(Self, Vec<FenRepair>), FenError> {
        let (setup, repairs) = Setup::from_fen_fields(&fen.split_whitespace().collect::<Vec<_>>(), false)?;
        Ok((setup.position()?, repairs))
    }

    /// The position in X-FEN, which is standard FEN wherever that suffices.
    pub fn fen(&self) -> String {
        self.write_fen(false)
    }

    /// The position in Shredder-FEN: castling rights by the rook's file.
    pub fn shredder_fen(&self) -> String {
        self.write_fen(true)
    }

    fn write_fen(&self, rook_files: bool) -> String {
        let board = self.board();
        let side = if board.side_to_move() == Color::White { 'w' } else { 'b' };
        let en_passant = board.en_passant().map_or_else(|| "-".to_owned(), |square| square.to_string());
        format!(
            "{} {side} {} {en_passant} {} {}",
            pieces(board),
            castling(board, rook_files),
            self.halfmove_clock().min(MAX_COUNTER),
            self.fullmove_number().min(MAX_COUNTER.into())
        )
    }
}

impl Setup {
    /// Reads a FEN of four to six fields and lists the defects that were repaired. The position is not checked.
    ///
    /// Castling rights may be given as `KQkq`, meaning the outermost rook (X-FEN), or as the rook's file
    /// (Shredder-FEN). Counters may be missing, or `-`.
    ///
    /// # Errors
    /// [`FenError`], but never [`FenError::Illegal`].
    pub fn from_fen(fen: &str) -> Result<(Self, Vec<FenRepair>), FenError> {
        Self::from_fen_fields(&fen.split_whitespace().collect::<Vec<_>>(), true)
    }

    /// [`Self::from_fen`] for fields that are already split. Castling rights of Chess960 are dropped unless `chess960`.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn from_fen_fields(fields: &[&str], chess960: bool) -> Result<(Self, Vec<FenRepair>), FenError> {
        let (&[pieces, side, castling, en_passant], counters) = fields
            .split_first_chunk::<4>()
            .filter(|(_, counters)| counters.len() <= 2)
            .ok_or(FenError::Fields(fields.len()))?;

        let mut repairs = Vec::new();
        let mut setup = Self::empty();
        read_pieces(&mut setup, pieces)?;
        setup.side_to_move = match side {
            "w" | "W" => Color::White,
            "b" | "B" => Color::Black,
            _ => return Err(FenError::Side(excerpt(side))),
        };
        for letter in castling.chars().filter(|&letter| letter != '-') {
            if !matches!(letter, 'A'..='H' | 'a'..='h' | 'K' | 'Q' | 'k' | 'q') {
                return Err(FenError::Castling(letter));
            }
            repairs.extend(read_castling(&mut setup, letter, chess960).err());
        }
        if en_passant != "-" {
            let square = en_passant.parse::<Square>().map_err(|_| FenError::EnPassant(excerpt(en_passant)))?;
            if setup.en_passant_square(square.file()) == Some(square) {
                setup.en_passant = Some(square.file());
            } else {
                repairs.push(FenRepair::EnPassant(square));
            }
        }
        setup.halfmove_clock = read_counter(counters.first(), 0..=MAX_COUNTER, &mut repairs)?;
        setup.fullmove_number = read_counter(counters.get(1), 1..=MAX_COUNTER, &mut repairs)?;
        Ok((setup, repairs))
    }

    /// Clamps the counters to the range that a FEN is clamped to: the position's own FEN is then read unchanged.
    pub(crate) fn clamp_counters(&mut self) {
        self.halfmove_clock = self.halfmove_clock.min(MAX_COUNTER);
        self.fullmove_number = self.fullmove_number.clamp(1, MAX_COUNTER);
    }
}

fn read_pieces(setup: &mut Setup, text: &str) -> Result<(), FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != Rank::COUNT {
        return Err(FenError::Ranks(ranks.len()));
    }
    for (row, rank) in ranks.into_iter().zip(Rank::ALL.into_iter().rev()) {
        let number = rank.index() + 1;
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file += empty as usize;
            } else {
                let piece = Piece::from_letter(letter).ok_or(FenError::Piece { letter, rank: number })?;
                let column = File::from_index(file).ok_or(FenError::RankWidth { rank: number })?;
                setup.pieces[Square::new(column, rank).index()] = Some(piece);
                file += 1;
            }
        }
        if file != File::COUNT {
            return Err(FenError::RankWidth { rank: number });
        }
    }
    Ok(())
}

/// Grants the right that a castling letter means, if king and rook are in place: the outermost rook for `K` and `Q`
/// (X-FEN), or the rook's file (Shredder-FEN). Without `chess960`, the king has to stand on the e-file and the rook in
/// a corner: many programs write rights that have expired, and a move by such a right is illegal in standard chess.
fn read_castling(setup: &mut Setup, letter: char, chess960: bool) -> Result<(), FenRepair> {
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

/// A counter, clamped to `range`.
fn read_counter(
    text: Option<&&str>,
    range: RangeInclusive<u16>,
    repairs: &mut Vec<FenRepair>,
) -> Result<u16, FenError> {
    let text = match text {
        None | Some(&"-") => return Ok(*range.start()),
        Some(&text) => text,
    };
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FenError::Counter(excerpt(text)));
    }
    let size = digits.parse().unwrap_or(u32::MAX);
    let value = if text.starts_with('-') { -i64::from(size) } else { size.into() };
    let clamped = value.clamp((*range.start()).into(), (*range.end()).into());
    // Many programs count moves from zero.
    if clamped != value && value != 0 {
        repairs.push(FenRepair::Counter(excerpt(text)));
    }
    Ok(clamped as u16)
}

fn pieces(board: &Board) -> String {
    let mut rows = Vec::with_capacity(Rank::COUNT);
    for rank in Rank::ALL.into_iter().rev() {
        let mut row = String::new();
        let mut empty = 0;
        for file in File::ALL {
            match board.piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        row += &empty.to_string();
                    }
                    row.push(piece.letter());
                    empty = 0;
                }
            }
        }
        if empty > 0 {
            row += &empty.to_string();
        }
        rows.push(row);
    }
    rows.join("/")
}

fn castling(board: &Board, rook_files: bool) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for castling_side in CastlingSide::ALL {
            if !board.castling_rights().has(color, castling_side) {
                continue;
            }
            let rook = board.castling().rook(color, castling_side);
            let mut rooks = board.pieces(color, PieceType::Rook) & Rank::One.relative_to(color).into();
            let (outermost, letter) = match castling_side {
                CastlingSide::KingSide => (rooks.last(), 'K'),
                CastlingSide::QueenSide => (rooks.next(), 'Q'),
            };
            let letter = if rook_files || outermost != Some(rook) { rook.file().letter() } else { letter };
            text.push(match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter.to_ascii_lowercase(),
            });
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repairs(fen: &str) -> Vec<FenRepair> {
        Position::from_fen_with_repairs(fen).unwrap().1
    }

    #[test]
    fn standard_and_chess960_fens_round_trip() {
        for fen in [
            STARTPOS,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "8/8/8/8/8/8/6k1/4K2R w K - 99 140",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b KQkq - 3 9",
            "2rkr3/8/8/8/8/8/8/RRK1R3 w KBkq - 0 1",
        ] {
            let (position, repairs) = Position::from_fen_with_repairs(fen).unwrap();
            assert_eq!((position.fen().as_str(), repairs), (fen, vec![]));
            assert_eq!(Position::from_fen(&position.shredder_fen()).unwrap().fen(), fen);
        }
    }

    #[test]
    fn shredder_letters_name_the_rook() {
        let position = Position::from_fen("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9").unwrap();
        assert_eq!(position.fen(), "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9");
        assert_eq!(position.shredder_fen(), "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    }

    #[test]
    fn short_and_sloppy_fens_are_repaired() {
        assert_eq!(repairs("4k3/8/8/8/8/8/8/4K3 w - -"), []);
        assert_eq!(repairs("4k3/8/8/8/8/8/8/4K3 w - - - -"), []);
        assert_eq!(repairs("4k3/8/8/8/8/8/8/4K3 w Kq - 0 0"), [FenRepair::Castling('K'), FenRepair::Castling('q')]);
        assert_eq!(repairs("4k3/8/8/8/8/8/8/RR2K3 w QBA - 0 1"), [FenRepair::Castling('B')]);
        assert_eq!(repairs("4k3/8/8/8/8/8/8/4K3 w - e6 0 1"), [FenRepair::EnPassant(Square::E6)]);
        assert_eq!(repairs("4k3/8/8/8/8/8/8/4K3 w - - 10777 1"), [FenRepair::Counter("10777".into())]);
        assert_eq!(repairs("4k3/8/8/8/8/8/8/4K3 w - - -3 1"), [FenRepair::Counter("-3".into())]);
        assert_eq!(repairs("4k3/8/8/8/8/8/8/4K3 w - - 0 -7"), [FenRepair::Counter("-7".into())]);
        // After 1. e4 there is no capture on e3, but many programs write the square: no repair is reported.
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        let (position, mended) = Position::from_fen_with_repairs(after_e4).unwrap();
        assert_eq!((position.board().en_passant(), mended), (None, vec![]));
    }

    /// In standard chess, a right needs king and rook on their squares of the initial position.
    #[test]
    fn standard_chess_has_no_castling_rights_of_chess960() {
        let read = |fen: &str| {
            let (position, repairs) = Position::from_standard_fen_with_repairs(fen).unwrap();
            let castling = position.fen().split(' ').nth(2).unwrap().to_owned();
            let dropped = |repair| match repair {
                FenRepair::Chess960Castling(letter) => letter,
                other => panic!("{fen}: {other}"),
            };
            (castling, repairs.into_iter().map(dropped).collect::<String>())
        };
        for (placement, rights, left, dropped) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R", "KQkq", "KQkq", ""),
            ("r3k2r/8/8/8/8/8/8/R3K2R", "HAha", "KQkq", ""),
            ("4k3/8/8/8/8/8/PPP5/R5K1", "Q", "-", "Q"),
            ("4k3/8/8/8/8/8/PPP5/R5K1", "A", "-", "A"),
            ("r2k3r/8/8/8/8/8/8/R2K3R", "KQkq", "-", "KQkq"),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1", "KQkq", "-", "KQkq"),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1", "GBgb", "-", "GBgb"),
            // The outermost rook of X-FEN may be a standard one, or not.
            ("4k3/8/8/8/8/8/8/RR2K1RR", "KQ", "KQ", ""),
            ("4k3/8/8/8/8/8/8/RR2K1RR", "GKBQ", "KQ", "GB"),
            ("r3k1r1/8/8/8/8/8/8/1R2K2R", "KQkq", "Kq", "Qk"),
            ("rr2k3/8/8/8/8/8/8/4K3", "bq", "q", "b"),
            ("4k2r/8/8/8/8/8/8/R4K2", "Qk", "k", "Q"),
        ] {
            for side in ['w', 'b'] {
                let fen = format!("{placement} {side} {rights} - 0 1");
                assert_eq!(read(&fen), (left.to_owned(), dropped.to_owned()), "{fen}");
            }
        }
        assert_eq!(repairs("4k3/8/8/8/8/8/PPP5/R5K1 w Q - 0 1"), [], "in Chess960 it is a right");
    }

    #[test]
    fn nonsense_is_refused_with_the_reason() {
        let error = |fen: &str| Position::from_fen(fen).unwrap_err();
        assert_eq!(error(""), FenError::Fields(0));
        assert_eq!(error("4k3/8/8/8/8/8/8/4K3 w - - 0 1 7"), FenError::Fields(7));
        assert_eq!(error("4k3/8/8/8/8/8/4K3 w - -"), FenError::Ranks(7));
        assert_eq!(error("4k3/8/8/9/8/8/8/4K3 w - -"), FenError::Piece { letter: '9', rank: 5 });
        assert_eq!(error("4k3/8/8/44p/8/8/8/4K3 w - -"), FenError::RankWidth { rank: 5 });
        assert_eq!(error("4k3/8/8/7/8/8/8/4K3 w - -"), FenError::RankWidth { rank: 5 });
        assert_eq!(error("4k3/8/8/é7/8/8/8/4K3 w - -"), FenError::Piece { letter: 'é', rank: 5 });
        assert_eq!(error("4k3/8/8/8/8/8/8/4K3 x - -"), FenError::Side("x".into()));
        assert_eq!(error("4k3/8/8/8/8/8/8/4K3 w Z -"), FenError::Castling('Z'));
        assert_eq!(error("4k3/8/8/8/8/8/8/4K3 w - e9"), FenError::EnPassant("e9".into()));
        assert_eq!(error("4k3/8/8/8/8/8/8/4K3 w - - x 1"), FenError::Counter("x".into()));
    }
}
