//! Random openings of games that the engine plays against itself: a standard, Chess960 or book position, and a few
//! random plies; and `genfens`, by which OpenBench asks for them.

mod genfens;

use std::{
    io::{self, BufRead as _, BufReader, Read as _},
    path::Path,
};

pub use genfens::{GenFens, GenFensError, GenFensSyntax};

use crate::{
    movegen::legal_moves,
    notation::{Epd, EpdError},
    position::{Position, Setup},
    types::{Move, MoveList, Piece, PieceType},
    util::{Rng, open_regular},
};

/// Random plies from the start of a game, or one more, so that either side is the first to search in half of the games.
// CITE: 8 or 9 random plies: akimbo and Viridithas.
pub const RANDOM_PLIES: u32 = 8;
/// Random plies from a book position, or one more.
pub const RANDOM_BOOK_PLIES: u32 = 4;

/// Openings are rejected if the score of the first search exceeds this, either way, in internal units: the side ahead
/// scores about 80 % of the points from there.
// CITE: common practice; Reckless rejects from 400, Viridithas from 1000, in units of their own.
pub const MAX_OPENING_SCORE: i32 = 150;

/// Openings drawn for one game before giving up; most of eight random plies are balanced.
pub const MAX_DRAWS: usize = 1000;

/// The longest line of a book, in bytes.
const MAX_BOOK_LINE: u64 = 4096;

/// The probability of each piece type (pawn to king) to make a random move, in percent, if all can move.
const PIECE_TYPE_WEIGHTS: [usize; PieceType::COUNT] = [35, 15, 15, 5, 15, 15];

/// A source of opening positions.
#[derive(Clone, Debug)]
pub struct Openings {
    /// FEN or EPD lines; empty for the standard starting position.
    book: Vec<Box<str>>,
    random_plies: u32,
    chess960_percent: u8,
}

/// Why an opening book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read the book {path}: {error}")]
    Io {
        /// The path of the book.
        path: String,
        /// The error of the system.
        error: io::Error,
    },
    /// A line is not a position.
    #[error("line {line} of the book: {error}")]
    Line {
        /// The line number, from 1.
        line: usize,
        /// The fault in the line.
        error: EpdError,
    },
    /// A line is longer than any position.
    #[error("line {0} of the book is over {MAX_BOOK_LINE} bytes long")]
    LongLine(usize),
    /// The book has no positions.
    #[error("the book has no positions")]
    Empty,
    /// The caller asked for an end.
    #[error("the book was not read to its end")]
    Stopped,
}

/// All openings drawn are decided or over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("of {MAX_DRAWS} openings none was balanced")]
pub struct NoOpening;

impl Openings {
    /// Openings from the standard position, and from Chess960 positions in `chess960_percent` of a hundred games.
    pub fn new(random_plies: u32, chess960_percent: u8) -> Self {
        Self { book: Vec::new(), random_plies, chess960_percent }
    }

    /// The same with the positions of a book, one FEN or EPD a line, in place of the standard position. Asks before
    /// each line whether to stop.
    ///
    /// # Errors
    /// See [`BookError`].
    pub fn with_book(self, path: &Path, is_stopped: impl Fn() -> bool) -> Result<Self, BookError> {
        let failed = |error| BookError::Io { path: path.display().to_string(), error };
        let mut file = BufReader::new(open_regular(path).map_err(failed)?);
        let mut book = Vec::new();
        let mut bytes = Vec::new();
        for number in 1.. {
            if is_stopped() {
                return Err(BookError::Stopped);
            }
            bytes.clear();
            // One more for the end of the line.
            if file.by_ref().take(MAX_BOOK_LINE + 1).read_until(b'\n', &mut bytes).map_err(failed)? == 0 {
                break;
            }
            if bytes.len() as u64 > MAX_BOOK_LINE && bytes.last() != Some(&b'\n') {
                return Err(BookError::LongLine(number));
            }
            let line = String::from_utf8_lossy(&bytes);
            // Some editors write a byte-order mark.
            let line = line.trim_start_matches('\u{feff}').trim();
            if !line.is_empty() {
                read_line(line).map_err(|error| BookError::Line { line: number, error })?;
                book.push(line.into());
            }
        }
        if book.is_empty() { Err(BookError::Empty) } else { Ok(Self { book, ..self }) }
    }

