//! The layers behind the accumulators.
// CITE: the arithmetic is Stockfish's, to the last bit: 8-bit activations, clipped and squared clipped ReLU.

use super::{
    architecture::{L1_OUTPUTS, L2_INPUTS, L2_OUTPUTS},
    network_file::{FileReader, NetworkError},
};
use crate::train::Aligned;

/// The inputs of the second layer that are used: two for each output of the first layer but the last.
const HALF: usize = L1_OUTPUTS - 1;

/// The three layers that positions with a certain number of pieces go through.
#[derive(Clone)]
pub(super) struct LayerStack {
    l1_biases: [i32; L1_OUTPUTS],
    /// By output, then by input; 8 bits wide in the file.
    l1_weights: Aligned<i16>,
    l2_biases: [i32; L2_OUTPUTS],
    l2_weights: [[i16; L2_INPUTS]; L2_OUTPUTS],
    l3_bias: i32,
    l3_weights: [i16; L2_OUTPUTS],
}

impl LayerStack {
    pub(super) fn read(file: &mut FileReader<'_>, width: usize) -> Result<Self, NetworkError> {
        const PART: &str = "layers";
        let mut stack = Self {
            l1_biases: [0; L1_OUTPUTS],
            l1_weights: Aligned::zeros(L1_OUTPUTS * width),
            l2_biases: [0; L2_OUTPUTS],
            l2_weights: [[0; L2_INPUTS]; L2_OUTPUTS],
            l3_bias: 0,
            l3_weights: [0; L2_OUTPUTS],
        };
        file.plain(&mut stack.l1_biases, PART)?;
        read_bytes(file, &mut stack.l1_weights)?;
        file.plain(&mut stack.l2_biases, PART)?;
        read_bytes(file, stack.l2_weights.as_flattened_mut())?;
        file.plain(std::slice::from_mut(&mut stack.l3_bias), PART)?;
        read_bytes(file, &mut stack.l3_weights)?;
        Ok(stack)
    }

    /// The output for the products of both sides' accumulators.
    #[inline(always)]
    pub(super) fn output(&self, inputs: &[i16]) -> i32 {
        let mut first = self.l1_biases;
        for (sum, weights) in first.iter_mut().zip(self.l1_weights.chunks_exact(inputs.len())) {
            *sum = sum.wrapping_add(dot(inputs, weights));
        }
        let mut second_inputs = [0; L2_INPUTS];
        for (i, &sum) in first[..HALF].iter().enumerate() {
            second_inputs[i] = ((i64::from(sum) * i64::from(sum)) >> 19).min(127) as i16;
            second_inputs[HALF + i] = clipped(sum);
        }
        let mut output = self.l3_bias;
        for ((&bias, weights), &weight) in self.l2_biases.iter().zip(&self.l2_weights).zip(&self.l3_weights) {
            let sum = bias.wrapping_add(dot(&second_inputs, weights));
            output = output.wrapping_add(i32::from(clipped(sum)) * i32::from(weight));
        }
        // 127 * 64 stands for 1.0 in the first layer, and 600 units of 1/16 for 1.0 in the output.
        output.wrapping_add(first[HALF].wrapping_mul(600 * 16) / (127 * 64))
    }
}

fn read_bytes(file: &mut FileReader<'_>, into: &mut [i16]) -> Result<(), NetworkError> {
    let bytes = file.bytes(into.len(), "layers")?;
    into.iter_mut().zip(bytes).for_each(|(into, &byte)| *into = i16::from(byte as i8));
    Ok(())
}

#[inline(always)]
fn clipped(sum: i32) -> i16 {
    (sum >> 6).clamp(0, 127) as i16
}

/// The inner product. Products of adjacent elements are summed first, which is one instruction for a vector.
#[inline(always)]
fn dot(a: &[i16], b: &[i16]) -> i32 {
    let product = |(&a, &b): (&i16, &i16)| i32::from(a) * i32::from(b);
    a.iter().zip(b).map(product).fold(0, i32::wrapping_add)
}
