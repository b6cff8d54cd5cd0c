//! Evaluation of elementary endings that the network misjudges: won ones it cannot win, drawn ones it takes for won.
//!
//! Against a lone king, the method is always the same: it loses squares, is driven to the edge and into a corner, with
//! bishop and knight into one of the bishop's color, and the attacking king comes close.

mod draws;
mod pawn_bitbase;

use crate::{
    attacks,
    params::see_values,
    position::Board,
    types::{Bitboard, Color, PieceType, Score, Square},
};

/// The least evaluation of a won ending: more than any other evaluation, less than any proven win.
const KNOWN_WIN: i32 = 5_000;

/// More than [`plies_to_mate`] and [`plies_to_mate_with_bishop_and_knight`] ever give, in internal units.
const LONGEST: i32 = 1_000;

const _: () = assert!(KNOWN_WIN + LONGEST + 15 * MAX_QUEEN < Score::MAX_EVAL.0, "no evaluation looks like a proof");

/// More than the value of a queen may be tuned to.
const MAX_QUEEN: i32 = 1_500;

/// Internal units for a ply that a feature brings mate closer, on average.
const PLY: i32 = 20;

/// The evaluation of a position that is no won ending, in internal units.
#[inline]
pub(super) fn below_known_win(score: i32) -> Score {
    Score(score.clamp(1 - KNOWN_WIN, KNOWN_WIN - 1))
}

/// Returns true for the evaluation of a won elementary ending, by either side.
#[inline]
pub(super) fn is_known_result(score: Score) -> bool {
    score.0.abs() >= KNOWN_WIN
}

/// The evaluation of an elementary ending for the side to move; `None` for all other positions.
#[inline]
pub(super) fn known_score(board: &Board) -> Option<Score> {
    // The only tests that other positions pass through.
    let Some(lone) = Color::ALL.into_iter().find(|&color| !board.color(color).more_than_one()) else {
        let is_draw = board.occupied().len() == 4 && draws::pawn_holds_queen(board);
        return is_draw.then_some(Score::ZERO);
    };
    let score = score_against_lone_king(board, lone)?;
    Some(if board.side_to_move() == lone { -score } else { score })
}

/// The evaluation for the opponent of a lone king; `None` if that may need pawns, or three knights, to win.
#[cold]
fn score_against_lone_king(board: &Board, lone: Color) -> Option<Score> {
    let pieces = |piece_type| board.pieces(!lone, piece_type);
    let bishops = pieces(PieceType::Bishop);
    let dark = bishops.intersects(Bitboard::DARK_SQUARES);
    let bishop_pair = dark && !bishops.without(Bitboard::DARK_SQUARES).is_empty();
    let knights = pieces(PieceType::Knight);
    let (king, attacker) = (board.king(lone), board.king(!lone));
    let squares = safe_squares(board, lone);
    let to_mate = if bishop_pair || !board.orthogonal_sliders(!lone).is_empty() {
        plies_to_mate(king, attacker, squares)
    } else if !bishops.is_empty() && !knights.is_empty() {
        plies_to_mate_with_bishop_and_knight(king, attacker, dark, squares)
    } else {
        let pawnless = pieces(PieceType::Pawn).is_empty();
        let is_draw = if pawnless { knights.len() <= 2 } else { draws::lone_king_holds(board, lone) };
        return is_draw.then_some(Score::ZERO);
    };
    // CITE: Stockfish - stalemate, which quiescence search does not see.
    if squares == 0 && board.side_to_move() == lone && board.attackers(king, !lone).is_empty() {
        return Some(Score::ZERO);
    }
    let value = |piece_type: PieceType| see_values()[piece_type.index()] * pieces(piece_type).len() as i32;
    let material: i32 = PieceType::ALL.into_iter().map(value).sum();
    Some(Score(KNOWN_WIN + LONGEST + material - to_mate))
}