    /// Draws an opening, without history, with `more_plies` more random plies than usual; none if they ended the game.
    pub fn draw(&self, rng: &mut Rng, more_plies: u32) -> Option<Position> {
        let mut position = self.draw_start(rng);
        for _ in 0..(self.random_plies + more_plies) as usize + rng.below(2) {
            position.make(random_move(&position, rng)?);
        }
        // The history is dropped because the game file does not hold it.
        Setup::from(&position).position().ok().filter(|start| start.outcome().is_none())
    }

    /// Draws the position that random plies begin with: the standard one, one of the book's, or a Chess960 position, in
    /// half of the cases another for each side (double Chess960).
    pub fn draw_start(&self, rng: &mut Rng) -> Position {
        if rng.below(100) < self.chess960_percent.into() {
            let white = rng.below(960);
            let black = if rng.below(2) == 0 { white } else { rng.below(960) };
            return Setup::chess960(white, black).and_then(|setup| setup.position().ok()).unwrap_or_default();
        }
        let line = self.book.get(rng.below(self.book.len()));
        line.and_then(|line| read_line(line).ok()).unwrap_or_default()
    }
}

/// A random legal move: first the piece type by [`PIECE_TYPE_WEIGHTS`], then one of its moves. None in checkmate and
/// stalemate.
// CITE: PlentyChess (Yoshie2000), pull request 227; +13.2 Elo there for a network trained on such openings.
fn random_move(position: &Position, rng: &mut Rng) -> Option<Move> {
    let legal = legal_moves(position);
    let piece_type = |mv: &Move| position.piece_at(mv.from()).map(Piece::piece_type);
    let movable = PieceType::ALL.map(|wanted| legal.iter().any(|mv| piece_type(mv) == Some(wanted)));
    let weight =
        |piece_type: PieceType| if movable[piece_type.index()] { PIECE_TYPE_WEIGHTS[piece_type.index()] } else { 0 };
    let mut ticket = rng.below(PieceType::ALL.iter().map(|&piece_type| weight(piece_type)).sum());
    let drawn = PieceType::ALL.into_iter().find(|&piece_type| {
        let within = ticket < weight(piece_type);
        ticket = ticket.saturating_sub(weight(piece_type));
        within
    })?;
    let moves: MoveList = legal.iter().copied().filter(|mv| piece_type(mv) == Some(drawn)).collect();
    moves.get(rng.below(moves.len())).copied()
}

/// Parses a FEN, or an EPD.
fn read_line(line: &str) -> Result<Position, EpdError> {
    Position::from_fen(line).or_else(|_| line.parse().map(|epd: Epd| epd.position))
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, fs};

    use super::*;

    #[test]
    fn openings_vary_and_are_playable() {
        let openings = Openings::new(RANDOM_PLIES, 50);
        let mut rng = Rng::new(5);
        let mut keys = HashSet::new();
        let mut black = 0;
        for _ in 0..500 {
            let Some(position) = openings.draw(&mut rng, 0) else { continue };
            assert!(!legal_moves(&position).is_empty() && matches!(position.game_ply(), 8 | 9));
            black += position.game_ply() % 2;
            keys.insert(position.key());
        }
        assert!(keys.len() > 480 && (200..300).contains(&black));
    }

    #[test]
    fn books_are_read_or_refused_with_the_line_number() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let book = |text: &str| {
            fs::write(file.path(), text).unwrap();
            Openings::new(0, 0).with_book(file.path(), || false)
        };
        let fen = "4k3/8/8/8/8/8/P7/4K3 w - - 4 30";
        let openings = book(&format!("\u{feff}\n{fen}\n4k3/8/8/8/8/8/P7/4K3 w - - hmvc 4; fmvn 30;\n")).unwrap();
        let mut rng = Rng::new(1);
        let start = (0..9).filter_map(|_| openings.draw(&mut rng, 0)).find(|position| position.game_ply() == 58);
        assert_eq!(start.map(|position| position.fen()).as_deref(), Some(fen));
        assert!(book("").unwrap_err().to_string().contains("no positions"));
        let error = book(&format!("{fen}\nrubbish\n")).unwrap_err();
        assert!(error.to_string().starts_with("line 2 of the book: "), "{error}");
        let long = book(&format!("{fen}\n{}", " ".repeat(1 << 20))).unwrap_err();
        assert_eq!(long.to_string(), "line 2 of the book is over 4096 bytes long");
        assert!(matches!(Openings::new(0, 0).with_book(file.path(), || true), Err(BookError::Stopped)));
        assert!(Openings::new(0, 0).with_book(Path::new("/nowhere"), || false).is_err());
    }
}
