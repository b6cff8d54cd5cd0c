//! What a search does most, each over all the bench positions: `cargo bench --bench speed`, for this machine's
//! processor `RUSTFLAGS="-C target-cpu=native" cargo bench --bench speed`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sleight::{
    attacks::Lookup,
    eval::evaluate,
    movegen::{All, GenType, Noisy, generate, legal_moves},
    nnue::{AccumulatorStack, Network},
    notation::Epd,
    perft::perft,
    position::Position,
    types::{Move, MoveList},
};

fn positions() -> Vec<Position> {
    let read = |line: &str| line.parse::<Epd>().unwrap_or_else(|error| panic!("{line}: {error}")).position;
    include_str!("../bench.epd").lines().map(read).collect()
}

fn moves_of(positions: &[Position]) -> Vec<(&Position, Move)> {
    let each = |position| legal_moves(position).into_iter().map(move |mv| (position, mv));
    positions.iter().flat_map(each).collect()
}

fn generated<K: GenType>(positions: &[Position]) -> usize {
    let mut found = 0;
    for position in positions {
        let mut moves = MoveList::new();
        generate::<K>(black_box(position), &mut moves);
        found += black_box(&moves).len();
    }
    found
}

/// Everything that looks sliders up.
fn sliders(criterion: &mut Criterion) {
    Lookup::detect();
    let positions = &positions();
    let moves = moves_of(positions);
    criterion.bench_function("generate all moves", |bencher| {
        bencher.iter(|| generated::<All>(positions));
    });
    criterion.bench_function("generate captures and queens", |bencher| {
        bencher.iter(|| generated::<Noisy>(positions));
    });
    criterion.bench_function("count moves", |bencher| {
        let count = |position: &Position| perft(black_box(position.board()), 1);
        bencher.iter(|| positions.iter().map(count).sum::<u64>());
    });
    criterion.bench_function("exchange of every move, at least even", |bencher| {
        let good = |(position, mv): &&(&Position, Move)| position.see_ge(black_box(*mv), 0);
        bencher.iter(|| moves.iter().filter(good).count());
    });
    criterion.bench_function("perft 3", |bencher| {
        bencher.iter(|| positions.iter().map(|position| perft(position.board(), 3)).sum::<u64>());
    });
}

/// Every legal move of every position is made and taken back, alone and with the evaluation in between; and the output
/// layer alone, of positions whose accumulators are ready.
fn making(criterion: &mut Criterion) {
    let positions = positions();
    let mut games: Vec<(Position, MoveList, AccumulatorStack)> = positions
        .iter()
        .map(|position| {
            let mut accumulators = AccumulatorStack::new(Network::embedded());
            evaluate(position, &mut accumulators);
            (position.clone(), legal_moves(position), accumulators)
        })
        .collect();
    criterion.bench_function("make and unmake every move", |bencher| {
        bencher.iter(|| {
            for (position, moves, _) in &mut games {
                for &mv in &*moves {
                    position.make(black_box(mv));
                    position.unmake();
                }
            }
        });
    });
    criterion.bench_function("make, evaluate and unmake every move", |bencher| {
        bencher.iter(|| {
            let mut sum = 0;
            for (position, moves, accumulators) in &mut games {
                for &mv in &*moves {
                    position.make(black_box(mv));
                    sum += evaluate(position, accumulators).0;
                    position.unmake();
                }
            }
            sum
        });
    });
    criterion.bench_function("evaluate, accumulators ready", |bencher| {
        let mut value = |(position, _, accumulators): &mut _| evaluate(black_box(position), accumulators).0;
        bencher.iter(|| games.iter_mut().map(&mut value).sum::<i32>());
    });
}

criterion_group!(benches, sliders, making);
criterion_main!(benches);
