//! The layer stack of an output bucket: two hidden layers and the output.

use bytemuck::Zeroable;

use super::architecture::{L2, L3};

/// The weights from the activations of both perspectives to the output, of one output bucket.
// CITE: layer stacks selected by the number of pieces, the 16 -> 32 -> 1 layers and the skip connection: Stockfish
// (nnue-pytorch); SCReLU in the hidden layers and floats behind the first: bullet's users (Viridithas, PlentyChess,
// Reckless).
#[derive(Clone, PartialEq, Zeroable)]
#[repr(C, align(64))]
pub(super) struct LayerStack<const H: usize> {
    /// The weights of each perspective's `H / 2` activations, in [blocks](Self::blocks). In units of `1 / QB`.
    l1_weights: [[[i8; H]; L2 / 2]; 2],
    pub(super) l1_bias: [f32; L2],
    /// For each output of the first layer but the skip connection, its weights in the second.
    pub(super) l2_weights: [[f32; L3]; L2 - 1],
    pub(super) l2_bias: [f32; L3],
    pub(super) l3_weights: [f32; L3],
}

/// Activations that a block multiplies at once: one 32-bit lane of bytes.
pub(super) const GROUP: usize = 4;

/// The weights of a group of activations: for each output in turn, one for each activation of the group. So an
/// activation group, repeated in all lanes, times a block makes a part of each output's sum in the lane of that output.
// CITE: the layout of Stockfish's affine transform.
pub(super) type Block = [i8; GROUP * L2];

impl<const H: usize> LayerStack<H> {
    /// The blocks of a perspective's weights, in the order of the activations.
    #[inline(always)]
    pub(super) fn blocks(&self, perspective: usize) -> &[Block] {
        self.l1_weights[perspective].as_flattened().as_chunks().0
    }

    /// The weight in an output of the first layer of a perspective's activation.
    pub(super) fn l1_weight(&self, perspective: usize, activation: usize, output: usize) -> i8 {
        self.l1_weights[perspective].as_flattened()[l1_index(activation, output)]
    }

    /// Sets [`Self::l1_weight`].
    pub(super) fn set_l1_weight(&mut self, perspective: usize, activation: usize, output: usize, weight: i8) {
        self.l1_weights[perspective].as_flattened_mut()[l1_index(activation, output)] = weight;
    }

    /// The number of parts that [`Self::floats`] has.
    pub(super) const FLOAT_PARTS: usize = 4;

    /// A part of the floats: the first layer's biases, the second's weights and biases, or the output weights.
    pub(super) fn floats(&self, part: usize) -> &[f32] {
        [&self.l1_bias[..], self.l2_weights.as_flattened(), &self.l2_bias, &self.l3_weights][part]
    }

    /// Mutable [`Self::floats`].
    pub(super) fn floats_mut(&mut self, part: usize) -> &mut [f32] {
        match part {
            0 => &mut self.l1_bias,
            1 => self.l2_weights.as_flattened_mut(),
            2 => &mut self.l2_bias,
            _ => &mut self.l3_weights,
        }
    }
}

fn l1_index(activation: usize, output: usize) -> usize {
    (activation / GROUP * L2 + output) * GROUP + activation % GROUP
}
