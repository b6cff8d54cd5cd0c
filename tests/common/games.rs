//! Seeded random games, from every kind of beginning.

use sleight::{
    movegen::legal_moves,
    position::Position,
    types::{Color, Move, MoveKind, Piece, PieceType, Square},
    util::Rng,
};

/// Where a game begins.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    Standard,
    /// The same one of the 960 arrays for both sides.
    Chess960,
    /// An array for each side.
    DoubleChess960,
    /// Two kings and up to twelve other men anywhere, kings and rooks often at home with their rights.
    Scattered,
}

impl Start {
    pub(crate) const ALL: [Self; 4] = [Self::Standard, Self::Chess960, Self::DoubleChess960, Self::Scattered];

    /// One such position.
    pub(crate) fn draw(self, rng: &mut Rng) -> Position {
        let one = rng.below(960);
        match self {
            Self::Standard => arrays(518, 518),
            Self::Chess960 => arrays(one, one),
            Self::DoubleChess960 => arrays(one, rng.below(960)),
            Self::Scattered => scattered(rng),
        }
    }
}

/// A legal move at random; the rare kinds - castling, en passant, promotion - are preferred to chance. `None` at the
/// end of the game. The order in which moves are generated makes no difference.
pub(crate) fn random_move(rng: &mut Rng, position: &Position) -> Option<Move> {
    let mut moves = legal_moves(position);
    let rare = |mv: &Move| mv.is_promotion() || matches!(mv.kind(), MoveKind::Castle | MoveKind::EnPassant);
    if moves.iter().any(rare) && rng.below(2) == 0 {
        moves.retain(|mv| rare(mv));
    }
    moves.sort_unstable_by_key(|mv| mv.bits());
    moves.get(rng.below(moves.len())).copied()
}

/// The array with a number, as Reinhard Scharnagl numbers them: bishops by remainders of four, then the queen, the
/// knights by a table of ten, and rook, king, rook in what is left.
fn back_rank(number: usize) -> String {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut files = [' '; 8];
    let free = |files: &[char; 8], nth: usize| (0..8).filter(|&file| files[file] == ' ').nth(nth).unwrap();
    files[2 * (number % 4) + 1] = 'b';
    files[2 * (number / 4 % 4)] = 'b';
    files[free(&files, number / 16 % 6)] = 'q';
    let (first, second) = KNIGHTS[number / 96];
    for nth in [second, first] {
        files[free(&files, nth)] = 'n';
    }
    for man in ['r', 'k', 'r'] {
        files[free(&files, 0)] = man;
    }
    files.iter().collect()
}

fn arrays(white: usize, black: usize) -> Position {
    let (white, black) = (back_rank(white).to_ascii_uppercase(), back_rank(black));
    Position::from_fen(&format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")).unwrap()
}

fn scattered(rng: &mut Rng) -> Position {
    loop {
        let mut men = [None; 64];
        let at_home = rng.below(2) == 0;
        for color in Color::ALL {
            let home = Square::from_low_bits(56 * color.index());
            let rank_or_board = if at_home { 8 } else { 64 };
            let king = home.index() ^ rng.below(rank_or_board);
            men[king] = Some(Piece::new(PieceType::King, color));
            if at_home {
                men[home.index()].get_or_insert(Piece::new(PieceType::Rook, color));
                men[home.index() ^ 7].get_or_insert(Piece::new(PieceType::Rook, color));
            }
        }
        for _ in 0..rng.below(13) {
            let piece = Piece::new(PieceType::ALL[rng.below(5)], Color::ALL[rng.below(2)]);
            men[rng.below(64)].get_or_insert(piece);
        }
        let rows: Vec<String> = men.chunks(8).rev().map(row).collect();
        let side = if rng.below(2) == 0 { 'w' } else { 'b' };
        // Rights without king or rook are dropped in reading, impossible positions refused.
        if let Ok(position) = Position::from_fen(&format!("{} {side} KQkq - 0 1", rows.join("/"))) {
            return position;
        }
    }
}

fn row(men: &[Option<Piece>]) -> String {
    men.iter().map(|man| man.map_or('1', Piece::letter)).collect()
}
