//! Quantization: from the trained model to the network that the engine runs, and the error of that.

use std::{fmt, sync::Arc};

use super::{
    loss::{Loss, sigmoid},
    model::{BIAS, Model},
    record::Record,
};
use crate::{
    nnue::{Accumulators, Network, SCALE, output_bucket},
    position::Position,
};

/// The quantized network compared with its model over some positions.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct QuantizationError {
    positions: usize,
    /// Mean and maximum absolute difference of the evaluations, in internal units.
    pub(super) mean: f64,
    max: f64,
    /// Mean losses of the model in floats and of the network.
    model_loss: f64,
    network_loss: f64,
    /// The slope of the positions' scores over the network's evaluations, by least squares.
    score_per_evaluation: f64,
}

impl<const H: usize> Model<H> {
    /// The quantized network, with `scale` internal units for an output of 1.0; none if `B` is not the model's number of
    /// output buckets.
    pub(super) fn network<const B: usize>(&self, scale: u32) -> Option<Box<Network<H, B>>> {
        let mut weights = self.quantized();
        (self.buckets() == B).then(|| Network::from_fn(|| weights.next().unwrap_or_default()).with_scale(scale))
    }

    /// The output for a position, computed in floats throughout.
    pub(super) fn evaluate(&self, record: &Record) -> f32 {
        let features = record.active_features();
        let rows = self.weights().as_chunks::<H>().0;
        let bucket = output_bucket(self.buckets(), record.piece_count());
        let mut output = self.output_bias(bucket);
        for (features, weights) in [features.us(), features.them()].into_iter().zip(self.output_weights(bucket)) {
            let mut accumulator = rows[BIAS];
            for &feature in features {
                accumulator.iter_mut().zip(&rows[usize::from(feature)]).for_each(|(sum, weight)| *sum += weight);
            }
            let screlu = accumulator.iter().map(|sum| sum.clamp(0.0, 1.0).powi(2));
            output += screlu.zip(weights).map(|(value, weight)| value * weight).sum::<f32>();
        }
        output
    }
}

/// Compares a model with its network, which evaluates the positions by the engine's own inference.
pub(super) fn quantization_error<const H: usize, const B: usize>(
    model: &Model<H>,
    network: Arc<Network<H, B>>,
    records: &[Record],
    loss: Loss,
) -> QuantizationError {
    let scale = f64::from(network.scale());
    let mut accumulators = Accumulators::new(network, &Position::startpos());
    let mut sums = QuantizationError::default();
    let (mut products, mut squares) = (0.0, 0.0);
    for record in records {
        let Some(position) = record.position() else { continue };
        accumulators.reset(&position);
        let quantized = f64::from(accumulators.evaluate(&position));
        let real = model.evaluate(record);
        let squared_error = |output: f32| f64::from((sigmoid(output) - loss.target(record)).powi(2));
        let error = (quantized - f64::from(real) * scale).abs();
        sums.positions += 1;
        sums.mean += error;
        sums.max = sums.max.max(error);
        sums.model_loss += squared_error(real);
        sums.network_loss += squared_error((quantized / scale) as f32);
        products += quantized * f64::from(record.score()) * scale / f64::from(SCALE);
        squares += quantized * quantized;
    }
    let count = sums.positions.max(1) as f64;
    QuantizationError {
        mean: sums.mean / count,
        model_loss: sums.model_loss / count,
        network_loss: sums.network_loss / count,
        score_per_evaluation: products / squares.max(1.0),
        ..sums
    }
}

impl fmt::Display for QuantizationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "quantization error: mean {:.2}, max {:.0} internal units; loss {:.6} instead of {:.6} over {} validation \
             positions; scores are {:.2} times the evaluation",
            self.mean, self.max, self.network_loss, self.model_loss, self.positions, self.score_per_evaluation
        )
    }
}
