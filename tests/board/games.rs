//! Seeded random games from standard, Chess960 and random positions.

use sleight::{
    movegen::legal_moves,
    position::{Position, Setup},
    types::{CastlingSide, Color, File, Move, MoveKind, Piece, PieceType, Rank, Square},
    util::Rng,
};

/// The start of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    Standard,
    /// The same Chess960 arrangement for both sides.
    Chess960,
    /// A Chess960 arrangement for each side.
    DoubleChess960,
    /// Two kings and up to twelve other pieces anywhere, kings and rooks often at home with castling rights.
    Scattered,
}

impl Start {
    pub(crate) const ALL: [Self; 4] = [Self::Standard, Self::Chess960, Self::DoubleChess960, Self::Scattered];

    /// A random position of this kind.
    pub(crate) fn draw(self, rng: &mut Rng) -> Position {
        let one = rng.below(960);
        match self {
            Self::Standard => chess960(518, 518),
            Self::Chess960 => chess960(one, one),
            Self::DoubleChess960 => chess960(one, rng.below(960)),
            Self::Scattered => scattered(rng),
        }
    }
}

/// A random legal move, with a preference for castling, en passant and promotion; `None` without a legal move. It does
/// not depend on the order in which moves are generated.
pub(crate) fn random_move(rng: &mut Rng, position: &Position) -> Option<Move> {
    let mut moves = legal_moves(position);
    let rare = |mv: &Move| mv.is_promotion() || matches!(mv.kind(), MoveKind::Castle | MoveKind::EnPassant);
    if moves.iter().any(rare) && rng.below(2) == 0 {
        moves.retain(|mv| rare(mv));
    }
    moves.sort_unstable_by_key(|mv| mv.bits());
    moves.get(rng.below(moves.len())).copied()
}

fn chess960(white: usize, black: usize) -> Position {
    Setup::chess960(white, black).unwrap().position().unwrap()
}

fn scattered(rng: &mut Rng) -> Position {
    loop {
        let mut pieces = [None; Square::COUNT];
        let at_home = rng.below(2) == 0;
        for color in Color::ALL {
            let home = Square::from_low_bits(56 * color.index());
            let rank_or_board = if at_home { 8 } else { 64 };
            let king = home.index() ^ rng.below(rank_or_board);
            pieces[king] = Some(Piece::new(PieceType::King, color));
            if at_home {
                pieces[home.index()].get_or_insert(Piece::new(PieceType::Rook, color));
                pieces[home.index() ^ 7].get_or_insert(Piece::new(PieceType::Rook, color));
            }
        }
        for _ in 0..rng.below(13) {
            let piece = Piece::new(PieceType::ALL[rng.below(5)], Color::ALL[rng.below(2)]);
            pieces[rng.below(64)].get_or_insert(piece);
        }
        let side_to_move = Color::ALL[rng.below(2)];
        let castling_rooks = Color::ALL.map(|color| outermost_rooks(&pieces, color));
        if let Ok(position) = (Setup { pieces, side_to_move, castling_rooks, ..Setup::empty() }).position() {
            return position;
        }
    }
}

/// The outermost rook on either side of a king on its back rank, by castling side.
fn outermost_rooks(pieces: &[Option<Piece>], color: Color) -> [Option<File>; CastlingSide::COUNT] {
    let back_rank = File::ALL.map(|file| pieces[Square::new(file, Rank::One.relative_to(color)).index()]);
    let mut kings = File::ALL.into_iter().filter(|f| back_rank[f.index()] == Some(Piece::new(PieceType::King, color)));
    let Some(king) = kings.next() else { return [None; CastlingSide::COUNT] };
    let rook = |file: &File| back_rank[file.index()] == Some(Piece::new(PieceType::Rook, color));
    [
        File::ALL.into_iter().rev().find(rook).filter(|&file| file > king),
        File::ALL.into_iter().find(rook).filter(|&file| file < king),
    ]
}
