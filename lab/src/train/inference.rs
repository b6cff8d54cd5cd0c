//! The trained network in the engine's own inference, compared with the trainer's forward pass.

use std::{fmt, sync::Arc};

use super::{gradient::GradientWorker, loss::Loss, model::Model};
use crate::record::Record;
use sleight::nnue::{AccumulatorStack, BUCKETS, Network, SCALE};

/// The engine's evaluations of some positions, compared with the trainer's and with the targets.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct NetworkComparison {
    positions: usize,
    /// The largest absolute difference from the trainer's forward pass, in internal units: the engine's rounding.
    pub(super) max_difference: f64,
    /// The mean loss.
    loss: f64,
    /// The slope of the positions' scores over the evaluations, by least squares.
    score_per_evaluation: f64,
}

/// Compares a model with its network, which evaluates the positions by the engine's own inference.
pub(super) fn compare<const H: usize>(
    model: &Model<H>,
    network: Arc<Network<H, BUCKETS>>,
    records: &[Record],
    loss: Loss,
) -> NetworkComparison {
    let scale = f64::from(network.scale());
    let mut worker = GradientWorker::new(model.input_buckets());
    worker.load_l1(model);
    let mut accumulators = AccumulatorStack::new(network);
    let mut sums = NetworkComparison::default();
    let (mut products, mut squares) = (0.0, 0.0);
    for record in records {
        let Some(position) = record.position() else { continue };
        let evaluation = f64::from(accumulators.evaluate(&position));
        let expected = f64::from(worker.output(model, record)) * scale;
        sums.positions += 1;
        sums.max_difference = sums.max_difference.max((evaluation - expected).abs());
        sums.loss += loss.of((evaluation / scale) as f32, record);
        products += evaluation * f64::from(record.score()) * scale / f64::from(SCALE);
        squares += evaluation * evaluation;
    }
    NetworkComparison {
        loss: sums.loss / sums.positions.max(1) as f64,
        score_per_evaluation: products / squares.max(1.0),
        ..sums
    }
}

impl fmt::Display for NetworkComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the engine's inference: loss {:.6} over {} validation positions, at most {:.1} internal units from the \
             trainer's; scores are {:.2} times the evaluation",
            self.loss, self.positions, self.max_difference, self.score_per_evaluation
        )
    }
}
