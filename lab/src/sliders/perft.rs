//! Perft with a slider backend, in the simplest form: pseudo-legal moves are made, and those that leave the king in
//! check are dropped.
//!
//! The backend tells the moves of bishops, rooks and queens, and after every move whether a slider attacks the king.
//! The moves of the other pieces are the engine's.

use sleight::{
    attacks::{king, knight, pawn},
    movegen::board_moves,
    position::Board,
    types::{Color, Move, MoveKind, PieceType, Square},
};

use super::backends::{Sliders, WithSliders};

const SLIDERS: [PieceType; 3] = [PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// Counts the leaves of the tree of legal moves.
#[derive(Clone, Copy)]
pub(crate) struct Leaves<'a> {
    /// The root.
    pub(crate) board: &'a Board,
    /// Plies.
    pub(crate) depth: u32,
}

impl WithSliders for Leaves<'_> {
    type Out = u64;

    fn run<S: Sliders>(self, sliders: S) -> u64 {
        let Self { board, depth } = self;
        if depth == 0 {
            return 1;
        }
        let us = board.side_to_move();
        let boards = pseudo_legal_moves(sliders, board).into_iter().map(|mv| board.after(mv));
        let legal = boards.filter(|board| !is_attacked(sliders, board, board.king(us), !us));
        legal.map(|board| Leaves { board: &board, depth: depth - 1 }.run(sliders)).sum()
    }
}

fn pseudo_legal_moves<S: Sliders>(sliders: S, board: &Board) -> Vec<Move> {
    let us = board.side_to_move();
    let is_slider = |mv: &Move| SLIDERS.iter().any(|&piece_type| board.of_type(piece_type).contains(mv.from()));
    let mut moves: Vec<Move> = board_moves(board).into_iter().filter(|mv| !is_slider(mv)).collect();
    for piece_type in SLIDERS {
        for from in board.pieces(us, piece_type) {
            for to in sliders.of_type(piece_type, from, board.occupied()).without(board.color(us)) {
                let kind = if board.color(!us).contains(to) { MoveKind::Capture } else { MoveKind::Quiet };
                moves.push(Move::new(from, to, kind));
            }
        }
    }
    moves
}

fn is_attacked<S: Sliders>(sliders: S, board: &Board, square: Square, by: Color) -> bool {
    let attackers = pawn(!by, square) & board.pieces(by, PieceType::Pawn)
        | knight(square) & board.pieces(by, PieceType::Knight)
        | king(square) & board.pieces(by, PieceType::King)
        | sliders.rook(square, board.occupied()) & board.orthogonal_sliders(by)
        | sliders.bishop(square, board.occupied()) & board.diagonal_sliders(by);
    !attackers.is_empty()
}

#[cfg(test)]
mod tests {
    use std::thread;

    use sleight::position::Position;

    use super::{super::Backend, *};

    /// The engine's own tables of perft.
    const TABLES: [&str; 3] = [
        include_str!("../../../tests/data/standard.epd"),
        include_str!("../../../tests/data/chess960.epd"),
        include_str!("../../../tests/data/tricky.epd"),
    ];

    /// Every count of a table of up to a number of leaves. Returns their sum.
    fn check(backend: Backend, limit: u64) -> u64 {
        let mut sum = 0;
        let lines = TABLES.into_iter().flat_map(str::lines);
        for line in lines.filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let (fen, counts) = line.split_once(';').unwrap();
            let position = Position::from_fen(fen).unwrap();
            for count in counts.split(';') {
                let (depth, leaves) = count.trim().strip_prefix('D').unwrap().split_once(' ').unwrap();
                let (depth, leaves) = (depth.parse().unwrap(), leaves.parse().unwrap());
                if leaves > limit {
                    break;
                }
                let counted = backend.with(Leaves { board: position.board(), depth });
                assert_eq!(counted, Ok(leaves), "{backend}: {fen}, depth {depth}");
                sum += leaves;
            }
        }
        sum
    }

    #[test]
    fn every_backend_counts_alike() {
        thread::scope(|scope| {
            for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
                scope.spawn(move || assert!(check(backend, 20_000) > 1_000_000, "{backend}: hardly anything counted"));
            }
        });
    }
}