/// How long mate takes with a queen, a rook or two bishops, in internal units and up to a constant.
// CITE: Stockfish's endgame.cpp - the lone king's distance from the edge, and that of the kings; ours are linear, and
// the weights those of a least-squares fit to the distances of the Syzygy tables, as are the king's squares. Measured
// here: docs/notes/strength.md.
fn plies_to_mate(king: Square, attacker: Square, squares: i32) -> i32 {
    let (near, far) = edge_distances(king);
    PLY * (4 * (near + far) + 3 * king_distance(king, attacker) + squares) / 2
}

/// The same with bishop and knight: mate is given in a corner of the bishop's color, and the attacking king drives the
/// other one from the opposite side.
// CITE: Stockfish's endgame.cpp - the lone king's distance from such a corner; the other features and their weights are
// those of a fit like the one above. The corner's weight is four times the fitted one: the king that sits in a wrong
// corner has to be let out of it.
fn plies_to_mate_with_bishop_and_knight(king: Square, attacker: Square, dark: bool, squares: i32) -> i32 {
    let (near, far) = edge_distances(king);
    PLY * (12 * corner_distance(king, dark) + 2 * near + 6 * far + 3 * king_distance(king, attacker) + squares
        - 2 * corner_distance(attacker, dark))
        / 4
}

/// The bonus on top of the network's evaluation for the side to move in the ending of queen against rook; 0 in all
/// other positions. The network takes it for nearly equal.
// CITE: Stockfish's endgame.cpp (KQKR) - the defending king's distance from the edge, and that of the kings; the
// distance of rook and king, which a fit to the Syzygy tables shows, is ours. Measured here: docs/notes/strength.md.
#[inline]
pub(super) fn queen_against_rook(board: &Board) -> i32 {
    let (queens, rooks) = (board.of_type(PieceType::Queen), board.of_type(PieceType::Rook));
    if board.occupied().len() != 4 || queens.is_empty() || rooks.is_empty() {
        return 0;
    }
    let attacker = if queens.intersects(board.color(Color::White)) { Color::White } else { Color::Black };
    let (king, rook) = (board.king(!attacker), rooks.lowest());
    if board.color(attacker).contains(rook) {
        return 0;
    }
    let (near, far) = edge_distances(king);
    let score =
        600 - 20 * (near + far) - 30 * king_distance(king, board.king(attacker)) + 15 * king_distance(king, rook);
    if board.side_to_move() == attacker { score } else { -score }
}

/// Number of squares that the lone king may move to, were it its turn.
fn safe_squares(board: &Board, lone: Color) -> i32 {
    let king = board.king(lone);
    let others = board.occupied() ^ king.into();
    let is_safe = |&to: &Square| board.attackers_through(to, !lone, others).is_empty();
    attacks::king(king).filter(is_safe).count() as i32
}

/// A square's distance from the nearest edge, and from the nearest one at a right angle to it.
fn edge_distances(square: Square) -> (i32, i32) {
    let [file, rank] = coordinates(square).map(|at| at.min(7 - at));
    (file.min(rank), file.max(rank))
}

/// A square's Manhattan distance from the nearest dark or light corner.
fn corner_distance(square: Square, dark: bool) -> i32 {
    let [file, rank] = coordinates(square);
    let file = if dark { file } else { 7 - file };
    let from_a1 = file + rank;
    from_a1.min(14 - from_a1)
}

/// The Chebyshev distance between two squares.
fn king_distance(a: Square, b: Square) -> i32 {
    let ([file, rank], [other_file, other_rank]) = (coordinates(a), coordinates(b));
    (file - other_file).abs().max((rank - other_rank).abs())
}

