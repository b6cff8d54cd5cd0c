//! The speed of network inference, with every kernel that this machine can run: `cargo bench --bench nnue`.

use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use sleight::{
    movegen::legal_moves,
    nnue::{Accumulators, Kernel, Network},
    position::{Change, Observer as _, Position},
    test_support::Rng,
};

/// The positions of a game of random moves, and the changes between them.
fn game() -> (Vec<Position>, Vec<Change>) {
    let mut rng = Rng::new(1);
    let (mut positions, mut changes) = (vec![Position::startpos()], Vec::new());
    while changes.len() < 100 {
        let mut next = positions[changes.len()].clone();
        let moves = legal_moves(&next);
        let mv = moves[rng.below(moves.len())];
        changes.push(next.change_of(mv));
        next.play(mv);
        positions.push(next);
    }
    (positions, changes)
}

fn measure(criterion: &mut Criterion) {
    let network: Arc<Network> = Network::random(1).into();
    let (positions, changes) = game();
    for kernel in Kernel::available() {
        let mut accumulators = Accumulators::with_kernel(network.clone(), &positions[0], kernel);
        let name = |what: &str| format!("{}: {what}", kernel.name());

        criterion.bench_function(&name("output"), |bencher| {
            bencher.iter(|| accumulators.evaluate(std::hint::black_box(&positions[0])));
        });
        criterion.bench_function(&name("100 x incremental update and output"), |bencher| {
            bencher.iter(|| {
                let mut sum = 0;
                for (i, change) in changes.iter().enumerate() {
                    accumulators.on_make(&positions[i], change);
                    sum += accumulators.evaluate(&positions[i + 1]);
                }
                changes.iter().for_each(|_| accumulators.on_unmake());
                sum
            });
        });
        criterion.bench_function(&name("two refreshes, four moves later"), |bencher| {
            let mut places = positions.iter().step_by(4).cycle();
            bencher.iter(|| places.next().map(|position| accumulators.reset(position)));
        });
    }
}

criterion_group!(benches, measure);
criterion_main!(benches);
