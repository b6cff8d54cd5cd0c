//! Starting positions of Chess960 and double Chess960 (DFRC).

use super::Setup;
use crate::types::{CastlingSide, Color, File, Piece, PieceType, Rank, Square};

/// The number of Chess960 starting positions.
const ARRANGEMENTS: usize = 960;

impl Setup {
    /// The start of a game in which each side has a Chess960 arrangement, given by its Scharnagl number (standard chess
    /// has 518): Chess960 for twice the same number, double Chess960 for any two. `None` for a number above 959.
    ///
    /// ```
    /// # use sleight::position::{STARTPOS, Setup};
    /// assert_eq!(Setup::chess960(518, 518).unwrap().position()?.fen(), STARTPOS);
    /// assert_eq!(Setup::chess960(0, 960), None);
    /// # Ok::<(), sleight::position::IllegalPosition>(())
    /// ```
    pub fn chess960(white: usize, black: usize) -> Option<Self> {
        let mut setup = Self::empty();
        for (color, number) in Color::ALL.into_iter().zip([white, black]) {
            let kinds = back_rank(number)?;
            let mut rooks = File::ALL.into_iter().filter(|file| kinds[file.index()] == PieceType::Rook);
            // The king stands between its rooks.
            setup.castling_rooks[color.index()][CastlingSide::QueenSide.index()] = rooks.next();
            setup.castling_rooks[color.index()][CastlingSide::KingSide.index()] = rooks.next();
            for file in File::ALL {
                let square = |rank: Rank| Square::new(file, rank.relative_to(color)).index();
                setup.pieces[square(Rank::One)] = Some(Piece::new(kinds[file.index()], color));
                setup.pieces[square(Rank::Two)] = Some(Piece::new(PieceType::Pawn, color));
            }
        }
        Some(setup)
    }
}

/// The back rank from the a-file, by Reinhard Scharnagl's numbering: the bishops by remainders of four, then the queen,
/// the knights by a table of ten, and rook, king, rook on what is left.
fn back_rank(number: usize) -> Option<[PieceType; File::COUNT]> {
    /// The two knights among the five free squares.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    if number >= ARRANGEMENTS {
        return None;
    }
    let mut kinds = [None; File::COUNT];
    let mut place = |piece_type, nth_free: usize| {
        if let Some(square) = kinds.iter_mut().filter(|piece_type| piece_type.is_none()).nth(nth_free) {
            *square = Some(piece_type);
        }
    };
    let (light_bishop, dark_bishop) = (2 * (number % 4) + 1, 2 * (number / 4 % 4));
    place(PieceType::Bishop, light_bishop);
    // The first bishop has taken one square off the count of the free ones to its right.
    place(PieceType::Bishop, dark_bishop - usize::from(dark_bishop > light_bishop));
    place(PieceType::Queen, number / 16 % 6);
    let (first, second) = KNIGHTS[number / 96];
    place(PieceType::Knight, second);
    place(PieceType::Knight, first);
    for piece_type in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place(piece_type, 0);
    }
    Some(kinds.map(|piece_type| piece_type.unwrap_or(PieceType::Pawn)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use viriformat::chess::board::Board;

    use super::*;
    use crate::types::CastlingRights;

    #[test]
    fn the_960_arrangements_are_those_of_viriformat() {
        let mut fens = HashSet::new();
        for number in 0..ARRANGEMENTS {
            let theirs = Board::get_scharnagl_backrank(number).map(|piece_type| piece_type as u8);
            assert_eq!(back_rank(number).unwrap().map(|piece_type| piece_type as u8), theirs, "{number}");
            let position = Setup::chess960(number, number).unwrap().position().unwrap();
            assert_eq!(position.board().castling_rights(), CastlingRights::ALL);
            fens.insert(position.fen());
        }
        assert_eq!(fens.len(), ARRANGEMENTS);
    }

    #[test]
    fn each_side_of_double_chess960_has_its_own_arrangement() {
        let position = Setup::chess960(0, 959).unwrap().position().unwrap();
        assert_eq!(position.fen(), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
        assert_eq!(Setup::chess960(960, 0), None);
    }
}
