//! The static evaluation of positions by a network.

use sleight::types::Color;

use super::{
    accumulators::Accumulators,
    architecture::{BUCKETS, Outputs},
    board::Board,
    network::Network,
};
use crate::train::{Aligned, vectorized};

/// Evaluates positions one after the other; the more alike they are, the faster.
pub(super) struct Evaluator<'a> {
    network: &'a Network,
    accumulators: Accumulators,
    products: Aligned<i16>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(network: &'a Network) -> Self {
        let products = Aligned::zeros(network.architecture.width);
        Self { network, accumulators: Accumulators::new(network), products }
    }

    /// The static evaluation in the internal units of the network's version of Stockfish, for the side to move, which
    /// must not be in check.
    pub(super) fn value(&mut self, board: &Board) -> i32 {
        let outputs = vectorized(
            #[inline(always)]
            || self.outputs(board),
        );
        self.network.architecture.formula.value(outputs, board)
    }

    #[inline(always)]
    fn outputs(&mut self, board: &Board) -> Outputs {
        let (network, us) = (self.network, board.side_to_move());
        let bucket = (board.occupied().count_ones() as usize).saturating_sub(1) / 4 % BUCKETS;
        let (own, their) = self.products.split_at_mut(network.architecture.width / 2);
        for (color, products) in [(us, own), (!us, their)] {
            self.accumulators.update(network, board, color);
            multiply(self.accumulators.neurons(board, color), network.architecture.threats, products);
        }
        let psqt = |color: Color| self.accumulators.psqt(board, color, bucket);
        let difference = psqt(us).wrapping_sub(psqt(!us));
        Outputs { psqt: difference / 2, positional: network.stacks[bucket].output(&self.products) }
    }
}

/// Multiplies the clipped neurons of the first half with those of the second: 8 bits with threats, otherwise 7.
#[inline(always)]
fn multiply((pieces, threats): (&[i16], &[i16]), eight_bits: bool, products: &mut [i16]) {
    if eight_bits {
        multiply_clipped::<255, 9>(pieces, threats, products);
    } else {
        multiply_clipped::<127, 7>(pieces, threats, products);
    }
}

#[inline(always)]
fn multiply_clipped<const MAX: i16, const SHIFT: u32>(pieces: &[i16], threats: &[i16], products: &mut [i16]) {
    let half = products.len();
    let ((p0, p1), (t0, t1)) = (pieces.split_at(half), threats.split_at(half));
    let clipped = |piece: i16, threat: i16| piece.wrapping_add(threat).clamp(0, MAX) as u16;
    for ((((product, &p0), &t0), &p1), &t1) in products.iter_mut().zip(p0).zip(t0).zip(p1).zip(t1) {
        *product = (clipped(p0, t0).wrapping_mul(clipped(p1, t1)) >> SHIFT) as i16;
    }
}
