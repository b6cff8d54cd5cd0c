//! The speed of network inference, with every kernel that this machine can run: `cargo bench --bench nnue`.

use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use sleight::{
    movegen::legal_moves,
    nnue::{AccumulatorStack, Kernel, Network},
    position::Position,
    util::Rng,
};

/// The positions of a game of random moves.
fn game() -> Vec<Position> {
    let mut rng = Rng::new(1);
    let mut positions = vec![Position::startpos()];
    for ply in 0..100 {
        let mut next = positions[ply].clone();
        let moves = legal_moves(&next);
        next.make(moves[rng.below(moves.len())]);
        positions.push(next);
    }
    positions
}

fn measure(criterion: &mut Criterion) {
    let network: Arc<Network> = Network::random(1).into();
    let positions = game();
    for kernel in Kernel::available() {
        let mut accumulators = AccumulatorStack::with_kernel(network.clone(), kernel);
        let name = |what: &str| format!("{}: {what}", kernel.name());

        criterion.bench_function(&name("output, accumulators ready"), |bencher| {
            bencher.iter(|| accumulators.evaluate(std::hint::black_box(&positions[0])));
        });
        criterion.bench_function(&name("100 x update by a move and output"), |bencher| {
            bencher.iter(|| positions.iter().map(|position| accumulators.evaluate(position)).sum::<i32>());
        });
        criterion.bench_function(&name("25 x update by four moves and output"), |bencher| {
            bencher.iter(|| positions.iter().step_by(4).map(|position| accumulators.evaluate(position)).sum::<i32>());
        });
    }
}

criterion_group!(benches, measure);
criterion_main!(benches);
