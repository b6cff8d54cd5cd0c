//! Perft: counting the leaves of the tree of all legal moves.

use crate::{
    attacks::Sliders,
    movegen::{All, count_legal, generate_into},
    position::{Board, Masks},
    types::{Move, MoveList},
};

/// The number of legal move sequences of length `depth`. The last ply is counted rather than played.
pub fn perft<S: Sliders>(sliders: S, board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_legal(sliders, board),
        _ => {
            let mut moves = MoveList::new();
            generate_into::<S, All>(sliders, board, &Masks::of(board), &mut moves);
            moves.iter().map(|&mv| perft(sliders, &board.play(mv), depth - 1)).sum()
        }
    }
}

/// [`perft`] that plays the last ply too: a measure of making moves rather than of generating them.
pub fn perft_playing_all<S: Sliders>(sliders: S, board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    generate_into::<S, All>(sliders, board, &Masks::of(board), &mut moves);
    moves.iter().map(|&mv| perft_playing_all(sliders, &board.play(mv), depth - 1)).sum()
}

/// [`perft`] split by first move, in generation order.
pub fn divide<S: Sliders>(sliders: S, board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = MoveList::new();
    generate_into::<S, All>(sliders, board, &Masks::of(board), &mut moves);
    moves.iter().map(|&mv| (mv, perft(sliders, &board.play(mv), depth.saturating_sub(1)))).collect()
}
