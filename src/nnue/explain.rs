//! Why the network says what it says.

use std::sync::Arc;

use super::{Accumulators, Kernel, Network, Row, View, bucket_of};
use crate::{
    position::Position,
    types::{PieceType, Square},
};

/// The parts of one evaluation. All values are centipawns, as the side to move sees them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The evaluation.
    pub total: i32,
    /// Which output neuron spoke.
    pub bucket: usize,
    /// What each output neuron would have said.
    pub outputs: Vec<i32>,
    /// What the hidden layer of each side contributes to the evaluation: the side to move, the other side.
    pub shares: [i32; 2],
    /// What each man is worth: how much the evaluation, by the same output neuron, falls for the man's own side when
    /// it is taken off the board. A king is not taken off.
    pub worth: [Option<i32>; Square::COUNT],
}

impl<const H: usize, const B: usize> Network<H, B> {
    /// Takes the evaluation of a position apart.
    pub fn explain(self: &Arc<Self>, position: &Position) -> Explanation {
        let kernel = Kernel::chosen();
        let board = position.board();
        let (us, men) = (board.side_to_move(), board.occupied().len());
        let mut accumulators = Accumulators::with_kernel(self.clone(), position, kernel);
        let rows = accumulators.rows(position).map(Clone::clone);
        let speak = |[ours, theirs]: [&Row<H>; 2], men| self.output(kernel, ours, theirs, men);
        let whole = [&rows[0], &rows[1]];
        let silent = speak([&Row::ZERO; 2], men);

        let without = |square: Square| {
            let piece = board.piece_at(square).filter(|piece| piece.kind() != PieceType::King)?;
            let [ours, theirs] = [(us, &rows[0]), (!us, &rows[1])].map(|(color, row)| {
                let view = View::new(color, board.king(color));
                let mut row = *row;
                kernel.update_many(&mut row, &[], &[self.feature(view.feature(piece, square))]);
                row
            });
            let loss = speak(whole, men) - speak([&ours, &theirs], men);
            Some(if piece.color() == us { loss } else { -loss })
        };
        let mut worth = [None; Square::COUNT];
        for square in board.occupied() {
            worth[square.index()] = without(square);
        }
        let spokesmen = (0..B).map(|bucket| (2..=32).find(|&men| bucket_of(B, men) == bucket));
        Explanation {
            total: speak(whole, men),
            bucket: bucket_of(B, men),
            outputs: spokesmen.flatten().map(|men| speak(whole, men)).collect(),
            shares: [[&rows[0], &Row::ZERO], [&Row::ZERO, &rows[1]]].map(|half| speak(half, men) - silent),
            worth,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(network: &Arc<Network<64, 8>>, fen: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        Accumulators::new(network.clone(), &position).evaluate(&position)
    }

    #[test]
    fn worth_is_the_difference_to_the_board_without_the_man() {
        let network: Arc<Network<64, 8>> = Network::random(3).into();
        // Seven men and six, both in the second bucket.
        let fens = ["4k3/2p5/8/8/3N4/8/PP6/4K2R b - - 0 1", "4k3/2p5/8/8/8/8/PP6/4K2R b - - 0 1"];
        let [whole, without] = fens.map(|fen| value(&network, fen));
        let parts = network.explain(&Position::from_fen(fens[0]).unwrap());
        assert_eq!((parts.total, parts.bucket, parts.outputs.len()), (whole, 1, 8));
        assert_eq!(parts.outputs[1], whole);
        assert_eq!(parts.worth[Square::D4.index()], Some(without - whole));
        assert_eq!(parts.worth[Square::E8.index()], None);
        assert_eq!(parts.worth.iter().flatten().count(), 5);
    }
}
