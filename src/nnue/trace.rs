//! The evaluation broken down by piece and output bucket, for the command `eval`.

use std::sync::Arc;

use super::{
    accumulator::Accumulator, accumulator_stack::AccumulatorStack, architecture::output_bucket, features::Perspective,
    kernels::Kernel, network::Network,
};
use crate::{
    position::Position,
    types::{PieceType, Square},
};

/// The parts of one evaluation, in internal units for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalTrace {
    /// The output bucket in use.
    pub bucket: usize,
    /// The evaluation by each output bucket.
    pub outputs: Vec<i32>,
    /// The value of each piece: by how much the evaluation, with the same output bucket, falls for the piece's own side
    /// when the piece is removed. None for kings and empty squares.
    pub piece_values: [Option<i32>; Square::COUNT],
}

impl<const H: usize, const B: usize> Network<H, B> {
    /// Breaks down the evaluation of a position.
    pub fn trace(self: &Arc<Self>, position: &Position) -> EvalTrace {
        let kernel = Kernel::detect();
        let board = position.board();
        let (us, pieces) = (board.side_to_move(), board.occupied().len());
        let mut accumulators = AccumulatorStack::with_kernel(self.clone(), kernel);
        let pair = accumulators.pair(position).map(Clone::clone);
        let output = |[us, them]: [&Accumulator<H>; 2], pieces| self.output(kernel, us, them, pieces);
        let whole = [&pair[0], &pair[1]];

        let value_of_piece = |square: Square| {
            let piece = board.piece_at(square).filter(|piece| piece.piece_type() != PieceType::King)?;
            let [ours, theirs] = [(us, &pair[0]), (!us, &pair[1])].map(|(color, accumulator)| {
                let perspective = Perspective::new(color, board.king(color));
                let mut without = *accumulator;
                kernel.update_many(&mut without, &[], &[self.feature_weights(perspective.feature(piece, square))]);
                without
            });
            let loss = output(whole, pieces) - output([&ours, &theirs], pieces);
            Some(if piece.color() == us { loss } else { -loss })
        };
        let mut piece_values = [None; Square::COUNT];
        for square in board.occupied() {
            piece_values[square.index()] = value_of_piece(square);
        }
        let first_counts = (0..B).map(|bucket| (2..=32).find(|&pieces| output_bucket(B, pieces) == bucket));
        EvalTrace {
            bucket: output_bucket(B, pieces),
            outputs: first_counts.flatten().map(|pieces| output(whole, pieces)).collect(),
            piece_values,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(network: &Arc<Network<128, 8>>, fen: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        AccumulatorStack::new(network.clone()).evaluate(&position)
    }

    #[test]
    fn piece_value_is_the_difference_to_the_board_without_the_piece() {
        let network: Arc<Network<128, 8>> = Network::random(3).into();
        // Seven pieces and six, both in the second bucket.
        let fens = ["4k3/2p5/8/8/3N4/8/PP6/4K2R b - - 0 1", "4k3/2p5/8/8/8/8/PP6/4K2R b - - 0 1"];
        let [whole, without] = fens.map(|fen| value(&network, fen));
        let trace = network.trace(&Position::from_fen(fens[0]).unwrap());
        assert_eq!((trace.bucket, trace.outputs.len()), (1, 8));
        assert_eq!(trace.outputs[1], whole);
        assert_eq!(trace.piece_values[Square::D4.index()], Some(without - whole));
        assert_eq!(trace.piece_values[Square::E8.index()], None);
        assert_eq!(trace.piece_values.iter().flatten().count(), 5);
    }
}
