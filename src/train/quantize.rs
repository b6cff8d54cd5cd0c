//! From the trained model to the network that the engine runs, and what is lost on the way.

use std::{fmt, sync::Arc};

use super::{
    model::{BIAS, Model},
    objective::{Objective, sigmoid},
    record::Record,
};
use crate::{
    nnue::{Accumulators, Network, SCALE, output_bucket},
    position::Position,
};

/// How the network compares with the model that it was made from, over some positions.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Comparison {
    positions: usize,
    /// Mean and greatest difference, in centipawns.
    mean_error: f64,
    max_error: f64,
    /// Mean losses of the model in real numbers and of the network.
    model_loss: f64,
    network_loss: f64,
    /// What the positions' scores are, on average, for each centipawn of the network's evaluation: by least squares.
    score_per_evaluation: f64,
}

impl<const H: usize> Model<H> {
    /// The network with these weights, rounded; none when the model has another number of outputs.
    pub(super) fn network<const B: usize>(&self) -> Option<Box<Network<H, B>>> {
        let mut weights = self.quantized();
        (self.buckets() == B).then(|| Network::from_fn(|| weights.next().unwrap_or_default()))
    }

    /// The output for a position in real numbers throughout, in units of the scale.
    pub(super) fn evaluate(&self, record: &Record) -> f32 {
        let inputs = record.inputs();
        let rows = self.weights().as_chunks::<H>().0;
        let bucket = output_bucket(self.buckets(), record.men_count());
        let mut output = self.output_bias(bucket);
        for (inputs, weights) in [inputs.ours(), inputs.theirs()].into_iter().zip(self.output(bucket)) {
            let mut hidden = rows[BIAS];
            for &input in inputs {
                hidden.iter_mut().zip(&rows[usize::from(input)]).for_each(|(sum, weight)| *sum += weight);
            }
            output += hidden.iter().zip(weights).map(|(sum, weight)| sum.clamp(0.0, 1.0).powi(2) * weight).sum::<f32>();
        }
        output
    }
}

/// Compares a model with its network, which sees the positions exactly as the engine would show them.
pub(super) fn compare<const H: usize, const B: usize>(
    model: &Model<H>,
    network: Arc<Network<H, B>>,
    records: &[Record],
    objective: Objective,
) -> Comparison {
    let mut accumulators = Accumulators::new(network, &Position::startpos());
    let mut sums = Comparison::default();
    let (mut products, mut squares) = (0.0, 0.0);
    for record in records {
        let Some(position) = record.position() else { continue };
        accumulators.reset(&position);
        let quantized = f64::from(accumulators.evaluate(&position));
        let real = model.evaluate(record);
        let loss = |output: f32| f64::from((sigmoid(output) - objective.target(record)).powi(2));
        let error = (quantized - f64::from(real * SCALE as f32)).abs();
        sums.positions += 1;
        sums.mean_error += error;
        sums.max_error = sums.max_error.max(error);
        sums.model_loss += loss(real);
        sums.network_loss += loss(quantized as f32 / SCALE as f32);
        products += quantized * f64::from(record.score());
        squares += quantized * quantized;
    }
    let count = sums.positions.max(1) as f64;
    Comparison {
        mean_error: sums.mean_error / count,
        model_loss: sums.model_loss / count,
        network_loss: sums.network_loss / count,
        score_per_evaluation: products / squares.max(1.0),
        ..sums
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "quantized: {:.2} cp off on average, {:.0} cp at most, loss {:.6} instead of {:.6} over {} held-out \
             positions; scores are {:.2} times the evaluation",
            self.mean_error,
            self.max_error,
            self.network_loss,
            self.model_loss,
            self.positions,
            self.score_per_evaluation
        )
    }
}