/// File and rank, from 0 to 7.
fn coordinates(square: Square) -> [i32; 2] {
    [square.file().index() as i32, square.rank().index() as i32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn value(fen: &str) -> Option<i32> {
        known_score(Position::from_fen(fen).unwrap().board()).map(|score| score.0)
    }

    #[test]
    fn mating_material_wins_and_less_draws() {
        for (pieces, wins) in [
            ("1Q6", Some(true)),
            ("1R6", Some(true)),
            ("1BB5", Some(true)),
            ("1BN5", Some(true)),
            ("1RP5", Some(true)),
            ("1BBNNP2", Some(true)),
            ("1NN5", Some(false)),
            ("1N6", Some(false)),
            ("1B6", Some(false)),
            ("1B1B4", Some(false)),
            ("1NNN4", None),
            ("1BP5", None),
            ("1NNP4", None),
            ("1P6", None),
        ] {
            let values = ["w", "b"].map(|side| value(&format!("8/8/7k/8/8/{pieces}/8/K7 {side} - - 0 1")));
            assert_eq!(values[0].map(|value| value >= KNOWN_WIN), wins, "{pieces}: {values:?}");
            assert_eq!(values[0], values[1].map(|value| -value), "{pieces}");
        }
        assert_eq!(value("8/8/8/4k2p/8/1Q6/8/K7 w - - 0 1"), None, "no lone king");
    }

    /// For each pair, the second position is nearer to mate.
    #[test]
    fn the_king_is_driven_to_the_edge_and_the_right_corner() {
        for (fens, what) in [
            (["8/8/8/4k3/8/8/8/KQ6 b - - 0 1", "4k3/8/8/8/8/8/8/KQ6 b - - 0 1"], "the edge"),
            (["4k3/8/8/8/8/8/8/KR6 b - - 0 1", "4k3/8/4K3/8/8/8/8/1R6 b - - 0 1"], "the kings"),
            (
                ["7k/8/8/4K3/8/8/2B5/2N5 b - - 0 1", "k7/8/8/3K4/8/8/2B5/2N5 b - - 0 1"],
                "a8 of h8 and a8, by a bishop on c2",
            ),
            (
                ["k7/8/8/3K4/8/8/3B4/2N5 b - - 0 1", "7k/8/8/4K3/8/8/3B4/2N5 b - - 0 1"],
                "h8 of a8 and h8, by a bishop on d2",
            ),
        ] {
            let [from, to] = fens.map(|fen| value(fen).unwrap());
            assert!(to < from, "{what}: {from} {to}");
        }
    }

    #[test]
    fn stalemate_is_no_win() {
        assert_eq!(value("k7/2Q5/8/8/8/8/8/7K b - - 0 1"), Some(0));
        assert!(value("k7/2Q5/8/8/8/8/8/7K w - - 0 1").unwrap() >= KNOWN_WIN);
    }

    #[test]
    fn more_pieces_are_better_and_every_win_is_known() {
        let values = ["1R6", "1RP5", "1Q6", "1RR5", "1QQ5"]
            .map(|pieces| value(&format!("8/8/7k/8/8/{pieces}/8/6K1 w - - 0 1")).unwrap());
        assert!(values.is_sorted() && is_known_result(Score(values[0])), "{values:?}");
        // The longest way to mate that there is.
        for fen in ["8/8/8/3k4/8/8/8/1R5K w - - 0 1", "7k/8/8/8/8/8/2B5/KN6 w - - 0 1"] {
            assert!(is_known_result(Score(value(fen).unwrap())), "{fen}");
        }
    }

    #[test]
    fn a_queen_beats_a_rook_by_driving_its_king() {
        let bonus = |fen: &str| queen_against_rook(Position::from_fen(fen).unwrap().board());
        let [center, edge] = ["8/8/8/3k1r2/8/8/8/KQ6 w - - 0 1", "8/8/8/k1r5/8/8/8/KQ6 w - - 0 1"].map(bonus);
        assert!(0 < center && center < edge, "{center} {edge}");
        assert_eq!(bonus("8/8/8/3k1r2/8/8/8/KQ6 b - - 0 1"), -center);
        for other in
            ["8/8/8/3k1b2/8/8/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/KQR5 w - - 0 1", "8/8/4p3/3k1r2/8/8/8/KQ6 w - - 0 1"]
        {
            assert_eq!(bonus(other), 0, "{other}");
        }
    }
}
